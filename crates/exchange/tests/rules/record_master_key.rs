//! The first start records the master key's fingerprint; no other takes its place by this command.

use exchange::command::{Command, RecordMasterKey};
use exchange::id::Hash32;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::World;

#[test]
fn record_master_key_is_recorded_once() {
    let mut world = World::new();
    let record = |key: &str| Command::RecordMasterKey(RecordMasterKey { fingerprint: Hash32::of(key) });
    assert_eq!(world.exchange.directory().master_key(), None);
    assert_eq!(world.system(record("first")), Ok(Reply::Done));
    assert_eq!(world.system(record("first")), Ok(Reply::Done));
    assert!(matches!(world.system(record("other")), Err(Reject::InvalidField { field: "fingerprint", .. })));
    assert_eq!(world.exchange.directory().master_key(), Some(Hash32::of("first")));
}
