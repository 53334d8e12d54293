//! `BurnSets`: complete sets back into money, out of free shares, as long as the market is not settled.

use expect_test::expect;

use crate::rules::script::{Script, check};

#[test]
fn burn_sets_pays_whole_set_units_and_no_more() {
    check(
        "market rain clob fee 2%
         alice has 20 sets
         alice has 2 sets in NGN
         alice burns 10.00005 USD
         alice burns 100.005 NGN
         show wallet alice
         show position alice
         show market",
        expect![[r#"
            10 sets for 10.00, YES at 0.5
            1 sets for 100.00, YES at 0.5
            alice has 10.00 USD free, 0.00 held; 100.00 NGN free, 0.00 held
            alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            rain YES at 0.5, collateral 10.00, volume 0.00, fees 0.00
        "#]],
    );
}

#[test]
fn burn_sets_after_a_mint_gives_back_what_it_cost() {
    check(
        "market rain clob
         bob has 10 sets
         bob has 10 USD
         alice has 10 USD
         bob sells YES 10 shares at 0.35 as b1
         bob buys YES 5 shares at 0.28 as b2
         alice mints 10 USD
         alice burns 10 USD
         show wallet alice
         show position alice
         show market
         show book",
        expect![[r#"
            b1 open 0/10
            b2 open 0/5
            10 sets for 10.00, YES at 0.315
            10 sets for 10.00, YES at 0.315
            alice has 10.00 USD free, 0.00 held
            alice holds YES 0 (0 held) cost 0.00 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            rain YES at 0.315, collateral 10.00, volume 0.00, fees 0.00
            book rain
              ask 0.35 bob.b1 sells YES 10
              bid 0.28 bob.b2 buys YES 5
        "#]],
    );
}

#[test]
fn burn_sets_splits_the_proceeds_by_the_price_shown() {
    // Alice's YES cost 3.00 and her NO 7.00; after Bob has bought, a set brings more on the side of YES.
    check(
        "market rain amm seed 7000 at 0.30
         alice has 10 USD
         alice mints 10 USD
         bob has 1000 USD
         bob buys YES for 1000 USD at market as b1
         show pool
         alice burns 5 USD
         show position alice",
        expect![[r#"
            10 sets for 10.00, YES at 0.3
            b1 filled 2750/2750 @0.363636
            pool rain has 5250 YES and 4000 NO, YES at 0.432432
            5 sets for 5.00, YES at 0.432432
            alice holds YES 5 (0 held) cost 1.50 realised 0.66216, NO 5 (0 held) cost 3.50 realised -0.66216
        "#]],
    );
}

#[test]
fn burn_sets_uses_free_shares_only_and_both_of_them() {
    check(
        "market rain clob
         alice has 10 sets
         bob has 10 USD
         alice sells YES 4 shares at 0.60 as a1
         alice burns 6.0001 USD
         alice burns 6 USD
         alice burns 1 USD
         alice cancels a1
         alice burns 4 USD
         show position alice
         bob buys YES 5 shares at 0.40 as b1
         bob burns 1 USD",
        expect![[r#"
            a1 open 0/4
            refused: INSUFFICIENT_SHARES need 6.0001 have 6
            6 sets for 6.00, YES at 0.5
            refused: INSUFFICIENT_SHARES need 1 have 0
            a1 cancelled 0/4
            4 sets for 4.00, YES at 0.5
            alice holds YES 0 (0 held) cost 0.00 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            b1 open 0/5
            refused: INSUFFICIENT_SHARES need 1 have 0
        "#]],
    );
}

#[test]
fn burn_sets_refuses_row_by_row() {
    let rows = [
        ("alice burns 0 USD", "refused: AMOUNT_NOT_POSITIVE"),
        ("alice burns 1000000000.000001 USD", "refused: AMOUNT_TOO_LARGE"),
        ("alice burns 0.000099 USD", "refused: NO_WHOLE_SET"),
        ("alice burns 20.0001 USD", "refused: INSUFFICIENT_SHARES need 20.0001 have 20"),
        ("bob burns 1 USD", "refused: INSUFFICIENT_SHARES need 1 have 0"),
        ("alice burns 20.000099 USD", "20 sets for 20.00, YES at 0.5"),
    ];
    for (line, said) in rows {
        let script = Script::after(&format!("market rain clob\n alice has 20 sets\n{line}"));
        assert_eq!(script.output.trim_end(), said, "{line}");
    }
}

#[test]
fn burn_sets_works_while_open_paused_or_closed_and_not_after_settlement() {
    check(
        "market rain clob
         market snow clob draft
         alice has 20 sets of rain
         alice burns 1 USD of snow
         alice burns 1 USD of rain
         pause rain
         alice burns 1 USD of rain
         close rain
         alice burns 1 USD of rain
         resolve rain YES
         alice burns 1 USD of rain
         show wallet alice",
        expect![[r#"
            refused: MARKET_NOT_FOUND
            1 sets for 1.00, YES at 0.5
            rain paused
            1 sets for 1.00, YES at 0.5
            rain closed
            1 sets for 1.00, YES at 0.5
            rain resolved
              alice paid 17.00 for 17 YES and 17 NO
            refused: MARKET_NOT_OPEN
            alice has 20.00 USD free, 0.00 held
        "#]],
    );
}
