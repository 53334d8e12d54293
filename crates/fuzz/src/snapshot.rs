//! Snapshots: any bytes as an encoded state, and any bytes as a snapshot file. Both parsers must return and allocate no
//! more than the input fills. An accepted state must encode to the same bytes and have one digest.
//!
//! The first byte of an input selects the parser.

use std::sync::Arc;

use exchange::Exchange;
use exchange::codec::{decode_snapshot, encode_snapshot};
use journal::snapshots::SnapshotStore;
use journal::testing::FaultyDisk;
use journal::testing::repairing::repair_snapshot;
use journal::{FrameHash, Head, Sequence};

use crate::world;

/// Values of an input's first byte; any other value decodes a state.
const FILE: u8 = 1;
const REPAIRED_FILE: u8 = 2;
/// The position in a file's header of the sequence that is also in its name.
const NEXT: std::ops::Range<usize> = 16..24;

pub(crate) fn run(input: &[u8]) {
    match input.split_first() {
        Some((&FILE, bytes)) => check_file(bytes),
        Some((&REPAIRED_FILE, bytes)) => {
            let mut bytes = bytes.to_vec();
            repair_snapshot(&mut bytes);
            check_file(&bytes);
        }
        Some((_, bytes)) => check_state(bytes, encode_snapshot),
        None => {}
    }
}

fn check_state(bytes: &[u8], encode: impl Fn(&Exchange) -> Vec<u8>) {
    let Ok(exchange) = decode_snapshot(bytes) else { return };
    let again = encode(&exchange);
    assert!(again == bytes, "a state that was read is written with the same bytes");
    let restored = decode_snapshot(&again).expect("an encoded snapshot can be decoded");
    assert_eq!(restored.digest(), exchange.digest(), "a state has one digest");
}

fn check_file(bytes: &[u8]) {
    let disk = FaultyDisk::new(0);
    let next = bytes.get(NEXT).map_or(0, |next| u64::from_le_bytes(next.try_into().expect("eight bytes")));
    let name = format!("{next:020}.snapshot");
    disk.overwrite(&name, bytes);
    let store = SnapshotStore::new(Arc::new(disk));
    let Ok(snapshot) = store.load(&name) else { return };
    store.save(&snapshot.head, &snapshot.content).expect("a disk without faults accepts a snapshot");
    assert_eq!(store.load(&name).expect("a snapshot that was just saved"), snapshot);
    check_state(&snapshot.content, encode_snapshot);
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for exchange in world::states() {
        let content = encode_snapshot(&exchange);
        seeds.push([&[0], content.as_slice()].concat());
        let disk = FaultyDisk::new(0);
        let head = Head { next: Sequence(exchange.seq() + 1), hash: FrameHash([9; 32]), at: 7 };
        let store = SnapshotStore::new(Arc::new(disk.clone()));
        store.save(&head, &content).expect("a disk without faults accepts a snapshot");
        let file = disk.content(&store.names().expect("names")[0]);
        seeds.extend([FILE, REPAIRED_FILE].map(|kind| [&[kind], file.as_slice()].concat()));
    }
    seeds
}

#[cfg(test)]
mod tests {
    use exchange::Exchange;
    use exchange::codec::encode_snapshot;

    use super::check_state;

    #[test]
    #[should_panic(expected = "written with the same bytes")]
    fn a_planted_writer_that_writes_another_state_is_noticed() {
        let bytes = encode_snapshot(&Exchange::new());
        check_state(&bytes, encode_snapshot);
        check_state(&bytes, |_| encode_snapshot(&crate::world::day(1, 4, 0).exchange));
    }
}
