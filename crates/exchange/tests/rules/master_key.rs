//! The master key's fingerprint in the journal, and what a replacement does to API keys.

use exchange::command::Command;
use exchange::id::{EventId, Hash32, KeyId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::world::{World, id};

#[test]
fn record_master_key_is_recorded_once() {
    let mut world = World::new();
    let record = |key: &str| Command::RecordMasterKey { fingerprint: Hash32::of(key) };
    assert_eq!(world.exchange.directory().master_key(), None);
    assert_eq!(world.system(record("first")), Ok(Reply::Done));
    assert_eq!(world.system(record("first")), Ok(Reply::Done));
    assert!(matches!(world.system(record("other")), Err(Reject::InvalidField { field: "fingerprint", .. })));
    assert_eq!(world.exchange.directory().master_key(), Some(Hash32::of("first")));
}

#[test]
fn replace_master_key_refuses_every_key_until_its_owner_rotates_it_whatever_the_limit() {
    let mut world = World::new();
    world.user("alice");
    world.system(Command::RecordMasterKey { fingerprint: Hash32::of("first") }).expect("recorded");
    let key = KeyId::new(id("alice/key"));
    let rotate = || Command::RotateApiKey { key };
    for _ in 0..2 {
        world.in_session("alice", rotate()).expect("rotated");
    }
    assert!(matches!(world.in_session("alice", rotate()), Err(Reject::LimitReached { .. })));

    let replace = Command::ReplaceMasterKey { fingerprint: Hash32::of("second") };
    assert_eq!(world.system(replace.clone()), Ok(Reply::Done));
    assert!(world.system(replace).is_err(), "it is the recorded one already");
    let watch = Command::SetWatchlist { event: EventId::new(1), watched: true };
    let signed = |generation| Actor::Key { key, generation };
    assert_eq!(world.apply(signed(2), watch.clone()), Err(Reject::StaleKey));
    world.in_session("alice", rotate()).expect("rotated beyond the limit");
    assert_eq!(world.apply(signed(3), watch), Err(Reject::EventNotFound), "good again");
    assert!(matches!(world.in_session("alice", rotate()), Err(Reject::LimitReached { .. })), "once");
}
