//! The audit: every byte is checked, nothing is written, and a concurrent writer does no harm.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use journal::disk::{Disk, RealDisk};
use journal::file::{Audit, FileJournal, Options, Tail};
use journal::testing::conformance::{payload_of, store};
use journal::testing::{FaultyDisk, ManualClock};
use journal::{Error, Frame, Sequence};

const OPTIONS: Options =
    Options { segment_bytes: 4096, verify_from: Sequence::FIRST, prepare_in_background: false };

/// A journal of three segments, the last of them half full.
fn example() -> (FaultyDisk, Vec<Frame>) {
    let disk = FaultyDisk::new(1);
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut journal =
        FileJournal::create(shared, Box::new(ManualClock::new(7)), OPTIONS, [7; 16]).expect("a journal");
    let sizes = [40, 900, 10, 300, 700, 333, 1_200, 64, 500, 128, 900, 77];
    let payload = |size: usize| payload_of(&[size, 11], size as u64);
    let frames = sizes.map(|size| store(&mut journal, &payload(size)));
    (disk, frames.to_vec())
}

fn names(disk: &FaultyDisk) -> Vec<String> {
    let mut names = disk.list().expect("names");
    names.retain(|name| name.ends_with(".segment"));
    names.sort();
    names
}

fn read(disk: FaultyDisk) -> Result<(Vec<Frame>, Tail), Error> {
    let mut audit = Audit::open(Arc::new(disk))?.at_rest();
    let mut frames = Vec::new();
    while let Some(frame) = audit.next_frame()? {
        frames.push(frame);
    }
    Ok((frames, audit.tail().expect("an end").clone()))
}

#[test]
fn an_audit_reads_every_frame_and_finds_a_clean_end() {
    let (disk, stored) = example();
    assert!(names(&disk).len() >= 3, "{:?}", names(&disk));
    let (frames, tail) = read(disk.clone()).expect("a good journal");
    assert_eq!((frames, tail), (stored, Tail::Clean));
    let mut last = Audit::open_last(Arc::new(disk.clone())).expect("a last segment").at_rest();
    while last.next_frame().expect("a good segment").is_some() {}
    assert_eq!(last.head().next, Sequence(25));
}

/// Each byte of each segment: zeroed, inverted, and with one bit flipped.
#[test]
fn a_changed_byte_anywhere_is_found() {
    let (disk, stored) = example();
    let last = names(&disk).pop().expect("a segment");
    let (mut changes, mut doubts) = (0, 0);
    for name in names(&disk) {
        let good = disk.content(&name);
        let fork = disk.fork();
        let mut bytes = good.clone();
        for place in 0..good.len() {
            for changed in [0, !good[place], good[place] ^ 0x10] {
                if changed == good[place] {
                    continue;
                }
                bytes[place] = changed;
                fork.overwrite(&name, &bytes);
                match read(fork.clone()) {
                    Err(error) => assert!(error.to_string().contains(&name), "{place} of {name}: {error}"),
                    // In the last frame and behind it, some changes look like a write that a crash cut short. They
                    // are reported as unfinished, and only there.
                    Ok((frames, Tail::Unfinished(at))) => {
                        doubts += 1;
                        assert!(frames.len() + 1 >= stored.len() && at.file == last, "{place} of {name}");
                        assert!(place as u64 >= at.offset, "{place} of {name}: it is before {at}");
                    }
                    Ok((_, Tail::Clean)) => panic!("byte {place} of {name} as {changed:02x} was not seen"),
                }
                changes += 1;
            }
            bytes[place] = good[place];
        }
        fork.overwrite(&name, &good);
    }
    assert!(changes > 24_000, "{changes}");
    assert!(doubts > 0, "the end mark of the last frame, for one");
}

#[test]
fn a_lost_a_strange_and_a_shortened_segment_are_found() {
    let (disk, _) = example();
    for name in names(&disk) {
        let fork = disk.fork();
        fork.remove(&name).expect("a file to lose");
        assert!(read(fork).expect_err("a gap").to_string().contains(&name));
        let fork = disk.fork();
        fork.overwrite(&name, &disk.content(&name)[..2048]);
        assert!(read(fork).expect_err("half a file").to_string().contains(&name));
    }
    let fork = disk.fork();
    let first = disk.content(&names(&disk)[0]);
    fork.create("00000000000000000777.segment").expect("a file").write_at(&first, 0).expect("bytes");
    read(fork).expect_err("a segment that follows nothing");
}

#[test]
fn an_unfinished_last_write_is_reported_and_not_repaired() {
    let (disk, stored) = example();
    let name = names(&disk).pop().expect("a segment");
    let mut bytes = disk.content(&name);
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("a frame");
    bytes[end] = 0;
    disk.overwrite(&name, &bytes);
    let (frames, tail) = read(disk.clone()).expect("all but the end");
    assert_eq!(frames, stored[..stored.len() - 1]);
    assert!(matches!(tail, Tail::Unfinished(place) if place.file == name));
    assert_eq!(disk.content(&name), bytes, "an auditor writes nothing");
}

#[test]
fn a_folder_that_is_written_to_is_read_to_a_head_that_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk: Arc<dyn Disk> = Arc::new(RealDisk::new(folder.path()).expect("a folder"));
    let options = Options { segment_bytes: 16 << 10, ..OPTIONS };
    let mut journal =
        FileJournal::create(disk, Box::new(ManualClock::new(7)), options, [7; 16]).expect("a journal");
    let (is_over, stored) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut hashes = Vec::new();
            while !is_over.load(Ordering::Acquire) {
                let size = 30 + hashes.len() % 3_000;
                hashes.push(store(&mut journal, &payload_of(&[size], 1)).hash);
                stored.store(hashes.len(), Ordering::Release);
            }
            hashes
        });
        let (mut heads, mut unfinished) = (Vec::new(), 0);
        while heads.len() < 20 {
            while stored.load(Ordering::Acquire) <= heads.len() {
                assert!(!writer.is_finished(), "the writer stores for as long as it is read");
                thread::yield_now();
            }
            let disk = Arc::new(RealDisk::reading(folder.path()));
            let mut audit = Audit::open(disk).expect("a journal");
            while audit.next_frame().expect("nothing wrong").is_some() {}
            if audit.tail() != Some(&Tail::Clean) {
                unfinished += 1;
                assert!(unfinished < 100, "a slow disk's writer finishes, damage stays: {:?}", audit.tail());
                continue;
            }
            audit.make_durable().expect("a sync");
            assert!(audit.head().next.0 as usize > heads.len() + 1, "what was stored before is read");
            heads.push(audit.head());
        }
        is_over.store(true, Ordering::Release);
        let hashes = writer.join().expect("a writer");
        for head in &heads {
            assert_eq!(hashes[head.next.0 as usize - 2], head.hash, "what was read is what was stored");
        }
    });
}

#[test]
fn a_disk_for_reading_refuses_to_change_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), b"content").expect("a file");
    let disk = RealDisk::reading(folder.path());
    assert!(disk.create("other").is_err() && disk.rename("file", "other").is_err());
    assert!(disk.remove("file").is_err() && disk.lock("lock").is_err());
    let file = disk.open("file").expect("a file to read");
    assert!(file.write_at(b"x", 0).is_err());
    assert_eq!(disk.list().expect("names"), ["file"]);
}
