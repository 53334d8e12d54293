//! Closing, by an operator and by the closing date: resting orders are refunded, to the unit and in order.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::{Change, OrderCause};
use exchange::command::{CloseTrading, Command, OpenEvent, PauseTrading, Target};
use exchange::id::OrderId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, OrderStatus, Outcome, Side, TimeInForce};
use exchange::reject::Reject;
use exchange::time::{Span, Time};

use crate::rules::lifecycle::{event_status, market_status, reported, statuses};
use crate::rules::world::{START, World, event_of, id, limit, market_id, new_event};

const CLOSING: Time = Time::from_seconds(1_767_225_600 + 3_600);

/// One open market with a closing date; Alice and Bob with money.
fn stage() -> World {
    let mut world = World::new();
    let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["m"]);
    assert_eq!(CLOSING, START + Span::hours(1));
    new.details.closing_date = Some(CLOSING);
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("m") })).expect("open");
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::whole(10_000));
    }
    world
}

fn in_ngn(order: NewOrder) -> NewOrder {
    NewOrder { currency: Currency::Ngn, ..order }
}

fn until(order: NewOrder, expires_at: Time) -> NewOrder {
    NewOrder { time_in_force: Some(TimeInForce::Gtd), expires_at: Some(expires_at), ..order }
}

/// The orders that the last request ended, with status and cause.
fn ended(world: &World) -> Vec<(OrderId, OrderStatus, OrderCause)> {
    let order = |change: &Change| match change {
        Change::Order { record, cause } => Some((record.terms.id, record.status, *cause)),
        _ => None,
    };
    world.changes().iter().filter_map(order).collect()
}

fn cancelled(name: &str) -> (OrderId, OrderStatus, OrderCause) {
    (OrderId::new(id(name)), OrderStatus::Cancelled, OrderCause::MarketClosed)
}

#[test]
fn close_trading_refunds_every_resting_order_in_order_of_creation() {
    let mut world = stage();
    world.mint("bob", "m", Currency::Usd, Money::whole(10)).expect("sets");
    let orders = [
        ("alice", limit("first", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40)),
        ("bob", in_ngn(limit("second", "m", Outcome::No, Side::Buy, Shares::whole(10), 50))),
        ("bob", limit("third", "m", Outcome::Yes, Side::Sell, Shares::whole(10), 70)),
        ("alice", limit("fourth", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 45)),
        ("bob", limit("fifth", "m", Outcome::No, Side::Sell, Shares::whole(4), 80)),
    ];
    for (user, order) in orders {
        world.place(user, order).expect("a resting order");
    }
    // The fourth, the best bid, is partly filled: only the rest is refunded.
    let taking = limit("taking", "m", Outcome::No, Side::Buy, Shares::whole(2), 55);
    world.place("bob", taking).expect("a trade");
    assert_eq!(world.held("alice", Currency::Usd), Money::new(4_000_000 + 3_600_000));

    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("m")) }))
        .expect("a close");
    assert_eq!(ended(&world), ["first", "second", "third", "fourth", "fifth"].map(cancelled));
    assert_eq!(reported(&world), [market_status("m", Status::Closed), event_status("m", Status::Closed)]);
    assert!(world.exchange.orders().is_empty());
    assert_eq!(
        (world.free("alice", Currency::Usd), world.held("alice", Currency::Usd)),
        (Money::new(99_100_000), Money::ZERO)
    );
    assert_eq!(world.free("bob", Currency::Ngn), Money::whole(10_000));
    let bob = world.exchange.position(world.user_index("bob"), world.listing_index("m", Currency::Usd));
    let bob = bob.expect("bob's position");
    assert_eq!((bob.yes.free, bob.yes.held), (Shares::whole(10), Shares::ZERO));
    assert_eq!((bob.no.free, bob.no.held), (Shares::whole(12), Shares::ZERO));
}

#[test]
fn the_closing_date_itself_is_closed() {
    for (late, closed) in [(-1, false), (0, true), (1, true)] {
        let mut world = stage();
        world.now = Time::from_micros(CLOSING.micros() + late);
        let order = limit("late", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
        let result = world.place("alice", order);
        assert_eq!(result.err(), closed.then_some(Reject::MarketNotOpen), "{late} microseconds after");
        assert_eq!(statuses(&world, "m").1, if closed { Status::Closed } else { Status::Open });
    }
}

#[test]
fn a_paused_market_closes_on_its_date_too() {
    let mut world = stage();
    world
        .system(Command::PauseTrading(PauseTrading { target: Target::Market(market_id("m")) }))
        .expect("a pause");
    world.now = CLOSING;
    world.system(Command::Tick).expect("a tick");
    assert_eq!(statuses(&world, "m"), (Status::Closed, Status::Closed));
}

#[test]
fn the_closing_date_closes_what_an_operator_left_open_and_nothing_twice() {
    let mut world = World::new();
    let mut new = new_event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    new.details.closing_date = Some(CLOSING);
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("a") })).expect("open");
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Market(market_id("a")) }))
        .expect("a closes early");
    world.now = CLOSING;
    world.system(Command::Tick).expect("a tick");
    assert_eq!(reported(&world), [market_status("b", Status::Closed), event_status("a", Status::Closed)]);
}

#[test]
fn an_order_that_expires_at_the_closing_date_expires_and_a_later_one_is_cancelled() {
    let mut world = stage();
    let order = |name| limit(name, "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", order("good till cancelled")).expect("an order");
    world.place("alice", until(order("on the date"), CLOSING)).expect("an order");
    world.place("alice", until(order("after the date"), CLOSING + Span::seconds(1))).expect("an order");
    world.now = CLOSING;
    world.system(Command::Tick).expect("a tick");
    let expired = (OrderId::new(id("on the date")), OrderStatus::Expired, OrderCause::Expired);
    assert_eq!(ended(&world), [expired, cancelled("good till cancelled"), cancelled("after the date")]);
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
    world.now = CLOSING + Span::seconds(1);
    world.system(Command::Tick).expect("a tick");
    assert_eq!(world.changes(), [], "a cancelled order's time means nothing");
}

#[test]
fn an_event_that_an_operator_closed_has_no_closing_date_on_the_clock() {
    let mut world = stage();
    let before = world.exchange.next_due();
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("m")) }))
        .expect("a close");
    assert_eq!(before, Some(CLOSING));
    world.now = CLOSING;
    world.system(Command::Tick).expect("a tick");
    assert_eq!(reported(&world), []);
}
