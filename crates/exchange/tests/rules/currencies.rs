//! Two currencies that never mix: books, pools, positions, wallets and collateral are separate in each.

use exchange::numbers::Currency;
use expect_test::expect;

use crate::rules::script::{Script, check};

#[test]
fn orders_of_different_currencies_never_meet() {
    check(
        "market rain clob
         bob has 10 sets in NGN
         alice has 10 USD
         alice has 1000 NGN
         bob sells YES 10 shares at 0.50 in NGN as b1
         alice buys YES 10 shares at 0.50 as a1
         show book
         show book in NGN
         alice buys YES 10 shares at 0.50 in NGN as a2
         show wallet alice
         show wallet bob
         show position alice
         show position alice in NGN
         show market
         show market in NGN",
        expect![[r#"
            b1 open 0/10
            a1 open 0/10
            book rain
              bid 0.50 alice.a1 buys YES 10
            book rain
              ask 0.50 bob.b1 sells YES 10
            a2 filled 10/10 @0.5
              DIRECT 10 YES @0.50 bob.b1 → alice.a2
              b1 filled 10/10 @0.5
            alice has 5.00 USD free, 5.00 held; 500.00 NGN free, 0.00 held
            bob has 0.00 USD free, 0.00 held; 500.00 NGN free, 0.00 held
            alice holds YES 0 (0 held) cost 0.00 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            alice holds YES 10 (0 held) cost 500.00 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            rain YES at 0.5, collateral 0.00, volume 0.00, fees 0.00
            rain YES at 0.5, collateral 1000.00, volume 500.00, fees 0.00
        "#]],
    );
}

#[test]
fn money_of_one_currency_pays_for_nothing_in_the_other() {
    check(
        "market rain clob
         alice has 1000000 NGN
         alice buys YES 10 shares at 0.50 as a1
         alice mints 10 USD
         bob has 10 sets
         bob sells YES 10 shares at 0.50 in NGN as b1
         bob burns 100 NGN",
        expect![[r#"
            refused: INSUFFICIENT_BALANCE need 5.00 have 0.00
            refused: INSUFFICIENT_BALANCE need 10.00 have 0.00
            refused: INSUFFICIENT_SHARES need 10 have 0
            refused: INSUFFICIENT_SHARES need 1 have 0
        "#]],
    );
}

#[test]
fn a_share_pays_one_dollar_or_a_hundred_naira() {
    check(
        "market rain clob fee 2%
         bob has 10 sets in NGN
         alice has 510 NGN
         bob sells YES 10 shares at 0.50 in NGN as b1
         alice buys YES for 510 NGN at market as a1
         close rain
         resolve rain YES
         show wallet alice
         show wallet bob",
        expect![[r#"
            b1 open 0/10
            a1 filled 10/10 @0.5 fee 10.00
              DIRECT 10 YES @0.50 bob.b1 → alice.a1 fee 10.00
              b1 filled 10/10 @0.5
            rain closed
            rain resolved
              bob paid 0.00 for 0 YES and 10 NO
              alice paid 1000.00 for 10 YES and 0 NO
            alice has 0.00 USD free, 0.00 held; 1000.00 NGN free, 0.00 held
            bob has 0.00 USD free, 0.00 held; 500.00 NGN free, 0.00 held
        "#]],
    );
}

#[test]
fn a_pool_in_one_currency_does_not_move_the_other() {
    check(
        "market rain amm
         alice has 100 USD
         alice buys YES for 100 USD at market as a1
         show pool
         show pool in NGN",
        expect![[r#"
            a1 filled 199.0099/199.0099 @0.502488
            pool rain has 9900.9901 YES and 10100 NO, YES at 0.504975
            pool rain has 10000 YES and 10000 NO, YES at 0.5
        "#]],
    );
}

#[test]
fn an_unsupported_currency_is_refused() {
    for engine in ["clob", "amm"] {
        let script = Script::after(&format!(
            "market rain {engine} in USD
             alice has 1000 NGN
             alice buys YES for 100 NGN at 0.50 as a1
             alice mints 100 NGN
             alice burns 100 NGN"
        ));
        assert_eq!(script.output, "refused: UNSUPPORTED_CURRENCY\n".repeat(3), "{engine}");
        assert_eq!(script.world.free("alice", Currency::Ngn), exchange::numbers::Money::whole(1_000));
    }
}
