//! Amendments of one order: its priority, its size, its money, and every refusal. Amendments that cross:
//! `amend_crossing`.

use exchange::id::OrderId;
use exchange::numbers::{FeeRate, Money};
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::{id, price};

/// Three bids of ten at one price, Alice's in the middle.
const QUEUE: &str = "
    market rain clob
    alice has 20 USD
    bob has 20 USD
    carol has 20 USD
    bob buys YES 10 shares at 0.40 as b1
    alice buys YES 10 shares at 0.40 as a1
    carol buys YES 10 shares at 0.40 as c1
";

fn check_queue(lines: &str, expected: expect_test::Expect) {
    check(&format!("{QUEUE}{lines}\n show book"), expected);
}

#[test]
fn amend_to_a_smaller_size_keeps_the_place() {
    check_queue(
        "alice amends a1 to 5 shares",
        expect![[r#"
        b1 open 0/10
        a1 open 0/10
        c1 open 0/10
        a1 open 0/5
        book rain
          bid 0.40 bob.b1 buys YES 10
          bid 0.40 alice.a1 buys YES 5
          bid 0.40 carol.c1 buys YES 10
    "#]],
    );
}

#[test]
fn amend_to_the_same_size_and_price_keeps_the_place() {
    check_queue(
        "alice amends a1 to 10 shares at 0.40\n alice amends a1 at 0.40",
        expect![[r#"
        b1 open 0/10
        a1 open 0/10
        c1 open 0/10
        a1 open 0/10
        a1 open 0/10
        book rain
          bid 0.40 bob.b1 buys YES 10
          bid 0.40 alice.a1 buys YES 10
          bid 0.40 carol.c1 buys YES 10
    "#]],
    );
}

#[test]
fn amend_to_a_larger_size_goes_to_the_tail() {
    check_queue(
        "alice amends a1 to 11 shares",
        expect![[r#"
        b1 open 0/10
        a1 open 0/10
        c1 open 0/10
        a1 open 0/11
        book rain
          bid 0.40 bob.b1 buys YES 10
          bid 0.40 carol.c1 buys YES 10
          bid 0.40 alice.a1 buys YES 11
    "#]],
    );
}

#[test]
fn amend_to_a_new_price_goes_to_the_tail_of_its_level() {
    let lines = "alice amends a1 at 0.41
                 alice amends a1 at 0.40";
    check_queue(
        lines,
        expect![[r#"
        b1 open 0/10
        a1 open 0/10
        c1 open 0/10
        a1 open 0/10
        a1 open 0/10
        book rain
          bid 0.40 bob.b1 buys YES 10
          bid 0.40 carol.c1 buys YES 10
          bid 0.40 alice.a1 buys YES 10
    "#]],
    );
    check_queue(
        "alice amends a1 to 5 shares at 0.41",
        expect![[r#"
        b1 open 0/10
        a1 open 0/10
        c1 open 0/10
        a1 open 0/5
        book rain
          bid 0.41 alice.a1 buys YES 5
          bid 0.40 bob.b1 buys YES 10
          bid 0.40 carol.c1 buys YES 10
    "#]],
    );
}

#[test]
fn amend_names_the_total_size_of_a_partly_filled_order() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 4 shares at market as b1
         alice amends a1 to 4 shares
         alice amends a1 to 3.9999 shares
         alice amends a1 to 4.0001 shares
         show book
         show wallet alice
         bob sells YES 0.0001 shares at 0.40 fak as b2",
        expect![[r#"
            a1 open 0/10
            b1 filled 4/4 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              a1 partial_filled 4/10 @0.4
            a1 refused: SIZE_NOT_ABOVE_FILLED 4
            a1 refused: SIZE_NOT_ABOVE_FILLED 4
            a1 partial_filled 4/4.0001 @0.4
            book rain
              bid 0.40 alice.a1 buys YES 0.0001
            alice has 8.39996 USD free, 0.00004 held
            b2 filled 0.0001/0.0001 @0.4
              DIRECT 0.0001 YES @0.40 bob.b2 → alice.a1
              a1 filled 4.0001/4.0001 @0.4
        "#]],
    );
}

#[test]
fn amend_keeps_what_is_not_given_and_reckons_the_amount_anew() {
    let mut script = Script::after("market rain clob fee 2%\n alice has 100 USD");
    script.run("alice buys YES for 10 USD at 0.30 gtd 60s post-only stp cancel-both client mine as a1");
    let order =
        |script: &Script| script.world.exchange.order(OrderId::new(id("a1"))).expect("an open order").clone();
    let before = order(&script).terms;
    script.world.wait(exchange::time::Span::seconds(5));
    script.run("alice amends a1 at 0.40");
    let after = order(&script).terms;
    assert_eq!((after.price, after.size), (Some(price(40)), before.size));
    assert_eq!(after.amount, Money::new(333_333 * 40));
    assert_eq!((after.fee_rate, after.created_at), (FeeRate::new(200).expect("a rate"), before.created_at));
    assert_eq!(
        (after.updated_at(), after.progress.expires_at),
        (script.world.now, before.progress.expires_at)
    );
    assert_eq!((after.post_only, after.self_trade), (before.post_only, before.self_trade));
    assert_eq!((after.serial, after.client_order_id), (before.serial, before.client_order_id));
    script.run("alice amends a1 to 20 shares");
    let after = order(&script).terms;
    assert_eq!((after.price, after.amount), (Some(price(40)), Money::whole(8)));
    // It keeps its original time.
    script.run("wait 55s");
    assert!(script.output.ends_with("a1 expired 0/20\n"), "{}", script.output);
}

#[test]
fn amend_needs_funds_for_fills_fee_and_rest_to_the_unit() {
    check(
        "market rain clob fee 2%
         alice has 4.00 USD
         bob has 20 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 5 shares at 0.50 as b1
         alice has 1.049999 USD
         alice amends a1 at 0.50
         show book
         show wallet alice
         alice has 1.05 USD
         alice amends a1 at 0.50
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            b1 open 0/5
            a1 refused: INSUFFICIENT_BALANCE need 5.05 have 5.049999
            book rain
              ask 0.50 bob.b1 sells YES 5
              bid 0.40 alice.a1 buys YES 10
            alice has 1.049999 USD free, 4.00 held
            a1 partial_filled 5/10 @0.5 fee 0.05
              DIRECT 5 YES @0.50 bob.b1 → alice.a1 fee 0.05
              b1 filled 5/5 @0.5
            alice has 0.00 USD free, 2.50 held
        "#]],
    );
}

#[test]
fn amend_of_an_ask_needs_free_shares_beside_its_own() {
    check(
        "market rain clob
         alice has 10 sets
         alice sells YES 5 shares at 0.60 as a1
         alice sells YES 3 shares at 0.70 as a2
         alice amends a1 to 7.0001 shares
         alice amends a1 to 7 shares
         alice amends a1 at 0.65
         show position alice",
        expect![[r#"
            a1 open 0/5
            a2 open 0/3
            a1 refused: INSUFFICIENT_SHARES need 7.0001 have 7
            a1 open 0/7
            a1 open 0/7
            alice holds YES 10 (10 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
        "#]],
    );
}

#[test]
fn amend_refuses_row_by_row() {
    let usd = "refused: BELOW_MINIMUM USD 1.00";
    let rows = [
        ("alice amends a1", "refused: NOTHING_TO_AMEND"),
        ("alice amends a1 to 0 shares", "refused: AMOUNT_NOT_POSITIVE"),
        ("alice amends a1 to 1000000000.0001 shares", "refused: AMOUNT_TOO_LARGE"),
        ("alice amends a1 to 2.4999 shares", usd),
        ("alice amends a1 at 0.09", usd),
        ("alice amends a1 to 3 shares", "refused: SIZE_NOT_ABOVE_FILLED 4"),
        ("alice amends a1 to 4 shares", "refused: SIZE_NOT_ABOVE_FILLED 4"),
        (
            "alice amends a1 to 1000000000 shares",
            "refused: INSUFFICIENT_BALANCE need 399999998.40 have 10.00",
        ),
        ("bob amends a1 to 5 shares", "refused: ORDER_NOT_FOUND"),
        ("alice amends nosuch to 5 shares", "refused: ORDER_NOT_FOUND"),
    ];
    for (line, refusal) in rows {
        let mut script = Script::after(
            "market rain clob
             bob has 10 sets
             alice has 11.60 USD
             alice buys YES 10 shares at 0.40 as a1
             bob sells YES 4 shares at market",
        );
        script.output.clear();
        script.run(line);
        assert!(script.output.trim_end().ends_with(refusal), "{line}: {}", script.output);
        assert!(script.world.changes().is_empty(), "{line}");
    }
}

#[test]
fn amend_takes_its_checks_in_the_written_order() {
    // Not the caller's, nothing given, market not open, out of range, below the minimum, not above what is filled.
    check(
        "market rain clob
         alice has 20 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 4 shares at market as b1
         pause rain
         bob amends a1
         alice amends a1
         alice amends a1 to 0 shares
         resume rain
         alice amends a1 to 0 shares
         alice amends a1 to 2 shares
         alice amends a1 to 3 shares",
        expect![[r#"
            a1 open 0/10
            b1 filled 4/4 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              a1 partial_filled 4/10 @0.4
            rain paused
            a1 refused: ORDER_NOT_FOUND
            a1 refused: NOTHING_TO_AMEND
            a1 refused: MARKET_NOT_OPEN
            rain resumed
            a1 refused: AMOUNT_NOT_POSITIVE
            a1 refused: BELOW_MINIMUM USD 1.00
            a1 refused: SIZE_NOT_ABOVE_FILLED 4
        "#]],
    );
}

#[test]
fn amend_needs_an_open_market_and_cancel_does_not() {
    check(
        "market rain clob
         alice has 20 USD
         alice buys YES 10 shares at 0.40 as a1
         pause rain
         alice amends a1 to 5 shares
         alice cancels a1",
        expect![[r#"
            a1 open 0/10
            rain paused
            a1 refused: MARKET_NOT_OPEN
            a1 cancelled 0/10
        "#]],
    );
}
#[test]
fn amend_of_a_sale_by_quantity_must_reach_the_minimum() {
    check(
        "market rain clob
         alice has 10 sets
         alice sells YES 2 shares at 0.50 as a1
         alice amends a1 at 0.49
         alice amends a1 to 1.9999 shares
         alice amends a1 to 1.9999 shares at 0.51",
        expect![[r#"
            a1 open 0/2
            a1 refused: BELOW_MINIMUM USD 1.00
            a1 refused: BELOW_MINIMUM USD 1.00
            a1 open 0/1.9999
        "#]],
    );
}

#[test]
fn amend_to_a_new_price_must_leave_the_minimum_unfilled() {
    for (side, shares) in [("buys", "alice has 100 USD"), ("sells", "alice has 20 sets")] {
        let other = if side == "buys" { "sells" } else { "buys" };
        let (price, dearer) = if side == "buys" { ("0.50", "0.51") } else { ("0.51", "0.50") };
        let rows = [
            // 10 of 12 are filled: 2 are left, worth 1.00 at 0.50 and 1.02 at 0.51.
            (format!("alice amends a1 at {dearer}"), "a1 partial_filled 10/12"),
            ("alice amends a1 at 0.49".to_owned(), "a1 refused: BELOW_MINIMUM USD 1.00"),
            (format!("alice amends a1 to 11.9 shares at {dearer}"), "a1 refused: BELOW_MINIMUM USD 1.00"),
            ("alice amends a1 to 12.1 shares at 0.49".to_owned(), "a1 partial_filled 10/12.1"),
            // At its own price only the whole counts, however little is left.
            ("alice amends a1 to 10.0001 shares".to_owned(), "a1 partial_filled 10/10.0001"),
            (format!("alice amends a1 to 10.0001 shares at {price}"), "a1 partial_filled 10/10.0001"),
        ];
        for (line, expected) in rows {
            let mut script = Script::after(&format!(
                "market rain clob
                 {shares}
                 bob has 100 USD
                 bob has 20 sets
                 alice {side} YES 12 shares at {price} as a1
                 bob {other} YES 10 shares at {price} as b1"
            ));
            script.output.clear();
            script.run(&line);
            assert!(script.output.starts_with(expected), "{side}, {line}: {}", script.output);
        }
    }
}

#[test]
fn amend_to_a_new_price_leaves_the_minimum_that_the_market_has_raised() {
    check(
        "market rain clob min 5
         alice has 10000 NGN
         bob has 20 sets in NGN
         alice buys YES 20 shares at 0.50 in NGN as a1
         bob sells YES 10.1 shares at 0.50 in NGN as b1
         alice amends a1 at 0.50
         alice amends a1 at 0.49
         alice amends a1 at 0.51",
        expect![[r#"
            a1 open 0/20
            b1 filled 10.1/10.1 @0.5
              DIRECT 10.1 YES @0.50 bob.b1 → alice.a1
              a1 partial_filled 10.1/20 @0.5
            a1 partial_filled 10.1/20 @0.5
            a1 refused: BELOW_MINIMUM NGN 500.00
            a1 partial_filled 10.1/20 @0.5
        "#]],
    );
}
