//! An operator cancels a person's orders: all, or those of a market.

use exchange::change::{Change, OrderCause};
use exchange::command::{CancelOrdersOf, Command, SuspendUser};
use exchange::id::UserId;
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, id, limit, market_id};

fn stage() -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.clob("m", 0);
    world.clob("n", 0);
    world.rich_user("alice", Money::whole(100), Money::whole(10_000));
    for market in ["m", "n"] {
        world
            .place("alice", limit(market, market, Outcome::Yes, Side::Buy, Shares::whole(20), 50))
            .expect("an order");
    }
    world
}

fn cancelled(world: &mut World, command: Command) -> usize {
    match world.run_by("olga", command) {
        Ok(Reply::Orders(orders)) => orders.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn cancel_orders_of_cancels_the_named_orders_with_an_operator_as_the_cause() {
    let mut world = stage();
    let user = UserId::new(id("alice"));
    let of = |market| Command::CancelOrdersOf(CancelOrdersOf { user, event: None, market, currency: None });
    assert_eq!(cancelled(&mut world, of(Some(market_id("m")))), 1);
    assert!(
        world
            .changes()
            .iter()
            .any(|change| matches!(change, Change::Order { cause: OrderCause::Operator, .. }))
    );
    assert_eq!(cancelled(&mut world, of(None)), 1);
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
    let stranger = Command::CancelOrdersOf(CancelOrdersOf {
        user: UserId::new(9),
        event: None,
        market: None,
        currency: None,
    });
    assert_eq!(world.run_by("olga", stranger), Err(Reject::UserNotFound));
}

#[test]
fn suspend_user_cancels_open_orders_unless_the_operator_keeps_them() {
    let user = UserId::new(id("alice"));
    for (keep_orders, free) in [(true, 80), (false, 100)] {
        let mut world = stage();
        world
            .run_by("olga", Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders }))
            .expect("suspended");
        assert_eq!(world.free("alice", Currency::Usd), Money::whole(free));
    }
}
