//! timeInForce: GTC, GTD, FAK, FOK, and what applies when none is given.

use exchange::change::{Change, OrderCause};
use exchange::command::Command;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, OrderKind, OrderState, OrderStatus, Outcome, Side, TimeInForce};
use exchange::reject::Reject;
use exchange::time::Span;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::{World, limit, market_order};

#[test]
fn gtc_rests_until_it_fills_or_is_cancelled() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 gtc as a1
         wait 365 days
         show book
         alice cancels a1",
        expect![[r#"
            a1 open 0/10
            waited
            book rain
              bid 0.40 alice.a1 buys YES 10
            a1 cancelled 0/10
        "#]],
    );
}

#[test]
fn gtd_expires_at_its_time_and_not_before() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 gtd 60s as a1
         wait 59s
         bob sells YES 4 shares at market as b1
         wait 1s
         show wallet alice
         show book",
        expect![[r#"
            a1 open 0/10
            waited
            b1 filled 4/4 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              a1 partial_filled 4/10 @0.4
            waited
              a1 expired 4/10 @0.4
            alice has 8.40 USD free, 0.00 held
            book rain is empty
        "#]],
    );
}

#[test]
fn gtd_that_is_due_expires_before_the_command_that_finds_it() {
    let mut script = Script::after(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 gtd 60s as a1",
    );
    script.world.wait(Span::seconds(60));
    script.output.clear();
    script.run("bob sells YES 4 shares at market as b1\n show wallet alice");
    expect![[r#"
        b1 cancelled 0/4
          a1 expired 0/10
        alice has 10.00 USD free, 0.00 held
    "#]]
    .assert_eq(&script.output);
}

#[test]
fn gtd_expires_in_a_paused_market_too() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 gtd 60s as a1
         pause rain
         wait 2 minutes
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            rain paused
            waited
              a1 expired 0/10
            alice has 10.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn gtd_that_fills_or_is_cancelled_leaves_no_timer() {
    let mut script = Script::after(
        "market rain clob
         alice has 10 USD
         bob has 10 sets",
    );
    let due = script.world.exchange.next_due();
    script.run(
        "alice buys YES 10 shares at 0.40 gtd 60s as a1
         alice buys YES 10 shares at 0.41 gtd 60s as a2
         bob sells YES 10 shares at 0.41 as b1
         alice cancels a1",
    );
    assert_eq!(script.world.exchange.next_due(), due);
}

#[test]
fn fak_fills_what_it_can_and_cancels_the_rest() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         bob sells YES 4 shares at 0.40 as b1
         bob sells YES 4 shares at 0.60 as b2
         alice buys YES 10 shares at 0.50 fak as a1
         alice buys YES 10 shares at 0.50 fak as a2
         show wallet alice
         show book",
        expect![[r#"
            b1 open 0/4
            b2 open 0/4
            a1 cancelled 4/10 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              b1 filled 4/4 @0.4
            a2 cancelled 0/10
            alice has 8.40 USD free, 0.00 held
            book rain
              ask 0.60 bob.b2 sells YES 4
        "#]],
    );
}

#[test]
fn fok_fills_whole_or_is_rejected_and_nothing_happens() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         bob has 10 sets
         bob sells YES 4 shares at 0.40 as b1
         bob sells YES 4 shares at 0.50 as b2
         alice buys YES 8.0001 shares at 0.50 fok as a1
         alice buys YES 8 shares at 0.49 fok as a2
         show wallet alice
         alice buys YES 8 shares at 0.50 fok as a3
         show wallet alice
         show book",
        expect![[r#"
            b1 open 0/4
            b2 open 0/4
            a1 rejected 0/8.0001
            a2 rejected 0/8
            alice has 10.00 USD free, 0.00 held
            a3 filled 8/8 @0.45 fee 0.072
              DIRECT 4 YES @0.40 bob.b1 → alice.a3 fee 0.032
              b1 filled 4/4 @0.4
              DIRECT 4 YES @0.50 bob.b2 → alice.a3 fee 0.04
              b2 filled 4/4 @0.5
            alice has 6.328 USD free, 0.00 held
            book rain is empty
        "#]],
    );
}

#[test]
fn fok_market_order_by_money_counts_change_below_one_unit_as_filled() {
    // Example 12's numbers: 192.3831 shares and 0.000003 of change.
    check(
        "market rain clob fee 2%
         alice has 1000 USD
         bob has 300 sets
         bob sells YES 100 shares at 0.50 as b1
         bob sells YES 200 shares at 0.52 as b2
         alice buys YES for 200 USD at market fok as a1
         alice buys YES for 100 USD at market fok as a2
         show wallet alice",
        expect![[r#"
            b1 open 0/100
            b2 open 0/200
            a1 rejected 0/0
            a2 filled 192.3831/192.3831 @0.509604 fee 1.960785
              DIRECT 100 YES @0.50 bob.b1 → alice.a2 fee 1.00
              b1 filled 100/100 @0.5
              DIRECT 92.3831 YES @0.52 bob.b2 → alice.a2 fee 0.960785
              b2 partial_filled 92.3831/200 @0.52
            alice has 900.000003 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn fok_is_judged_before_the_funds_of_what_could_fill() {
    check(
        "market rain clob
         alice has 1 USD
         bob has 10 sets
         bob sells YES 4 shares at 0.50 as b1
         alice buys YES 5 shares at 0.50 fok as a1
         alice buys YES 4 shares at 0.50 fok as a2",
        expect![[r#"
            b1 open 0/4
            a1 rejected 0/5
            refused: INSUFFICIENT_BALANCE need 2.00 have 1.00
        "#]],
    );
}

#[test]
fn default_is_gtc_for_limit_and_fak_for_market() {
    let mut script = Script::after("market rain clob\n alice has 10 USD");
    let plain = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    let order = script.world.place("alice", plain).expect("a limit order");
    assert_eq!((order.terms.time_in_force, order.status), (TimeInForce::Gtc, OrderStatus::Open));
    let market = market_order("a2", "rain", Outcome::Yes, Side::Buy, Money::whole(5));
    let order = script.world.place("alice", market).expect("a market order");
    assert_eq!((order.terms.time_in_force, order.status), (TimeInForce::Fak, OrderStatus::Cancelled));
}

#[test]
fn each_time_in_force_goes_with_the_kinds_of_order_that_may_have_it() {
    use TimeInForce::{Fak, Fok, Gtc, Gtd};
    let rows = [
        (OrderKind::Limit, Gtc, None),
        (OrderKind::Limit, Gtd, None),
        (OrderKind::Limit, Fak, None),
        (OrderKind::Limit, Fok, None),
        (OrderKind::Market, Gtc, Some(Reject::MarketOrderRests)),
        (OrderKind::Market, Gtd, Some(Reject::MarketOrderRests)),
        (OrderKind::Market, Fak, None),
        (OrderKind::Market, Fok, None),
    ];
    for engine in ["clob", "amm"] {
        for (kind, time_in_force, refusal) in rows.clone() {
            let mut script = Script::after(&format!("market rain {engine}\n alice has 10 USD"));
            let new = NewOrder {
                kind,
                time_in_force: Some(time_in_force),
                expires_at: Some(script.world.now + Span::seconds(1)),
                ..limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(2), 60)
            };
            let result = script.world.place("alice", new);
            assert_eq!(result.err(), refusal, "{engine} {kind:?} {time_in_force:?}");
        }
    }
}

#[test]
fn gtd_needs_a_future_expiry_and_others_forget_theirs() {
    let mut script = Script::after("market rain clob\n alice has 10 USD");
    let now = script.world.now;
    let rows = [
        (None, Some(Reject::ExpiryMissing)),
        (Some(now - Span::seconds(1)), Some(Reject::ExpiryPast)),
        (Some(now), Some(Reject::ExpiryPast)),
        (Some(now + Span::seconds(1)), None),
    ];
    let plain = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    for (expires_at, refusal) in rows {
        let new = NewOrder { time_in_force: Some(TimeInForce::Gtd), expires_at, ..plain.clone() };
        assert_eq!(script.world.place("alice", new).err(), refusal, "{expires_at:?}");
    }
    let new = NewOrder {
        expires_at: Some(now),
        ..limit("a2", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40)
    };
    let order = script.world.place("alice", new).expect("a GTC order");
    assert_eq!(order.terms.expires_at, None);
}

/// Three hundred orders of three people that expire at one instant, after one that expires a second before.
fn expiring(rules: u32) -> World {
    let mut world = World::under_rules(rules);
    world.clob("rain", 0);
    let until = world.now + Span::minutes(1);
    let order = |name: &str, expires_at| NewOrder {
        time_in_force: Some(TimeInForce::Gtd),
        expires_at: Some(expires_at),
        ..limit(name, "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40)
    };
    for name in ["alice", "bob", "carol"] {
        world.rich_user(name, Money::whole(1_000), Money::ZERO);
    }
    for number in 0..300 {
        let owner = ["alice", "bob", "carol"][number % 3];
        world.place(owner, order(&format!("order {number}"), until)).expect("an order");
    }
    world.place("bob", order("first", until - Span::seconds(1))).expect("an order");
    world.now = until;
    world
}

/// The orders that expired in the last request.
fn expired(world: &World) -> Vec<OrderState> {
    let of = |change: &Change| match change {
        Change::Order { record, cause: OrderCause::Expired } => Some(record.terms.clone()),
        _ => None,
    };
    world.changes().iter().filter_map(of).collect()
}

#[test]
fn all_gtd_orders_that_are_due_expire_in_one_request_in_order_of_creation() {
    let mut world = expiring(4);
    let taking = limit("taking", "rain", Outcome::No, Side::Buy, Shares::whole(10), 60);
    let taken = world.place("alice", taking).expect("an order");
    assert_eq!(
        (taken.status, world.exchange.orders().len()),
        (OrderStatus::Open, 1),
        "nothing to trade with"
    );
    let expired = expired(&world);
    assert!(expired.len() == 301 && expired.is_sorted_by_key(|terms| terms.serial));
    for name in ["bob", "carol"] {
        assert_eq!(world.free(name, Currency::Usd), Money::whole(1_000));
    }
}

#[test]
fn under_rules_3_gtd_orders_expired_in_order_of_time_and_id() {
    let mut world = expiring(3);
    world.system(Command::Tick).expect("a tick");
    let expired = expired(&world);
    assert!(expired.len() == 301 && expired.is_sorted_by_key(|terms| (terms.expires_at, terms.id)));
    assert!(world.exchange.orders().is_empty());
}
