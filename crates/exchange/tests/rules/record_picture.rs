//! `RecordPicture`: operators may upload, viewers may not, and nothing changes but the sequence.

use exchange::command::{Command, RecordPicture};
use exchange::id::Hash32;
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::samples::stage;

fn upload(bytes: u32) -> Command {
    Command::RecordPicture(RecordPicture { picture: Hash32::of("a ferry"), bytes })
}

#[test]
fn record_picture_takes_a_file_of_a_permitted_size_and_changes_nothing() {
    let mut world = stage();
    world.operator("olga", Role::Operator);
    for bytes in [1, 48_213, RecordPicture::BYTES_MAX] {
        assert_eq!(world.run_by("olga", upload(bytes)), Ok(Reply::Done));
        assert!(world.changes().is_empty());
    }
    for bytes in [0, RecordPicture::BYTES_MAX + 1, u32::MAX] {
        let refused = world.run_by("olga", upload(bytes));
        assert!(matches!(refused, Err(Reject::InvalidField { field: "bytes", .. })), "{bytes}: {refused:?}");
    }
}

#[test]
fn record_picture_is_for_operators() {
    let mut world = stage();
    world.operator("vera", Role::Viewer);
    assert_eq!(world.run_by("vera", upload(1)), Err(Reject::NotAllowed));
    assert_eq!(world.by("alice", upload(1)), Err(Reject::NotAllowed));
}

#[test]
fn record_picture_comes_with_rules_2() {
    assert_eq!(upload(1).rules(), 2);
}
