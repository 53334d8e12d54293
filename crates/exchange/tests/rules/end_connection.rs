//! `EndConnection`: the end of an armed connection cancels everything of its user's that rests, exactly once.

use exchange::change::{Change, OrderCause};
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{CancelOnDisconnect, Command, EndConnection, SuspendUser};
use exchange::id::{ConnectionId, UserId};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{OrderStatus, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, id, limit};

const CONNECTION: ConnectionId = ConnectionId::new(7);

/// Alice and Bob with orders in two markets; Alice has armed a connection.
fn stage() -> World {
    let mut world = World::new();
    for market in ["m", "n"] {
        world.clob(market, 0);
    }
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::ZERO);
        for market in ["n", "m"] {
            rest(&mut world, name, &format!("{name} {market}"), market);
        }
    }
    arm(&mut world, CONNECTION, true);
    world
}

fn rest(world: &mut World, name: &str, order: &str, market: &str) {
    let order = limit(order, market, Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place(name, order).expect("an order");
}

fn arm(world: &mut World, connection: ConnectionId, enabled: bool) {
    world
        .by("alice", Command::CancelOnDisconnect(CancelOnDisconnect { connection, enabled }))
        .expect("armed");
}

fn end(world: &mut World, name: &str, connection: ConnectionId) -> Result<Reply, Reject> {
    world.system(Command::EndConnection(EndConnection { user: UserId::new(id(name)), connection }))
}

fn open_orders(world: &World, name: &str) -> u32 {
    let directory = world.exchange.directory();
    directory.user(directory.find(UserId::new(id(name))).expect("a user")).open_orders()
}

#[test]
fn end_connection_cancels_everything_of_its_user_and_nothing_of_others() {
    let mut world = stage();
    assert_eq!(end(&mut world, "alice", CONNECTION), Ok(Reply::Done));
    let ended = world.changes().iter().map(|change| match change {
        Change::Order { record, cause } => (record.terms.id.as_u128(), record.status, *cause),
        other => panic!("{other:?}"),
    });
    let gone = |name: &str| (id(name), OrderStatus::Cancelled, OrderCause::Disconnected);
    assert_eq!(ended.collect::<Vec<_>>(), [gone("alice n"), gone("alice m")], "the oldest first");
    assert_eq!((open_orders(&world, "alice"), open_orders(&world, "bob")), (0, 2));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
}

#[test]
fn end_connection_repeated_cancels_no_later_orders() {
    let mut world = stage();
    end(&mut world, "alice", CONNECTION).expect("ended");
    rest(&mut world, "alice", "later", "m");
    assert_eq!(end(&mut world, "alice", CONNECTION), Ok(Reply::Done));
    assert_eq!((world.changes(), open_orders(&world, "alice")), (&[][..], 1));
}

#[test]
fn end_connection_of_an_unarmed_connection_cancels_nothing() {
    let mut world = stage();
    for (name, connection) in [("alice", ConnectionId::new(8)), ("bob", CONNECTION)] {
        assert_eq!(end(&mut world, name, connection), Ok(Reply::Done));
        assert_eq!(world.changes(), []);
    }
    arm(&mut world, CONNECTION, false);
    end(&mut world, "alice", CONNECTION).expect("ended");
    assert_eq!((open_orders(&world, "alice"), open_orders(&world, "bob")), (2, 2));
    assert_eq!(end(&mut world, "nobody", CONNECTION), Err(Reject::UserNotFound));
}

#[test]
fn end_connection_of_each_armed_one_cancels_what_rests_by_then() {
    let mut world = stage();
    arm(&mut world, ConnectionId::new(8), true);
    end(&mut world, "alice", CONNECTION).expect("ended");
    rest(&mut world, "alice", "later", "m");
    end(&mut world, "alice", ConnectionId::new(8)).expect("ended");
    assert_eq!(open_orders(&world, "alice"), 0);
}

#[test]
fn end_connection_reaches_a_suspended_user_and_a_state_that_was_restored() {
    let mut world = stage();
    let user = UserId::new(id("alice"));
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    world
        .system(Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }))
        .expect("suspended");
    end(&mut world, "alice", CONNECTION).expect("ended");
    assert_eq!(open_orders(&world, "alice"), 0);
}
