//! `CancelOnDisconnect`: arming is state, has a bound, and by itself cancels nothing.

use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{CancelOnDisconnect, Command};
use exchange::id::{ConnectionId, UserId};
use exchange::identity::CONNECTIONS_MAX;
use exchange::numbers::Money;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, id};

fn stage() -> World {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    world.rich_user("bob", Money::whole(100), Money::ZERO);
    world
}

fn set(world: &mut World, name: &str, connection: u128, enabled: bool) -> Result<Reply, Reject> {
    let connection = ConnectionId::new(connection);
    world.by(name, Command::CancelOnDisconnect(CancelOnDisconnect { connection, enabled }))
}

fn armed(world: &World, name: &str) -> Vec<u128> {
    let directory = world.exchange.directory();
    let user = directory.user(directory.find(UserId::new(id(name))).expect("a user"));
    user.connections.iter().map(|connection| connection.as_u128()).collect()
}

#[test]
fn cancel_on_disconnect_arms_the_callers_connection_and_a_repetition_changes_nothing() {
    let mut world = stage();
    for _ in 0..2 {
        assert_eq!(set(&mut world, "alice", 7, true), Ok(Reply::Done));
        assert_eq!(world.changes(), []);
    }
    set(&mut world, "bob", 7, true).expect("his own");
    assert_eq!((armed(&world, "alice"), armed(&world, "bob")), (vec![7], vec![7]));
}

#[test]
fn cancel_on_disconnect_disarms_one_connection_and_leaves_the_others() {
    let mut world = stage();
    for connection in [7, 8] {
        set(&mut world, "alice", connection, true).expect("armed");
    }
    for _ in 0..2 {
        assert_eq!(set(&mut world, "alice", 7, false), Ok(Reply::Done));
        assert_eq!(armed(&world, "alice"), [8]);
    }
    assert_eq!(set(&mut world, "bob", 8, false), Ok(Reply::Done));
    assert_eq!(armed(&world, "alice"), [8], "a user cannot disarm another user's connection");
}

#[test]
fn cancel_on_disconnect_has_room_for_ten_connections_of_a_user() {
    let mut world = stage();
    for connection in 1..=CONNECTIONS_MAX as u128 {
        set(&mut world, "alice", connection, true).expect("armed");
    }
    assert_eq!(set(&mut world, "alice", 11, true), Err(Reject::TooManyConnections));
    assert_eq!(set(&mut world, "alice", 10, true), Ok(Reply::Done), "it is armed already");
    assert_eq!(set(&mut world, "alice", 11, false), Ok(Reply::Done));
    set(&mut world, "bob", 11, true).expect("room of his own");
    set(&mut world, "alice", 10, false).expect("disarmed");
    assert_eq!(set(&mut world, "alice", 11, true), Ok(Reply::Done));
}

#[test]
fn cancel_on_disconnect_survives_a_restart() {
    let mut world = stage();
    set(&mut world, "alice", 7, true).expect("armed");
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(armed(&world, "alice"), [7]);
}

#[test]
fn cancel_on_disconnect_leaves_no_trace_in_the_bytes_of_a_state_once_it_is_disarmed() {
    let mut world = stage();
    let mut never_armed = world.clone();
    for enabled in [true, false] {
        set(&mut world, "alice", 7, enabled).expect("set");
        never_armed.system(Command::Tick).expect("a tick");
    }
    assert_eq!(encode_snapshot(&world.exchange), encode_snapshot(&never_armed.exchange));
}
