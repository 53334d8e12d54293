//! Files that are damaged.

use std::fs;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use crate::exchange::Venue;

/// Changes a byte in the middle of what was written to a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).expect("a file");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("content");
    bytes[end / 2] ^= 0x55;
    fs::write(path, bytes).expect("a damaged file");
}

#[test]
fn a_damaged_segment_of_the_journal_ends_the_start_and_is_named() {
    let venue = Venue::new();
    let segments = fs::read_dir(venue.data().join("journal")).expect("a journal").flatten();
    let segments = segments.map(|entry| entry.path());
    let segment = segments.filter(|path| path.extension().is_some_and(|kind| kind == "segment")).min();
    let segment = segment.expect("a segment");
    damage(&segment);
    let start = || venue.start(&mut venue.command(&[], &venue.data(), &[])).expect_err("it cannot serve");
    let ended = start();
    assert_eq!(ended.status.code(), Some(5), "{}", ended.log);
    let name = segment.file_name().and_then(|name| name.to_str()).expect("a name");
    for part in [name, "at offset", "sequence", "corrupt"] {
        assert!(ended.log.contains(part), "{part}: {}", ended.log);
    }
    let damaged = fs::read(&segment).expect("a file");
    start();
    assert_eq!(fs::read(&segment).expect("a file"), damaged, "nothing is repaired in silence");
}

#[test]
fn a_damaged_history_is_rebuilt_by_a_start_and_reported_by_a_running_exchange() {
    let venue = Venue::new();
    let running = venue.serve(&[]);
    let order = running.place();
    running.cancel(&order);
    running.stop();

    damage(&venue.data().join("history/segments/manifest"));
    let running = venue.serve(&[]);
    let log = running.log();
    assert!(log.contains("history cannot be used; rebuilding it from the journal"), "{log}");
    assert_eq!(running.order(&order), "cancelled");

    fs::remove_dir_all(venue.data().join("history/segments")).expect("damage");
    running.place();
    // Found with the next snapshot.
    running.wait_for_reason("history_stopped");
    assert_eq!(running.metric("bellwether_history_stopped"), 1.0);
    let ended = running.end(Signal::TERM);
    assert!(ended.log.contains("history stopped"), "{}", ended.log);
    let data = venue.data();
    let rebuilt = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["rebuild-history", "--data"])
        .arg(&data)
        .output()
        .expect("the executable runs");
    assert!(rebuilt.status.success(), "{rebuilt:?}");
    let running = venue.serve(&[]);
    assert_eq!(running.order(&order), "cancelled");
    running.stop();
}
