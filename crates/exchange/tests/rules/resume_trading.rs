//! `ResumeTrading`: the market continues with the orders that rested.

use exchange::command::{Command, OpenEvent, PauseTrading, ResumeTrading, Target};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{OrderStatus, Outcome, Side};
use exchange::time::Span;

use crate::rules::world::{START, World, event_of, limit, market_id, new_event};

#[test]
fn resume_trading_lets_new_orders_meet_those_that_rested() {
    let mut world = World::new();
    world.clob("m", 0);
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::ZERO);
    }
    let resting = limit("resting", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", resting).expect("an order");
    let target = Target::Market(market_id("m"));
    world.system(Command::PauseTrading(PauseTrading { target })).expect("a pause");
    world.system(Command::ResumeTrading(ResumeTrading { target })).expect("on again");
    let taking = limit("taking", "m", Outcome::No, Side::Buy, Shares::whole(10), 60);
    let record = world.place("bob", taking).expect("an order");
    assert_eq!((record.status, record.terms.filled), (OrderStatus::Filled, Shares::whole(10)));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(96));
}

#[test]
fn resume_trading_does_not_move_the_closing_date() {
    let mut world = World::new();
    let mut new =
        new_event(exchange::catalogue::EventKind::Single, exchange::catalogue::Engine::Clob, 0, &["m"]);
    new.details.closing_date = Some(START + Span::hours(1));
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("m") })).expect("open");
    let target = Target::Event(event_of("m"));
    world.system(Command::PauseTrading(PauseTrading { target })).expect("a pause");
    assert_eq!(world.exchange.next_due(), Some(START + Span::hours(1)));
    world.system(Command::ResumeTrading(ResumeTrading { target })).expect("on again");
    assert_eq!(world.exchange.next_due(), Some(START + Span::hours(1)));
}
