//! stpMode, row by row: against direct and complementary own orders, with and without earlier fills.
//! With FOK, at market and for sellers: `stp_mode_further`.

use expect_test::expect;

use crate::rules::script::check;

/// Alice rests SELL YES 5 at 0.50; Bob offers 5 at 0.49 before it and 5 at 0.51 behind it.
const DIRECT: &str = "
    market rain clob
    alice has 10 sets
    alice has 10 USD
    bob has 20 sets
    alice sells YES 5 shares at 0.50 as own
    bob sells YES 5 shares at 0.51 as behind
";

/// An equivalent ask as a complementary order: Alice rests BUY NO 5 at 0.50.
const COMPLEMENTARY: &str = "
    market rain clob
    alice has 12.50 USD
    bob has 20 sets
    alice buys NO 5 shares at 0.50 as own
    bob sells YES 5 shares at 0.51 as behind
";

const BEFORE: &str = "bob sells YES 5 shares at 0.49 as before\n";

fn check_after(stages: &[&str], lines: &str, expected: expect_test::Expect) {
    check(&format!("{}{lines}", stages.concat()), expected);
}

#[test]
fn skip_passes_a_direct_own_order_over_and_both_stay() {
    let lines = "alice buys YES 8 shares at 0.51 stp skip as taker
                 show book";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker partial_filled 5/8 @0.51
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        book rain
          ask 0.50 alice.own sells YES 5
          bid 0.51 alice.taker buys YES 3
    "#]],
    );
}

#[test]
fn skip_passes_a_complementary_own_order_over_and_both_stay() {
    let lines = "alice buys YES 8 shares at 0.51 stp skip as taker
                 show book";
    check_after(
        &[COMPLEMENTARY],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker partial_filled 5/8 @0.51
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        book rain
          ask 0.50 alice.own buys NO 5
          bid 0.51 alice.taker buys YES 3
    "#]],
    );
}

#[test]
fn skip_after_earlier_fills_continues_behind_the_own_order() {
    let lines = "alice buys YES 10 shares at 0.51 as taker
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker filled 10/10 @0.5
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        book rain
          ask 0.50 alice.own sells YES 5
    "#]],
    );
}

#[test]
fn skip_leaves_own_orders_crossed_until_another_user_comes() {
    let lines = "alice buys YES 8 shares at 0.50 as taker
                 show book
                 carol has 10 sets
                 carol sells YES 3 shares at 0.50 as c1
                 show book";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker open 0/8
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
          bid 0.50 alice.taker buys YES 8
        c1 filled 3/3 @0.5
          DIRECT 3 YES @0.50 carol.c1 → alice.taker
          taker partial_filled 3/8 @0.5
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
          bid 0.50 alice.taker buys YES 5
    "#]],
    );
}

#[test]
fn cancel_oldest_cancels_a_direct_own_order_and_continues() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-oldest as taker
                 show book
                 show position alice";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker partial_filled 5/8 @0.51
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        book rain
          bid 0.51 alice.taker buys YES 3
        alice holds YES 15 (0 held) cost 7.55 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
    "#]],
    );
}

#[test]
fn cancel_oldest_cancels_a_complementary_own_order_and_refunds_it() {
    // Free 2.60 and 2.50 held for the NO order: exactly what 10 shares at 0.51 need, and one unit less.
    let lines = "alice has 2.599999 USD
                 alice buys YES 10 shares at 0.51 stp cancel-oldest as short
                 alice has 2.60 USD
                 alice buys YES 10 shares at 0.51 stp skip as skip
                 alice buys YES 10 shares at 0.51 stp cancel-oldest as taker
                 show wallet alice
                 show book";
    check_after(
        &[COMPLEMENTARY],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        refused: INSUFFICIENT_BALANCE need 5.10 have 5.099999
        refused: INSUFFICIENT_BALANCE need 5.10 have 2.60
        taker partial_filled 5/10 @0.51
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        alice has 0.00 USD free, 2.55 held
        book rain
          bid 0.51 alice.taker buys YES 5
    "#]],
    );
}

#[test]
fn cancel_oldest_after_earlier_fills_cancels_what_it_meets() {
    let lines = "alice buys YES 10 shares at 0.51 stp cancel-oldest as taker
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker filled 10/10 @0.5
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
          DIRECT 5 YES @0.51 bob.behind → alice.taker
          behind filled 5/5 @0.51
        book rain is empty
    "#]],
    );
}

#[test]
fn cancel_oldest_leaves_own_orders_that_the_taker_never_reaches() {
    let lines = "alice buys YES 5 shares at 0.51 stp cancel-oldest as taker
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker filled 5/5 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn cancel_newest_rejects_a_taker_that_meets_a_direct_own_order_first() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-newest as taker
                 show book
                 show wallet alice";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker rejected 0/8
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
        alice has 10.00 USD free, 0.00 held
    "#]],
    );
}

#[test]
fn cancel_newest_rejects_a_taker_that_meets_a_complementary_own_order_first() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-newest as taker
                 show book";
    check_after(
        &[COMPLEMENTARY],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker rejected 0/8
        book rain
          ask 0.50 alice.own buys NO 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn cancel_newest_after_earlier_fills_is_cancelled_with_them() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-newest as taker
                 show book
                 show wallet alice";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker cancelled 5/8 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
        alice has 7.55 USD free, 0.00 held
    "#]],
    );
    check_after(
        &[COMPLEMENTARY, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker cancelled 5/8 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.50 alice.own buys NO 5
          ask 0.51 bob.behind sells YES 5
        alice has 7.55 USD free, 2.50 held
    "#]],
    );
}

#[test]
fn cancel_newest_that_is_full_before_the_own_order_is_filled() {
    let lines = "alice buys YES 5 shares at 0.51 stp cancel-newest as taker
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker filled 5/5 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn cancel_both_cancels_the_direct_own_order_and_rejects_the_taker() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-both as taker
                 show book
                 show position alice";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker rejected 0/8
          own cancelled 0/5 by self-trade prevention
        book rain
          ask 0.51 bob.behind sells YES 5
        alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
    "#]],
    );
}

#[test]
fn cancel_both_cancels_the_complementary_own_order_and_rejects_the_taker() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-both as taker
                 show book
                 show wallet alice";
    check_after(
        &[COMPLEMENTARY],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        taker rejected 0/8
          own cancelled 0/5 by self-trade prevention
        book rain
          ask 0.51 bob.behind sells YES 5
        alice has 12.50 USD free, 0.00 held
    "#]],
    );
}

#[test]
fn cancel_both_after_earlier_fills_cancels_both_and_the_fills_stand() {
    let lines = "alice buys YES 8 shares at 0.51 stp cancel-both as taker
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker cancelled 5/8 @0.49
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
    check_after(
        &[COMPLEMENTARY, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        taker cancelled 5/8 @0.49
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.49 bob.before → alice.taker
          before filled 5/5 @0.49
        book rain
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}
