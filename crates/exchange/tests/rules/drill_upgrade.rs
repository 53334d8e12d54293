//! `DrillUpgrade` exists only in the build for drills of a rolling upgrade; its tests are beside it. A build without it
//! stops at its bytes.

use exchange::codec::{CodecError, decode_request};
use exchange::command::Command;

#[test]
fn a_build_without_drill_upgrade_cannot_read_it() {
    assert!(!Command::NAMES.contains(&"drill_upgrade"));
    // A request of the node itself, without an idempotency key: command 250 with one number.
    let bytes = [2, 0x83, 0x82, 0x00, 0x80, 0xf6, 0x82, 0x18, 250, 0x81, 0x81, 7];
    let tick = [2, 0x83, 0x82, 0x00, 0x80, 0xf6, 0x82, 0x00, 0x80];
    assert!(decode_request(&tick).is_ok(), "the frame of the request is right");
    assert!(matches!(decode_request(&bytes), Err(CodecError::Malformed(_))));
}
