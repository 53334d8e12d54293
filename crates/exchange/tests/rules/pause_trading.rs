//! `PauseTrading`: no new orders; resting orders stay and may be cancelled.

use exchange::command::{BurnSets, CancelOrder, Command, PauseTrading, Target};
use exchange::id::OrderId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, event_of, id, limit, market_id};

#[test]
fn pause_trading_stops_placing_and_minting_and_leaves_cancelling_and_burning() {
    let mut world = World::new();
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    let order = limit("resting", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", order).expect("an order");
    world.mint("alice", "m", Currency::Usd, Money::whole(5)).expect("sets");
    world
        .system(Command::PauseTrading(PauseTrading { target: Target::Event(event_of("m")) }))
        .expect("a pause");
    assert!(world.exchange.order(OrderId::new(id("resting"))).is_some(), "it rests on");
    assert_eq!(world.held("alice", Currency::Usd), Money::whole(4));

    let order = limit("late", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    assert_eq!(world.place("alice", order), Err(Reject::MarketNotOpen));
    assert_eq!(world.mint("alice", "m", Currency::Usd, Money::whole(5)), Err(Reject::MarketNotOpen));
    let operation = world.next_operation();
    let burn = Command::BurnSets(BurnSets {
        id: operation,
        market: market_id("m"),
        currency: Currency::Usd,
        amount: Money::whole(5),
    });
    assert!(matches!(world.by("alice", burn), Ok(Reply::Sets(_))));
    let cancel = Command::CancelOrder(CancelOrder { order: OrderId::new(id("resting")) });
    assert!(matches!(world.by("alice", cancel), Ok(Reply::Order(_))));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
}
