//! Rotation: the same key with a new generation. Its allowance is tested with that of revocation.

use exchange::change::Change;
use exchange::command::{Command, RotateApiKey, SetWatchlist};
use exchange::id::{EventId, KeyId, UserId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, id};

fn rotate(key: &str) -> Command {
    Command::RotateApiKey(RotateApiKey { key: KeyId::new(id(key)) })
}

#[test]
fn rotate_api_key_voids_the_old_secret_at_once() {
    let mut world = World::new();
    world.user("alice");
    let key = KeyId::new(id("alice/key"));
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    let Ok(Reply::ApiKey(rotated)) = world.in_session("alice", rotate("alice/key")) else {
        panic!("the rotated key is answered");
    };
    assert_eq!((rotated.id, rotated.generation, &*rotated.public_key), (key, 1, "pk_alice"));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    let rows = [(0, Reject::StaleKey), (1, Reject::EventNotFound), (2, Reject::StaleKey)];
    for (generation, reject) in rows {
        assert_eq!(world.apply(Actor::Key { key, generation }, probe.clone()), Err(reject), "{generation}");
    }
}

#[test]
fn rotate_api_key_finds_only_ones_own() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    assert_eq!(world.in_session("alice", rotate("bob/key")), Err(Reject::KeyNotFound));
    let (_, key) = world.exchange.directory().find_by_public_key(&"pk_bob".into()).expect("bob's key");
    assert_eq!(key.generation, 0);
}
