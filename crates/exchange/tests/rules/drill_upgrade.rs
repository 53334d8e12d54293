//! `DrillUpgrade` exists only in the next version (`next.rs`); its tests are beside it. A process of this version stops at its
//! bytes, also in a build that could be the next version.

use exchange::codec::{CodecError, decode_request};
use exchange::command::Command;

#[test]
fn a_process_of_this_version_cannot_read_drill_upgrade() {
    assert!(!Command::NAMES.contains(&"drill_upgrade"));
    // A request of the node itself, without an idempotency key: command 250 with one number.
    let bytes = [2, 0x83, 0x82, 0x00, 0x80, 0xf6, 0x82, 0x18, 250, 0x81, 0x81, 7];
    let tick = [2, 0x83, 0x82, 0x00, 0x80, 0xf6, 0x82, 0x00, 0x80];
    assert!(decode_request(&tick).is_ok(), "the frame of the request is right");
    assert!(matches!(decode_request(&bytes), Err(CodecError::Malformed(_))));
}
