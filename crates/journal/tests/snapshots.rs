//! Snapshots: saving, keeping, falling back, and damage at every byte and bit. A bad snapshot is never used.

use std::sync::Arc;

use journal::disk::Disk;
use journal::snapshots::{Snapshot, SnapshotStore};
use journal::testing::repairing::repair_snapshot;
use journal::testing::{Fault, FaultyDisk, Random};
use journal::{FrameHash, Head, Sequence};

fn snapshot(sequence: u64) -> Snapshot {
    let mut random = Random(sequence);
    let content = (0..300).map(|_| random.number() as u8 & 7).collect();
    Snapshot {
        head: Head { next: Sequence(sequence), hash: FrameHash([sequence as u8; 32]), at: 5 },
        content,
    }
}

fn store(disk: &FaultyDisk) -> SnapshotStore {
    SnapshotStore::new(Arc::new(disk.clone()))
}

fn save(disk: &FaultyDisk, sequence: u64) -> Result<(), journal::Error> {
    let Snapshot { head, content } = snapshot(sequence);
    store(disk).save(&head, &content)
}

fn names(disk: &FaultyDisk) -> Vec<String> {
    let mut names = disk.list().expect("names");
    names.sort();
    names
}

#[test]
fn an_empty_folder_has_no_snapshot() {
    let latest = store(&FaultyDisk::new(1)).latest().expect("no trouble");
    assert!(latest.snapshot.is_none() && latest.bad.is_empty());
}

#[test]
fn the_newest_snapshot_comes_back_and_the_last_three_are_kept() {
    let disk = FaultyDisk::new(1);
    for sequence in [5, 20, 100, 1_000, 10_000] {
        save(&disk, sequence).expect("saved");
        let latest = store(&disk).latest().expect("no trouble");
        assert_eq!(latest.snapshot, Some(snapshot(sequence)));
        assert!(latest.bad.is_empty());
    }
    let kept = [100, 1_000, 10_000].map(|sequence| format!("{sequence:020}.snapshot"));
    assert_eq!(names(&disk), kept);
}

#[test]
fn a_header_that_claims_more_than_there_is_makes_room_for_none_of_it() {
    let disk = FaultyDisk::new(1);
    save(&disk, 7).expect("saved");
    let name = format!("{:020}.snapshot", 7);
    let good = disk.content(&name);
    for claimed in [0, 299, 301, 1 << 40, u64::MAX] {
        let mut bytes = good.clone();
        bytes[32..40].copy_from_slice(&u64::to_le_bytes(claimed));
        repair_snapshot(&mut bytes);
        disk.overwrite(&name, &bytes);
        let refused = store(&disk).load(&name).expect_err("a length that is not the content's").to_string();
        assert!(refused.contains("offset 128"), "{refused}");
    }
    let mut whole = good;
    repair_snapshot(&mut whole);
    disk.overwrite(&name, &whole);
    assert_eq!(store(&disk).load(&name).expect("a whole snapshot"), snapshot(7));
}

#[test]
fn an_empty_state_and_a_large_one_come_back() {
    let disk = FaultyDisk::new(1);
    let mut random = Random(1);
    let large: Vec<u8> = (0..3_000_000).map(|_| random.number() as u8).collect();
    for content in [Vec::new(), large] {
        let head = Head { next: Sequence(9), hash: FrameHash::ZERO, at: 1 };
        store(&disk).save(&head, &content).expect("saved");
        let latest = store(&disk).latest().expect("no trouble").snapshot.expect("a snapshot");
        assert_eq!((latest.head, latest.content == content), (head, true));
    }
}

/// Two snapshots, of which the newer gets other bytes.
fn latest_with(bytes: &[u8]) -> (Option<Snapshot>, Vec<String>) {
    let disk = FaultyDisk::new(1);
    save(&disk, 5).expect("saved");
    save(&disk, 6).expect("saved");
    disk.overwrite(&names(&disk)[1], bytes);
    let latest = store(&disk).latest().expect("no trouble");
    (latest.snapshot, latest.bad.iter().map(ToString::to_string).collect())
}

fn bytes_of_the_newer() -> Vec<u8> {
    let disk = FaultyDisk::new(1);
    save(&disk, 6).expect("saved");
    disk.content(&names(&disk)[0])
}

#[test]
fn a_snapshot_truncated_at_any_byte_falls_back_and_is_reported() {
    let bytes = bytes_of_the_newer();
    for length in 0..bytes.len() {
        let (found, bad) = latest_with(&bytes[..length]);
        assert_eq!(found, Some(snapshot(5)));
        assert!(bad.len() == 1 && bad[0].contains("00000000000000000006.snapshot"), "{bad:?}");
    }
}

#[test]
fn a_snapshot_with_any_bit_flipped_falls_back_or_is_the_same() {
    let mut bytes = bytes_of_the_newer();
    let mut harmless = 0;
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (found, bad) = latest_with(&bytes);
        bytes[bit / 8] ^= 1 << (bit % 8);
        if found == Some(snapshot(6)) {
            harmless += 1;
            continue;
        }
        assert_eq!(found, Some(snapshot(5)), "bit {bit}");
        assert!(bad.len() == 1 && bad[0].contains("00000000000000000006.snapshot"), "{bad:?}");
    }
    // A bit that the decompressor ignores changes nothing in the content.
    assert!(harmless < 16, "{harmless}");
}

#[test]
fn a_snapshot_under_another_name_is_bad() {
    let disk = FaultyDisk::new(1);
    save(&disk, 5).expect("saved");
    disk.rename("00000000000000000005.snapshot", "00000000000000000007.snapshot").expect("renamed");
    let latest = store(&disk).latest().expect("no trouble");
    assert!(latest.snapshot.is_none() && latest.bad.len() == 1);
}

#[test]
fn a_fault_or_a_crash_at_every_call_leaves_the_old_snapshots_or_the_new_one() {
    let quiet = FaultyDisk::new(1);
    (1..=3).for_each(|sequence| save(&quiet, sequence).expect("saved"));
    quiet.restart();
    let before = quiet.fork();
    save(&quiet, 4).expect("saved");
    let faults = [Fault::InputOutput, Fault::DiskFull, Fault::ShortWrite, Fault::ShortWriteThenError];
    for fault in faults.into_iter().chain([Fault::FailedSync, Fault::Crash]) {
        for call in 1..=quiet.calls() {
            let disk = before.fork();
            disk.plant(call, fault);
            let is_saved = save(&disk, 4).is_ok();
            if call % 2 == 0 {
                disk.crash();
            }
            disk.restart();
            let latest = store(&disk).latest().expect("no trouble");
            assert!(latest.bad.is_empty(), "{fault:?} at {call}: {:?}", latest.bad);
            let found = latest.snapshot.expect("a snapshot").head.next.0;
            assert!(found == 4 || (found == 3 && !is_saved), "{fault:?} at {call}: {found}");
            save(&disk, 5).expect("a later attempt succeeds");
            assert_eq!(store(&disk).latest().expect("no trouble").snapshot, Some(snapshot(5)));
        }
    }
}
