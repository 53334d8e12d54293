//! A replaced master key, and its effect on API keys.

use exchange::command::{Command, RecordMasterKey, ReplaceMasterKey, RotateApiKey, SetWatchlist};
use exchange::id::{EventId, Hash32, KeyId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, id};

#[test]
fn replace_master_key_refuses_every_key_until_its_owner_rotates_it_regardless_of_the_limit() {
    let mut world = World::new();
    world.user("alice");
    world
        .system(Command::RecordMasterKey(RecordMasterKey { fingerprint: Hash32::of("first") }))
        .expect("recorded");
    let key = KeyId::new(id("alice/key"));
    let rotate = || Command::RotateApiKey(RotateApiKey { key });
    for _ in 0..2 {
        world.in_session("alice", rotate()).expect("rotated");
    }
    assert!(matches!(world.in_session("alice", rotate()), Err(Reject::LimitReached { .. })));

    let replace = Command::ReplaceMasterKey(ReplaceMasterKey { fingerprint: Hash32::of("second") });
    assert_eq!(world.system(replace.clone()), Ok(Reply::Done));
    assert!(world.system(replace).is_err(), "it is the recorded one already");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(1), watched: true, is_retired: false });
    let signed = |generation| Actor::Key { key, generation };
    assert_eq!(world.apply(signed(2), watch.clone()), Err(Reject::StaleKey));
    world.in_session("alice", rotate()).expect("rotated beyond the limit");
    assert_eq!(world.apply(signed(3), watch), Err(Reject::EventNotFound), "good again");
    assert!(matches!(world.in_session("alice", rotate()), Err(Reject::LimitReached { .. })), "once");
}
