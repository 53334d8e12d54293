//! At most 500 open orders of one user in a market, 5,000 in all.

use exchange::command::{CancelOrder, Command, PlaceOrders};
use exchange::id::OrderId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Item, NewOrder, Outcome, SelfTrade, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::script::Script;
use crate::rules::world::{World, id, limit};

const PER_MARKET: usize = 500;

fn bid(name: &str, market: &str) -> NewOrder {
    limit(name, market, Outcome::Yes, Side::Buy, Shares::whole(2), 50)
}

/// Rests `count` bids of Alice, twenty at a time.
fn fill(world: &mut World, market: &str, currency: Currency, count: usize) {
    let names: Vec<String> =
        (0..count).map(|place| format!("{market}/{}/{place}", currency.code())).collect();
    for names in names.chunks(20) {
        let items =
            names.iter().map(|name| Item::Valid(NewOrder { currency, ..bid(name, market) })).collect();
        let Ok(Reply::Results(results)) = world.by("alice", Command::PlaceOrders(PlaceOrders { items }))
        else {
            panic!("a batch is answered by its results");
        };
        assert!(results.iter().all(|result| result.outcome.is_ok()), "{results:?}");
    }
}

fn stage() -> World {
    let mut script = Script::after("market rain clob");
    script.meet("alice");
    let mut world = script.world;
    world.credit("alice", Currency::Usd, Money::whole(100_000));
    world.credit("alice", Currency::Ngn, Money::whole(1_000_000));
    world
}

#[test]
fn a_market_takes_500_open_orders_of_a_user_in_both_currencies_together() {
    let mut world = stage();
    fill(&mut world, "rain", Currency::Usd, PER_MARKET - 100);
    fill(&mut world, "rain", Currency::Ngn, 100);
    assert_eq!(world.place("alice", bid("one more", "rain")), Err(Reject::TooManyOpenOrders));
    let in_naira = NewOrder { currency: Currency::Ngn, ..bid("one more", "rain") };
    assert_eq!(world.place("alice", in_naira), Err(Reject::TooManyOpenOrders));

    // Another market, another user, and an order that does not rest are not concerned.
    world.clob("snow", 0);
    world.place("alice", bid("elsewhere", "snow")).expect("another market");
    world.rich_user("bob", Money::whole(10), Money::ZERO);
    world.place("bob", bid("another's", "rain")).expect("another user");
    let at_once =
        NewOrder { time_in_force: Some(exchange::order::TimeInForce::Fak), ..bid("at once", "rain") };
    world.place("alice", at_once).expect("an order that does not rest");
}

#[test]
fn a_closed_order_makes_room_and_so_does_an_order_that_the_newcomer_cancels() {
    let mut world = stage();
    fill(&mut world, "rain", Currency::Usd, PER_MARKET);
    let crossing = NewOrder {
        self_trade: SelfTrade::CancelOldest,
        ..limit("crossing", "rain", Outcome::No, Side::Buy, Shares::whole(2), 50)
    };
    assert_eq!(
        world.place("alice", NewOrder { self_trade: SelfTrade::Skip, ..crossing.clone() }),
        Err(Reject::TooManyOpenOrders)
    );
    let order = world.place("alice", crossing).expect("it cancels all that it crosses");
    assert_eq!(order.terms.filled, Shares::ZERO);
    assert_eq!(world.exchange.orders().len(), 1);

    let mut world = stage();
    fill(&mut world, "rain", Currency::Usd, PER_MARKET);
    let order = OrderId::new(id("rain/USD/7"));
    world.by("alice", Command::CancelOrder(CancelOrder { order })).expect("a cancellation");
    world.place("alice", bid("one more", "rain")).expect("there is room again");
    assert_eq!(world.place("alice", bid("yet one", "rain")), Err(Reject::TooManyOpenOrders));
}

#[test]
fn the_limit_of_open_orders_is_checked_before_funds() {
    let mut world = stage();
    fill(&mut world, "rain", Currency::Usd, PER_MARKET);
    let dear = limit("dear", "rain", Outcome::Yes, Side::Buy, Shares::whole(10_000_000), 50);
    assert_eq!(world.place("alice", dear), Err(Reject::TooManyOpenOrders));
}

#[test]
fn a_user_has_5000_open_orders_at_most() {
    let mut world = stage();
    for market in ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "last"] {
        world.clob(market, 0);
    }
    for market in ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"] {
        fill(&mut world, market, Currency::Usd, PER_MARKET);
    }
    assert_eq!(world.place("alice", bid("one more", "last")), Err(Reject::TooManyOpenOrders));
    let order = OrderId::new(id("m3/USD/0"));
    world.by("alice", Command::CancelOrder(CancelOrder { order })).expect("a cancellation");
    world.place("alice", bid("one more", "last")).expect("there is room again");
    assert_eq!(world.place("alice", bid("yet one", "last")), Err(Reject::TooManyOpenOrders));
}
