//! `Tick`: advances the time and nothing else.

use exchange::command::Command;
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::world::{START, World, key_of};

#[test]
fn tick_moves_the_time_and_changes_nothing_when_nothing_is_due() {
    let mut world = World::new();
    let seq = world.exchange.seq();
    world.wait(Span::days(400));
    assert_eq!(world.system(Command::Tick), Ok(Reply::Done));
    assert_eq!((world.exchange.now(), world.exchange.seq()), (START + Span::days(400), seq + 1));
    assert_eq!(world.changes(), []);
}

#[test]
fn tick_never_moves_the_time_back() {
    let mut world = World::new();
    world.system(Command::Tick).expect("a tick");
    world.now = START - Span::days(1);
    world.system(Command::Tick).expect("a tick");
    assert_eq!(world.exchange.now(), START);
}

#[test]
fn tick_is_the_nodes_alone() {
    let mut world = World::new();
    world.user("alice");
    assert_eq!(world.apply(key_of("alice"), Command::Tick), Err(Reject::NotAllowed));
    assert_eq!(world.apply(Actor::System, Command::Tick), Ok(Reply::Done));
}
