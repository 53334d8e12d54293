//! stpMode with FOK, at market, and from the seller's side. The four rows themselves: `stp_mode`.

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

const BEFORE: &str = "bob sells YES 5 shares at 0.49 as before\n";

fn check_after(stages: &[&str], lines: &str, expected: expect_test::Expect) {
    check(&format!("{}{lines}", stages.concat()), expected);
}

#[test]
fn fok_with_skip_counts_others_at_all_reachable_levels() {
    let lines = "alice buys YES 10 shares at 0.51 fok stp skip as whole
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        whole filled 10/10 @0.5
          DIRECT 5 YES @0.49 bob.before → alice.whole
          before filled 5/5 @0.49
          DIRECT 5 YES @0.51 bob.behind → alice.whole
          behind filled 5/5 @0.51
        book rain
          ask 0.50 alice.own sells YES 5
    "#]],
    );
    let lines = "alice buys YES 10.0001 shares at 0.51 fok stp skip as more
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        more rejected 0/10.0001
        book rain
          ask 0.49 bob.before sells YES 5
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn fok_with_cancel_oldest_cancels_own_orders_only_if_it_completes() {
    let lines = "alice buys YES 11 shares at 0.51 fok stp cancel-oldest as more
                 alice buys YES 10 shares at 0.51 fok stp cancel-oldest as whole
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        more rejected 0/11
        whole filled 10/10 @0.5
          own cancelled 0/5 by self-trade prevention
          DIRECT 5 YES @0.49 bob.before → alice.whole
          before filled 5/5 @0.49
          DIRECT 5 YES @0.51 bob.behind → alice.whole
          behind filled 5/5 @0.51
        book rain is empty
    "#]],
    );
}

#[test]
fn fok_with_cancel_newest_counts_only_shares_before_the_first_own_order() {
    let lines = "alice buys YES 6 shares at 0.51 fok stp cancel-newest as more
                 alice buys YES 5 shares at 0.51 fok stp cancel-newest as whole
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        more rejected 0/6
        whole filled 5/5 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.whole
          before filled 5/5 @0.49
        book rain
          ask 0.50 alice.own sells YES 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn fok_with_cancel_both_that_cannot_complete_cancels_the_maker_it_met() {
    let lines = "alice buys YES 6 shares at 0.51 fok stp cancel-both as more
                 show book
                 alice buys YES 5 shares at 0.51 fok stp cancel-both as whole";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        more rejected 0/6
          own cancelled 0/5 by self-trade prevention
        book rain
          ask 0.49 bob.before sells YES 5
          ask 0.51 bob.behind sells YES 5
        whole filled 5/5 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.whole
          before filled 5/5 @0.49
    "#]],
    );
}

#[test]
fn market_orders_obey_their_mode_too() {
    let lines = "alice buys YES for 4 USD at market stp cancel-newest as newest
                 alice buys YES for 2 USD at market stp skip as skip
                 alice buys YES for 2 USD at market stp cancel-oldest as oldest
                 show book";
    check_after(
        &[DIRECT, BEFORE],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        before open 0/5
        newest cancelled 5/5 @0.49
          DIRECT 5 YES @0.49 bob.before → alice.newest
          before filled 5/5 @0.49
        skip filled 3.9215/3.9215 @0.51
          DIRECT 3.9215 YES @0.51 bob.behind → alice.skip
          behind partial_filled 3.9215/5 @0.51
        oldest cancelled 1.0785/1.0785 @0.51
          own cancelled 0/5 by self-trade prevention
          DIRECT 1.0785 YES @0.51 bob.behind → alice.oldest
          behind filled 5/5 @0.51
        book rain is empty
    "#]],
    );
}

#[test]
fn sellers_meet_their_own_bids_by_the_same_rules() {
    let stage = "
        market rain clob
        alice has 20 sets
        alice has 10 USD
        bob has 10 USD
        alice buys YES 5 shares at 0.50 as own-direct
        alice sells NO 5 shares at 0.50 as own-complementary
        bob buys YES 5 shares at 0.49 as behind
    ";
    let lines = "alice sells YES 7 shares at 0.49 stp cancel-newest as newest
                 alice sells YES 7 shares at 0.49 stp cancel-both as both
                 alice sells YES 5 shares at 0.49 stp skip as skip
                 alice sells YES 3 shares at 0.49 stp cancel-oldest as oldest
                 show book
                 show position alice";
    check_after(
        &[stage],
        lines,
        expect![[r#"
        own-direct open 0/5
        own-complementary open 0/5
        behind open 0/5
        newest rejected 0/7
        both rejected 0/7
          own-direct cancelled 0/5 by self-trade prevention
        skip filled 5/5 @0.49
          DIRECT 5 YES @0.49 alice.skip → bob.behind
          behind filled 5/5 @0.49
        oldest open 0/3
          own-complementary cancelled 0/5 by self-trade prevention
        book rain
          ask 0.49 alice.oldest sells YES 3
        alice holds YES 15 (3 held) cost 7.50 realised -0.05, NO 20 (0 held) cost 10.00 realised 0.00
    "#]],
    );
}

#[test]
fn cancel_both_cancels_only_the_first_own_order_it_meets() {
    let lines = "alice sells YES 5 shares at 0.50 as second
                 alice buys YES 8 shares at 0.51 stp cancel-both as taker
                 show book";
    check_after(
        &[DIRECT],
        lines,
        expect![[r#"
        own open 0/5
        behind open 0/5
        second open 0/5
        taker rejected 0/8
          own cancelled 0/5 by self-trade prevention
        book rain
          ask 0.50 alice.second sells YES 5
          ask 0.51 bob.behind sells YES 5
    "#]],
    );
}

#[test]
fn shares_of_the_other_outcome_that_a_cancel_sets_free_do_not_pay_for_a_sale() {
    let stage = "
        market rain clob
        alice has 10 sets
        bob has 10 USD
        bob buys YES 5 shares at 0.60
        alice sells YES 5 shares at market
        alice sells NO 10 shares at 0.50 as own
    ";
    let lines = "alice sells YES 8 shares at 0.50 stp cancel-oldest as more
                 alice sells YES 5 shares at 0.50 stp cancel-oldest as taker
                 show position alice";
    check_after(
        &[stage],
        lines,
        expect![[r#"
        bob-1 open 0/5
        alice-2 filled 5/5 @0.6
          DIRECT 5 YES @0.60 alice.alice-2 → bob.bob-1
          bob-1 filled 5/5 @0.6
        own open 0/10
        refused: INSUFFICIENT_SHARES need 8 have 5
        taker open 0/5
          own cancelled 0/10 by self-trade prevention
        alice holds YES 5 (5 held) cost 2.50 realised 0.50, NO 10 (0 held) cost 5.00 realised 0.00
    "#]],
    );
}
