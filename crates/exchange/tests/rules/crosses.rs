//! The four crosses of the book: payments, moved shares, collateral; then priority and price.

use exchange::change::Change;
use exchange::id::OrderId;
use exchange::numbers::{Currency, Shares};
use exchange::order::Outcome;
use exchange::time::Span;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::{START, id, price};

#[test]
fn cross_of_buy_yes_and_sell_yes_is_direct_and_moves_yes() {
    check(
        "market rain clob fee 2%
         bob has 10 sets
         alice has 5.10 USD
         bob sells YES 10 shares at 0.50 as b1
         alice buys YES 10 shares at 0.50 as a1
         show wallet alice
         show wallet bob
         show position alice
         show position bob
         show market",
        expect![[r#"
            b1 open 0/10
            a1 filled 10/10 @0.5 fee 0.10
              DIRECT 10 YES @0.50 bob.b1 → alice.a1 fee 0.10
              b1 filled 10/10 @0.5
            alice has 0.00 USD free, 0.00 held
            bob has 5.00 USD free, 0.00 held
            alice holds YES 10 (0 held) cost 5.10 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            bob holds YES 0 (0 held) cost 0.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            rain YES at 0.5, collateral 10.00, volume 5.00, fees 0.10
        "#]],
    );
}

#[test]
fn cross_of_sell_no_and_buy_no_is_direct_and_moves_no() {
    check(
        "market rain clob fee 2%
         bob has 10 sets
         alice has 10 USD
         alice buys NO 10 shares at 0.40 as a1
         bob sells NO 10 shares at 0.40 as b1
         show wallet alice
         show wallet bob
         show position alice
         show position bob
         show market",
        expect![[r#"
            a1 open 0/10
            b1 filled 10/10 @0.4 fee 0.08
              DIRECT 10 NO @0.40 bob.b1 → alice.a1 fee 0.08
              a1 filled 10/10 @0.4
            alice has 6.00 USD free, 0.00 held
            bob has 3.92 USD free, 0.00 held
            alice holds YES 0 (0 held) cost 0.00 realised 0.00, NO 10 (0 held) cost 4.00 realised 0.00
            bob holds YES 10 (0 held) cost 5.00 realised 0.00, NO 0 (0 held) cost 0.00 realised -1.08
            rain YES at 0.6, collateral 10.00, volume 4.00, fees 0.08
        "#]],
    );
}

#[test]
fn cross_of_buy_yes_and_buy_no_mints_sets_and_grows_the_collateral() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         bob has 10 USD
         alice buys YES 10 shares at 0.60 as a1
         bob buys NO 10 shares at 0.45 as b1
         show wallet alice
         show wallet bob
         show position alice
         show position bob
         show market",
        expect![[r#"
            a1 open 0/10
            b1 filled 10/10 @0.4 fee 0.08
              MINT 10 YES @0.60 alice.a1 + NO @0.40 bob.b1 fee 0.08
              a1 filled 10/10 @0.6
            alice has 4.00 USD free, 0.00 held
            bob has 5.92 USD free, 0.00 held
            alice holds YES 10 (0 held) cost 6.00 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
            bob holds YES 0 (0 held) cost 0.00 realised 0.00, NO 10 (0 held) cost 4.08 realised 0.00
            rain YES at 0.6, collateral 10.00, volume 4.00, fees 0.08
        "#]],
    );
}

#[test]
fn cross_of_sell_yes_and_sell_no_merges_sets_and_shrinks_the_collateral() {
    check(
        "market rain clob fee 2%
         alice has 10 sets
         bob has 10 sets
         alice sells YES 10 shares at 0.60 as a1
         bob sells NO 10 shares at 0.30 as b1
         show wallet alice
         show wallet bob
         show position alice
         show position bob
         show market",
        expect![[r#"
            a1 open 0/10
            b1 filled 10/10 @0.4 fee 0.08
              MERGE 10 YES @0.60 alice.a1 + NO @0.40 bob.b1 fee 0.08
              a1 filled 10/10 @0.6
            alice has 6.00 USD free, 0.00 held
            bob has 3.92 USD free, 0.00 held
            alice holds YES 0 (0 held) cost 0.00 realised 1.00, NO 10 (0 held) cost 5.00 realised 0.00
            bob holds YES 10 (0 held) cost 5.00 realised 0.00, NO 0 (0 held) cost 0.00 realised -1.08
            rain YES at 0.6, collateral 10.00, volume 4.00, fees 0.08
        "#]],
    );
}

#[test]
fn cross_of_each_kind_may_happen_in_one_walk() {
    check(
        "market rain clob fee 2%
         bob has 10 sets
         carol has 100 USD
         dave has 10 sets
         alice has 100 USD
         bob sells YES 10 shares at 0.50 as b1
         carol buys NO 10 shares at 0.49 as c1
         dave sells YES 10 shares at 0.52 as d1
         alice buys YES 25 shares at 0.55 as a1
         show market
         show book",
        expect![[r#"
            b1 open 0/10
            c1 open 0/10
            d1 open 0/10
            a1 filled 25/25 @0.508 fee 0.254
              DIRECT 10 YES @0.50 bob.b1 → alice.a1 fee 0.10
              b1 filled 10/10 @0.5
              MINT 10 NO @0.49 carol.c1 + YES @0.51 alice.a1 fee 0.102
              c1 filled 10/10 @0.49
              DIRECT 5 YES @0.52 dave.d1 → alice.a1 fee 0.052
              d1 partial_filled 5/10 @0.52
            rain YES at 0.52, collateral 30.00, volume 12.70, fees 0.254
            book rain
              ask 0.52 dave.d1 sells YES 5
        "#]],
    );
}

#[test]
fn priority_is_by_price_then_by_time() {
    check(
        "market rain clob
         bob has 100 sets
         carol has 100 sets
         dave has 100 sets
         alice has 100 USD
         bob sells YES 10 shares at 0.52 as b1
         carol sells YES 10 shares at 0.50 as c1
         dave sells YES 10 shares at 0.50 as d1
         carol sells YES 10 shares at 0.51 as c2
         show book
         alice buys YES 35 shares at 0.52 as a1
         show book",
        expect![[r#"
            b1 open 0/10
            c1 open 0/10
            d1 open 0/10
            c2 open 0/10
            book rain
              ask 0.50 carol.c1 sells YES 10
              ask 0.50 dave.d1 sells YES 10
              ask 0.51 carol.c2 sells YES 10
              ask 0.52 bob.b1 sells YES 10
            a1 filled 35/35 @0.505714
              DIRECT 10 YES @0.50 carol.c1 → alice.a1
              c1 filled 10/10 @0.5
              DIRECT 10 YES @0.50 dave.d1 → alice.a1
              d1 filled 10/10 @0.5
              DIRECT 10 YES @0.51 carol.c2 → alice.a1
              c2 filled 10/10 @0.51
              DIRECT 5 YES @0.52 bob.b1 → alice.a1
              b1 partial_filled 5/10 @0.52
            book rain
              ask 0.52 bob.b1 sells YES 5
        "#]],
    );
}

#[test]
fn priority_within_a_price_is_shared_by_complementary_orders() {
    check(
        "market rain clob
         bob has 100 USD
         carol has 100 sets
         alice has 100 USD
         bob buys NO 10 shares at 0.50 as b1
         carol sells YES 10 shares at 0.50 as c1
         bob buys NO 10 shares at 0.50 as b2
         alice buys YES 15 shares at 0.60 as a1
         show book",
        expect![[r#"
            b1 open 0/10
            c1 open 0/10
            b2 open 0/10
            a1 filled 15/15 @0.5
              MINT 10 NO @0.50 bob.b1 + YES @0.50 alice.a1
              b1 filled 10/10 @0.5
              DIRECT 5 YES @0.50 carol.c1 → alice.a1
              c1 partial_filled 5/10 @0.5
            book rain
              ask 0.50 carol.c1 sells YES 5
              ask 0.50 bob.b2 buys NO 10
        "#]],
    );
}

#[test]
fn execution_is_at_the_makers_price_and_all_improvement_is_the_takers() {
    check(
        "market rain clob
         bob has 100 sets
         alice has 7 USD
         bob sells YES 10 shares at 0.30 as b1
         alice buys YES 10 shares at 0.70 as a1
         show wallet alice
         show wallet bob
         bob buys YES 10 shares at 0.28 as b2
         alice sells YES 10 shares at 0.10 as a2
         show wallet alice",
        expect![[r#"
            b1 open 0/10
            a1 filled 10/10 @0.3
              DIRECT 10 YES @0.30 bob.b1 → alice.a1
              b1 filled 10/10 @0.3
            alice has 4.00 USD free, 0.00 held
            bob has 3.00 USD free, 0.00 held
            b2 open 0/10
            a2 filled 10/10 @0.28
              DIRECT 10 YES @0.28 alice.a2 → bob.b2
              b2 filled 10/10 @0.28
            alice has 6.80 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn a_resting_order_needs_exactly_its_notional_and_pays_no_fee() {
    check(
        "market rain clob fee 10%
         alice has 4 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         show wallet alice
         bob sells YES 10 shares at 0.40 as b1
         show wallet alice
         show wallet bob",
        expect![[r#"
            a1 open 0/10
            alice has 0.00 USD free, 4.00 held
            b1 filled 10/10 @0.4 fee 0.40
              DIRECT 10 YES @0.40 bob.b1 → alice.a1 fee 0.40
              a1 filled 10/10 @0.4
            alice has 0.00 USD free, 0.00 held
            bob has 3.60 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn a_partial_order_fills_up_in_steps() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 4 shares at market as b1
         bob sells YES 5.9999 shares at market as b2
         bob sells YES 0.0001 shares at market as b3
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            b1 filled 4/4 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              a1 partial_filled 4/10 @0.4
            b2 filled 5.9999/5.9999 @0.4
              DIRECT 5.9999 YES @0.40 bob.b2 → alice.a1
              a1 partial_filled 9.9999/10 @0.4
            b3 filled 0.0001/0.0001 @0.4
              DIRECT 0.0001 YES @0.40 bob.b3 → alice.a1
              a1 filled 10/10 @0.4
            alice has 6.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn fee_is_cumulative_over_the_fills_of_one_order() {
    // Worth 333, 333 and 334 units: 7 + 7 + 6, where three fees of their own would be 21.
    check(
        "market rain clob fee 2%
         bob has 10 USD
         dave has 100 sets
         alice has 1 sets
         bob buys YES 50 shares at 0.02 as b1
         dave sells YES 49.9833 shares at market as d1
         bob buys YES 34 shares at 0.03 as b2
         dave sells YES 33.9889 shares at market as d2
         bob buys YES 12 shares at 0.09 as b3
         dave sells YES 11.9963 shares at market as d3
         alice sells YES 0.0315 shares at market as a1
         show market",
        expect![[r#"
            b1 open 0/50
            d1 filled 49.9833/49.9833 @0.02 fee 0.019994
              DIRECT 49.9833 YES @0.02 dave.d1 → bob.b1 fee 0.019994
              b1 partial_filled 49.9833/50 @0.02
            b2 open 0/34
            d2 filled 33.9889/33.9889 @0.03 fee 0.020394
              DIRECT 33.9889 YES @0.03 dave.d2 → bob.b2 fee 0.020394
              b2 partial_filled 33.9889/34 @0.03
            b3 open 0/12
            d3 filled 11.9963/11.9963 @0.09 fee 0.021594
              DIRECT 11.9963 YES @0.09 dave.d3 → bob.b3 fee 0.021594
              b3 partial_filled 11.9963/12 @0.09
            a1 filled 0.0315/0.0315 @0.031746 fee 0.00002
              DIRECT 0.0037 YES @0.09 alice.a1 → bob.b3 fee 0.000007
              b3 filled 12/12 @0.09
              DIRECT 0.0111 YES @0.03 alice.a1 → bob.b2 fee 0.000007
              b2 filled 34/34 @0.03
              DIRECT 0.0167 YES @0.02 alice.a1 → bob.b1 fee 0.000006
              b1 filled 50/50 @0.02
            rain YES at 0.02, collateral 101.00, volume 3.10, fees 0.062002
        "#]],
    );
}

#[test]
fn trades_are_counted_in_yes_price_and_accepted_orders_are_counted() {
    let script = Script::after(
        "market rain clob
         alice has 100 USD
         bob has 100 USD
         alice buys YES 10 shares at 0.60
         bob buys NO 4 shares at 0.40
         bob buys NO 3 shares at market
         alice buys YES 5 shares at 0.70 fok
         alice buys YES 5 shares at 0.70 fak
         bob buys NO 1 shares at 0.40",
    );
    let listing =
        script.world.exchange.catalogue().listing(script.world.listing_index("rain", Currency::Usd));
    let day = listing.stats.day(script.world.now, Outcome::Yes);
    assert_eq!((day.last, day.high, day.low), (Some(price(60)), Some(price(60)), Some(price(60))));
    assert_eq!((day.count, day.volume), (2, Shares::whole(7)));
    assert_eq!(listing.stats.day(script.world.now, Outcome::No).last, Some(price(40)));
    assert_eq!(listing.last_trade.map(|last| last.price), Some(price(60)));
    // The rejected FOK and the refused last one were never accepted.
    assert_eq!(listing.orders, 4);
}

#[test]
fn a_makers_order_has_the_time_of_its_last_change() {
    let mut script = Script::after(
        "market rain clob
         alice has 100 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.60 as a1",
    );
    script.world.wait(Span::seconds(7));
    script.run("bob sells YES 4 shares at market as b1");
    let order = script.world.exchange.order(OrderId::new(id("a1"))).expect("an open order");
    assert_eq!((order.terms.created_at, order.terms.updated_at()), (START, START + Span::seconds(7)));
    script.world.wait(Span::seconds(7));
    script.run("alice cancels a1");
    let [Change::Order { record, .. }] = script.world.changes() else { panic!("one change") };
    assert_eq!((record.terms.created_at, record.terms.updated_at), (START, START + Span::seconds(14)));
}
