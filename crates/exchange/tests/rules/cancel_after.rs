//! `CancelAfter`: renewed in time nothing happens; otherwise all resting orders are cancelled, by the journal's clock
//! alone.

use exchange::change::{Change, OrderCause};
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{CancelAfter, Command};
use exchange::id::UserId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{OrderStatus, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::world::{World, id, limit};

/// Alice and Bob with orders in two markets.
fn stage() -> World {
    let mut world = World::new();
    for market in ["m", "n"] {
        world.clob(market, 0);
    }
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::ZERO);
        for market in ["n", "m"] {
            let order =
                limit(&format!("{name} {market}"), market, Outcome::Yes, Side::Buy, Shares::whole(10), 40);
            world.place(name, order).expect("an order");
        }
    }
    world
}

fn set(world: &mut World, seconds: u32) -> Result<Reply, Reject> {
    world.by("alice", Command::CancelAfter(CancelAfter { seconds }))
}

fn open_orders(world: &World, name: &str) -> u32 {
    let directory = world.exchange.directory();
    directory.user(directory.find(UserId::new(id(name))).expect("a user")).open_orders()
}

fn tick(world: &mut World) {
    world.system(Command::Tick).expect("a tick");
}

#[test]
fn cancel_after_cancels_everything_of_its_owner_and_nothing_of_others() {
    let mut world = stage();
    let due = world.now + Span::seconds(30);
    assert_eq!(set(&mut world, 30), Ok(Reply::CancelAt(Some(due))));
    world.wait(Span::seconds(29));
    tick(&mut world);
    assert_eq!(open_orders(&world, "alice"), 2);
    world.wait(Span::seconds(1));
    tick(&mut world);
    assert_eq!((open_orders(&world, "alice"), open_orders(&world, "bob")), (0, 2));
    let ended = world.changes().iter().map(|change| match change {
        Change::Order { record, cause } => (record.terms.id.as_u128(), record.status, *cause),
        other => panic!("{other:?}"),
    });
    let gone = |name: &str| (id(name), OrderStatus::Cancelled, OrderCause::Switch);
    assert_eq!(ended.collect::<Vec<_>>(), [gone("alice n"), gone("alice m")], "the oldest first");
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
    world.wait(Span::days(1));
    tick(&mut world);
    assert_eq!(world.changes(), [], "it fires once");
}

#[test]
fn cancel_after_set_again_in_time_starts_anew_and_zero_takes_it_off() {
    let mut world = stage();
    for _ in 0..3 {
        set(&mut world, 30).expect("set");
        world.wait(Span::seconds(20));
        tick(&mut world);
    }
    assert_eq!(open_orders(&world, "alice"), 2);
    assert_eq!(set(&mut world, 0), Ok(Reply::CancelAt(None)));
    world.wait(Span::days(2));
    tick(&mut world);
    assert_eq!(open_orders(&world, "alice"), 2);
}

#[test]
fn cancel_after_fires_before_the_command_that_finds_it_due() {
    let mut world = stage();
    set(&mut world, 30).expect("set");
    world.wait(Span::seconds(30));
    let order = limit("taker", "m", Outcome::Yes, Side::Sell, Shares::whole(10), 40);
    world.mint("bob", "m", Currency::Usd, Money::whole(20)).expect("sets");
    let taken = world.place("bob", order).expect("an order");
    assert_eq!(taken.terms.filled, Shares::ZERO, "the expired orders are gone before the new order trades");
}

#[test]
fn cancel_after_survives_a_restart() {
    let mut world = stage();
    set(&mut world, 30).expect("set");
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(world.exchange.next_due(), Some(world.now + Span::seconds(30)));
    world.wait(Span::seconds(31));
    tick(&mut world);
    assert_eq!(open_orders(&world, "alice"), 0);
}

#[test]
fn cancel_after_is_a_day_at_most() {
    let mut world = stage();
    assert!(set(&mut world, 86_400).is_ok());
    let refused = set(&mut world, 86_401);
    assert_eq!(refused, Err(Reject::InvalidField { field: "seconds", rule: "is at most 86400" }));
}
