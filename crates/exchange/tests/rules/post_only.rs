//! postOnly: judged first against other users, then against own orders by stpMode.

use exchange::numbers::{Money, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, Side, TimeInForce};
use exchange::reject::Reject;
use exchange::time::Span;
use expect_test::{Expect, expect};

use crate::rules::script::{Script, check};
use crate::rules::world::{limit, market_order};

#[test]
fn post_only_rests_where_nothing_crosses() {
    check(
        "market rain clob
         bob has 10 sets
         alice has 10 USD
         bob sells YES 5 shares at 0.50 as b1
         alice buys YES 5 shares at 0.49 post-only as a1
         show book",
        expect![[r#"
            b1 open 0/5
            a1 open 0/5
            book rain
              ask 0.50 bob.b1 sells YES 5
              bid 0.49 alice.a1 buys YES 5
        "#]],
    );
}

#[test]
fn post_only_is_rejected_by_a_direct_or_a_complementary_cross() {
    check(
        "market rain clob
         alice has 20 sets
         bob has 10 USD
         bob buys YES 5 shares at 0.50 as b1
         alice sells YES 5 shares at 0.50 post-only as a1
         alice has 10 USD
         alice buys NO 5 shares at 0.50 post-only as a2
         alice buys NO 5 shares at 0.49 post-only as a3
         show book",
        expect![[r#"
            b1 open 0/5
            a1 rejected 0/5
            a2 rejected 0/5
            a3 open 0/5
            book rain
              ask 0.51 alice.a3 buys NO 5
              bid 0.50 bob.b1 buys YES 5
        "#]],
    );
}

#[test]
fn post_only_that_crosses_others_leaves_own_orders_alone_in_every_stp_mode() {
    for mode in ["skip", "cancel-oldest", "cancel-newest", "cancel-both"] {
        let script = Script::after(&format!(
            "market rain clob
             alice has 10 sets
             alice has 10 USD
             bob has 10 sets
             alice sells YES 5 shares at 0.50 as own
             bob sells YES 5 shares at 0.51 as b1
             alice buys YES 5 shares at 0.51 post-only stp {mode} as a1
             show book"
        ));
        let said: Vec<&str> = script.output.lines().skip(2).collect();
        let book = ["book rain", "  ask 0.50 alice.own sells YES 5", "  ask 0.51 bob.b1 sells YES 5"];
        assert_eq!(said[0], "a1 rejected 0/5", "{mode}");
        assert_eq!(said[1..], book, "{mode}");
    }
}

/// Alice's postOnly BUY meets only orders of her own: one direct, one complementary.
fn check_own(mode: &str, expected: Expect) {
    let scenario = format!(
        "market rain clob
         alice has 10 sets
         alice has 10 USD
         alice sells YES 5 shares at 0.50 as direct
         alice buys NO 5 shares at 0.49 as complementary
         alice sells YES 5 shares at 0.53 as beyond
         alice buys YES 5 shares at 0.52 post-only stp {mode} as a1
         show book"
    );
    check(&scenario, expected);
}

#[test]
fn post_only_with_skip_rests_among_its_own_crossers() {
    check_own(
        "skip",
        expect![[r#"
        direct open 0/5
        complementary open 0/5
        beyond open 0/5
        a1 open 0/5
        book rain
          ask 0.50 alice.direct sells YES 5
          ask 0.51 alice.complementary buys NO 5
          ask 0.53 alice.beyond sells YES 5
          bid 0.52 alice.a1 buys YES 5
    "#]],
    );
}

#[test]
fn post_only_with_cancel_oldest_cancels_its_own_crossers_and_rests() {
    check_own(
        "cancel-oldest",
        expect![[r#"
        direct open 0/5
        complementary open 0/5
        beyond open 0/5
        a1 open 0/5
          direct cancelled 0/5 by self-trade prevention
          complementary cancelled 0/5 by self-trade prevention
        book rain
          ask 0.53 alice.beyond sells YES 5
          bid 0.52 alice.a1 buys YES 5
    "#]],
    );
}

#[test]
fn post_only_with_cancel_newest_is_rejected_by_its_own_crossers() {
    check_own(
        "cancel-newest",
        expect![[r#"
        direct open 0/5
        complementary open 0/5
        beyond open 0/5
        a1 rejected 0/5
        book rain
          ask 0.50 alice.direct sells YES 5
          ask 0.51 alice.complementary buys NO 5
          ask 0.53 alice.beyond sells YES 5
    "#]],
    );
}

#[test]
fn post_only_with_cancel_both_cancels_its_own_crossers_and_is_rejected() {
    check_own(
        "cancel-both",
        expect![[r#"
        direct open 0/5
        complementary open 0/5
        beyond open 0/5
        a1 rejected 0/5
          direct cancelled 0/5 by self-trade prevention
          complementary cancelled 0/5 by self-trade prevention
        book rain
          ask 0.53 alice.beyond sells YES 5
    "#]],
    );
}

#[test]
fn post_only_without_own_crossers_rests_in_every_mode() {
    for mode in ["skip", "cancel-oldest", "cancel-newest", "cancel-both"] {
        let script = Script::after(&format!(
            "market rain clob
             alice has 10 sets
             alice has 10 USD
             alice sells YES 5 shares at 0.50 as own
             alice buys YES 5 shares at 0.49 post-only stp {mode} as a1"
        ));
        assert_eq!(script.output.lines().last(), Some("a1 open 0/5"), "{mode}");
    }
}

#[test]
fn post_only_uses_the_money_that_its_cancels_set_free() {
    check(
        "market rain clob
         alice has 2.50 USD
         alice buys NO 5 shares at 0.50 as own
         alice buys YES 5 shares at 0.50 post-only as skip
         alice buys YES 5 shares at 0.50 post-only stp cancel-oldest as a1
         show wallet alice",
        expect![[r#"
            own open 0/5
            refused: INSUFFICIENT_BALANCE need 2.50 have 0.00
            a1 open 0/5
              own cancelled 0/5 by self-trade prevention
            alice has 0.00 USD free, 2.50 held
        "#]],
    );
}

#[test]
fn post_only_is_for_limit_orders_that_rest() {
    let plain =
        NewOrder { post_only: true, ..limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(2), 60) };
    let market = market_order("a1", "rain", Outcome::Yes, Side::Buy, Money::whole(1));
    let with = |time_in_force| NewOrder { time_in_force: Some(time_in_force), ..plain.clone() };
    let rows = [
        (NewOrder { post_only: true, ..market.clone() }, Some(Reject::PostOnlyMarket)),
        (
            NewOrder { post_only: true, time_in_force: Some(TimeInForce::Fok), ..market },
            Some(Reject::PostOnlyMarket),
        ),
        (with(TimeInForce::Fak), Some(Reject::PostOnlyImmediate)),
        (with(TimeInForce::Fok), Some(Reject::PostOnlyImmediate)),
        (with(TimeInForce::Gtc), None),
        (with(TimeInForce::Gtd), None),
        (plain.clone(), None),
    ];
    for engine in ["clob", "amm"] {
        for (new, refusal) in rows.clone() {
            let mut script = Script::after(&format!("market rain {engine}\n alice has 10 USD"));
            let expires_at = Some(script.world.now + Span::seconds(1));
            let result = script.world.place("alice", NewOrder { expires_at, ..new.clone() });
            assert_eq!(result.err(), refusal, "{engine} {new:?}");
        }
    }
    assert_eq!(plain.kind, OrderKind::Limit);
}
