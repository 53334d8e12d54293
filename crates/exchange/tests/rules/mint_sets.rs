//! `MintSets`: money into complete sets: whole units, no fee, no price moved, open markets only.

use exchange::change::Change;
use exchange::command::{Command, MintSets};
use exchange::id::{MarketId, OperationId};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::Side;
use exchange::reject::Reject;
use exchange::reply::{Reply, SetsReply};
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::market_id;

#[test]
fn mint_sets_charges_whole_set_units_and_leaves_the_remainder() {
    check(
        "market rain clob fee 2%
         alice has 20 USD
         alice has 1000 NGN
         alice mints 10.00005 USD
         alice mints 100.005 NGN
         show wallet alice
         show position alice
         show position alice in NGN
         show market",
        expect![[r#"
            10 sets for 10.00, YES at 0.5
            1 sets for 100.00, YES at 0.5
            alice has 10.00 USD free, 0.00 held; 900.00 NGN free, 0.00 held
            alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            alice holds YES 1 (0 held) cost 50.00 realised 0.00, NO 1 (0 held) cost 50.00 realised 0.00
            rain YES at 0.5, collateral 10.00, volume 0.00, fees 0.00
        "#]],
    );
}

#[test]
fn mint_sets_answers_and_reports_what_it_made() {
    let mut script = Script::after("market rain clob\n alice has 20 USD");
    let id = OperationId::new(42);
    let mint = Command::MintSets(MintSets {
        id,
        market: market_id("rain"),
        currency: Currency::Usd,
        amount: Money::whole(3),
    });
    let (sets, cash) = (Shares::whole(3), Money::whole(3));
    let yes_price = exchange::numbers::Ppm::HALF;
    assert_eq!(script.world.by("alice", mint), Ok(Reply::Sets(SetsReply { id, sets, cash, yes_price })));
    let [Change::Sets(change)] = script.world.changes() else {
        panic!("a mint is one change: {:?}", script.world.changes());
    };
    assert_eq!((change.id, change.user, change.market), (id, Script::user_id("alice"), market_id("rain")));
    assert_eq!((change.side, change.sets, change.cash), (Side::Buy, sets, cash));
}

#[test]
fn mint_sets_splits_the_cost_by_the_price_shown_and_moves_no_price() {
    check(
        "market rain clob
         bob has 10 sets
         bob has 10 USD
         alice has 20 USD
         bob sells YES 10 shares at 0.35 as b1
         bob buys YES 5 shares at 0.28 as b2
         show market
         alice mints 10 USD
         show position alice
         show market
         show book",
        expect![[r#"
            b1 open 0/10
            b2 open 0/5
            rain YES at 0.315, collateral 10.00, volume 0.00, fees 0.00
            10 sets for 10.00, YES at 0.315
            alice holds YES 10 (0 held) cost 3.15 realised 0.00, NO 10 (0 held) cost 6.85 realised 0.00
            rain YES at 0.315, collateral 20.00, volume 0.00, fees 0.00
            book rain
              ask 0.35 bob.b1 sells YES 10
              bid 0.28 bob.b2 buys YES 5
        "#]],
    );
}

#[test]
fn mint_sets_gives_the_unit_that_does_not_split_to_no() {
    check(
        "market rain amm
         bob has 10000 sets
         bob sells YES 7071.0679 shares at market as b1
         alice has 1 USD
         alice mints 0.0001 USD
         show position alice",
        expect![[r#"
            b1 filled 7071.0679/7071.0679 @0.414214
            0.0001 sets for 0.0001, YES at 0.333333
            alice holds YES 0.0001 (0 held) cost 0.000033 realised 0.00, NO 0.0001 (0 held) cost 0.000067 realised 0.00
        "#]],
    );
}

#[test]
fn mint_sets_moves_no_reserve_of_a_pool() {
    check(
        "market rain amm seed 7000 at 0.70
         alice has 20 USD
         show pool
         alice mints 10 USD
         show pool
         show position alice",
        expect![[r#"
            pool rain has 3000 YES and 7000 NO, YES at 0.7
            10 sets for 10.00, YES at 0.7
            pool rain has 3000 YES and 7000 NO, YES at 0.7
            alice holds YES 10 (0 held) cost 7.00 realised 0.00, NO 10 (0 held) cost 3.00 realised 0.00
        "#]],
    );
}

#[test]
fn mint_sets_refuses_row_by_row() {
    let rows = [
        ("alice mints 0 USD", "refused: AMOUNT_NOT_POSITIVE"),
        ("alice mints 1000000000.000001 USD", "refused: AMOUNT_TOO_LARGE"),
        ("alice mints 0.000099 USD", "refused: NO_WHOLE_SET"),
        ("alice mints 0.009999 NGN", "refused: NO_WHOLE_SET"),
        ("alice mints 20.0001 USD", "refused: INSUFFICIENT_BALANCE need 20.0001 have 20.00"),
        ("alice mints 20.000099 USD", "20 sets for 20.00, YES at 0.5"),
        ("alice mints 0.0001 USD", "0.0001 sets for 0.0001, YES at 0.5"),
    ];
    for (line, said) in rows {
        let script = Script::after(&format!("market rain clob\n alice has 20 USD\n{line}"));
        assert_eq!(script.output.trim_end(), said, "{line}");
    }
}

#[test]
fn mint_sets_needs_an_open_market_that_is_no_draft() {
    check(
        "market rain clob
         market snow clob draft
         alice has 20 USD
         alice mints 1 USD of snow
         pause rain
         alice mints 1 USD of rain
         resume rain
         alice mints 1 USD of rain
         close rain
         alice mints 1 USD of rain
         resolve rain YES
         alice mints 1 USD of rain",
        expect![[r#"
            refused: MARKET_NOT_FOUND
            rain paused
            refused: MARKET_NOT_OPEN
            rain resumed
            1 sets for 1.00, YES at 0.5
            rain closed
            refused: MARKET_NOT_OPEN
            rain resolved
              alice paid 1.00 for 1 YES and 1 NO
            refused: MARKET_NOT_OPEN
        "#]],
    );
    let mut script = Script::after("market rain clob\n alice has 20 USD");
    let (id, market) = (OperationId::new(1), MarketId::new(7));
    let mint = Command::MintSets(MintSets { id, market, currency: Currency::Usd, amount: Money::whole(1) });
    assert_eq!(script.world.by("alice", mint), Err(Reject::MarketNotFound));
}
