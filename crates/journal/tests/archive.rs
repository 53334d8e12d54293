//! The archive of a file journal: moved frames are read as before, beside writers and readers, and no fault or crash
//! at any call loses a frame.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use journal::archive::{ArchivePlace, Archived};
use journal::disk::{Disk, RealDisk};
use journal::file::{Audit, FileJournal, Options, SegmentMover, Tail};
use journal::testing::conformance::{payload_of, read, store};
use journal::testing::{Fault, FaultyDisk, ManualClock};
use journal::{Error, Frame, Frames, Head, Journal, Sequence};

const OPTIONS: Options =
    Options { segment_bytes: 4096, verify_from: Sequence::FIRST, prepare_in_background: false };
const EVERYTHING: Sequence = Sequence(u64::MAX);

/// A journal of several segments and the frames in it, and an empty archive.
struct Venue {
    journal: FaultyDisk,
    archive: FaultyDisk,
    frames: Vec<Frame>,
}

impl Venue {
    fn new(seed: u64) -> Venue {
        Venue::of([7; 16], seed)
    }

    fn of(id: [u8; 16], seed: u64) -> Venue {
        let (journal, archive) = (FaultyDisk::new(seed), FaultyDisk::new(seed + 1));
        let mut writing =
            FileJournal::create(Arc::new(journal.clone()), Box::new(ManualClock::new(7)), OPTIONS, id)
                .expect("a journal");
        let sizes = [40, 900, 10, 300, 700, 333, 1_200, 64, 500, 128, 900, 77, 1_500, 800, 20];
        let payload = |size: usize| payload_of(&[size, 11], size as u64);
        let frames = sizes.map(|size| store(&mut writing, &payload(size))).to_vec();
        Venue { journal, archive, frames }
    }

    fn place(&self) -> ArchivePlace {
        ArchivePlace::on(Arc::new(self.archive.clone()), "the archive")
    }

    fn mover(&self) -> Result<SegmentMover, Error> {
        SegmentMover::open(Arc::new(self.journal.clone()), Arc::new(self.archive.clone()), "the archive")
    }

    /// Moves everything that may be moved, and returns the number of segments.
    fn move_all(&self, until: Sequence) -> Result<u64, Error> {
        let mut mover = self.mover()?;
        let mut moved = 0;
        while mover.move_next(until)?.is_some() {
            moved += 1;
        }
        Ok(moved)
    }

    fn open(&self) -> Result<FileJournal, Error> {
        let mut journal =
            FileJournal::open(Arc::new(self.journal.clone()), Box::new(ManualClock::new(7)), OPTIONS)?;
        journal.read_archive(self.place());
        Ok(journal)
    }

    fn audit(&self) -> Result<Vec<Frame>, Error> {
        let audit = Audit::open_with(Arc::new(self.journal.clone()), Some(self.place()))?;
        audited(audit.at_rest())
    }

    fn segments(&self) -> Vec<String> {
        names(&self.journal, ".segment")
    }
}

fn names(disk: &FaultyDisk, suffix: &str) -> Vec<String> {
    let mut names = disk.list().expect("names");
    names.retain(|name| name.ends_with(suffix));
    names
}

fn audited(mut audit: Audit) -> Result<Vec<Frame>, Error> {
    let mut frames = Vec::new();
    while let Some(frame) = audit.next_frame()? {
        frames.push(frame);
    }
    assert_eq!(audit.tail(), Some(&Tail::Clean));
    Ok(frames)
}

fn rest_of(mut frames: Box<dyn Frames>) -> Vec<Frame> {
    std::iter::from_fn(|| frames.next_frame().expect("a readable journal")).collect()
}

#[test]
fn moved_frames_read_from_the_archive_equal_those_of_the_journal() {
    let venue = Venue::new(1);
    let before = venue.segments();
    let moved = venue.move_all(EVERYTHING).expect("a move");
    assert_eq!((moved as usize, venue.segments().len()), (before.len() - 1, 1), "the last one is not sealed");
    assert_eq!(names(&venue.archive, ".archive").len() as u64, moved);
    assert_eq!(venue.audit().expect("an audit"), venue.frames);
    let mut journal = venue.open().expect("a journal");
    for (index, frame) in venue.frames.iter().enumerate() {
        for from in frame.header.first.0..frame.header.next().0 {
            assert_eq!(read(&journal, Sequence(from)), venue.frames[index..], "from {from}");
        }
    }
    let next = store(&mut journal, &payload_of(&[30], 30));
    assert_eq!(next.header.first, venue.frames[14].header.next(), "it continues at its sequence");
    assert_eq!(venue.move_all(EVERYTHING).expect("a move"), 0, "nothing is left to move");
}

#[test]
fn a_segment_stays_while_a_frame_of_it_is_not_before_the_limit() {
    let venue = Venue::new(1);
    let second = Archived::read(&venue.journal).expect("no record");
    assert_eq!(second, None);
    let boundary: u64 = venue.segments()[1][..20].parse().expect("a sequence");
    assert_eq!(venue.move_all(Sequence(boundary - 1)).expect("a move"), 0);
    assert_eq!(venue.move_all(Sequence(boundary)).expect("a move"), 1);
    let record = Archived::read(&venue.journal).expect("a record").expect("something was moved");
    assert_eq!((record.end.next, &*record.place), (Sequence(boundary), "the archive"));
}

#[test]
fn a_reader_without_the_archive_gets_an_error_with_its_path() {
    let venue = Venue::new(1);
    venue.move_all(EVERYTHING).expect("a move");
    let first: u64 = venue.segments()[0][..20].parse().expect("a sequence");
    let journal = FileJournal::open(Arc::new(venue.journal.clone()), Box::new(ManualClock::new(7)), OPTIONS)
        .expect("a journal needs no archive to go on");
    let live: Vec<_> = venue.frames.iter().filter(|frame| frame.header.first.0 >= first).cloned().collect();
    assert_eq!(read(&journal, Sequence(first)), live);
    let audit = Audit::open(Arc::new(venue.journal.clone())).map(drop);
    for refused in [journal.frames(Sequence::FIRST).map(drop), audit] {
        let told = refused.expect_err("a refusal").to_string();
        let wanted = format!("sequence 1 is in the archive, the journal begins with {first}.");
        assert!(told.starts_with(&wanted) && told.contains("written to the archive"), "{told}");
        assert!(told.contains("--archive"), "{told}");
    }
    drop(journal);
    // A missing folder: the message contains the reason.
    let mut journal = venue.open().expect("a journal");
    journal.read_archive(ArchivePlace::folder("/no/such/folder".as_ref()));
    let told = journal.frames(Sequence::FIRST).map(drop).expect_err("a refusal").to_string();
    assert!(told.contains("/no/such/folder"), "{told}");
}

/// Each byte of each file, off by one bit.
#[test]
fn a_changed_byte_anywhere_in_the_archive_is_found_and_named() {
    let venue = Venue::new(1);
    venue.move_all(EVERYTHING).expect("a move");
    for name in names(&venue.archive, ".archive") {
        let good = venue.archive.content(&name);
        for place in 0..good.len() {
            let mut bytes = good.clone();
            bytes[place] ^= 0x10;
            venue.archive.overwrite(&name, &bytes);
            let told = venue.audit().expect_err("damage").to_string();
            assert!(told.contains(&name), "{place} of {name}: {told}");
        }
        for bytes in [&good[..good.len() - 1], &[&*good, &[0]].concat()] {
            venue.archive.overwrite(&name, bytes);
            assert!(venue.audit().is_err(), "{name} with {} bytes", bytes.len());
        }
        venue.archive.overwrite(&name, &good);
    }
    assert_eq!(venue.audit().expect("an audit"), venue.frames, "as it was");
}

#[test]
fn an_archive_with_a_missing_file_or_of_another_journal_is_refused() {
    let venue = Venue::new(1);
    venue.move_all(EVERYTHING).expect("a move");
    let files = names(&venue.archive, ".archive");
    let told = |venue: &Venue| venue.audit().expect_err("a refusal").to_string();
    for missing in &files {
        let other = Venue { archive: venue.archive.fork(), journal: venue.journal.fork(), frames: vec![] };
        other.archive.remove(missing).expect("a removed file");
        assert!(other.mover().is_err(), "nothing is moved behind a gap");
        assert!(told(&other).contains("the archive"), "{}", told(&other));
    }
    let stranger = Venue::of([8; 16], 9);
    stranger.move_all(EVERYTHING).expect("a move");
    let mixed = Venue { archive: stranger.archive, journal: venue.journal.fork(), frames: vec![] };
    assert!(told(&mixed).contains("does not lead to the frame"), "{}", told(&mixed));
    let refused = mixed.mover().expect_err("a refusal").to_string();
    assert!(refused.contains("move that archive here first"), "{refused}");
}

#[test]
fn an_archive_that_was_taken_elsewhere_is_recorded_where_it_is_used_next() {
    let venue = Venue::new(1);
    let boundary: u64 = venue.segments()[1][..20].parse().expect("a sequence");
    venue.move_all(Sequence(boundary)).expect("a move");
    let (journal, archive) = (Arc::new(venue.journal.clone()), Arc::new(venue.archive.clone()));
    drop(SegmentMover::open(journal, archive, "elsewhere").expect("an archive"));
    let record = Archived::read(&venue.journal).expect("a record").expect("a record");
    assert_eq!((&*record.place, record.end.next), ("elsewhere", Sequence(boundary)));
}

#[test]
fn an_existing_archive_file_is_never_replaced() {
    let venue = Venue::new(1);
    let other = Venue::new(1);
    other.move_all(EVERYTHING).expect("a move");
    let name = names(&other.archive, ".archive").remove(0);
    let mut bytes = other.archive.content(&name);
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    venue.archive.overwrite(&name, &bytes);
    assert!(venue.move_all(EVERYTHING).is_err());
    assert_eq!(venue.archive.content(&name), bytes);
    assert_eq!(venue.segments().len(), Venue::new(1).segments().len(), "and no segment is removed");
}

#[test]
fn lost_segments_and_a_changed_record_are_refused() {
    let venue = Venue::new(1);
    venue.journal.remove(&venue.segments()[0]).expect("a removed segment");
    let told = venue.open().expect_err("no record says that it was moved").to_string();
    assert!(told.contains("00000000000000000001.segment is missing"), "{told}");

    let venue = Venue::new(1);
    venue.move_all(EVERYTHING).expect("a move");
    let record = venue.journal.content("archived");
    let mut changed = record.clone();
    changed[30] ^= 1;
    venue.journal.overwrite("archived", &changed);
    assert!(venue.open().expect_err("a refusal").to_string().contains("archived"));
    venue.journal.overwrite("archived", &record);
    let live = venue.segments().remove(0);
    venue.journal.remove(&live).expect("a removed segment");
    let told = venue.open().expect_err("a refusal").to_string();
    assert!(told.contains(&live) && told.contains("archived to"), "{told}");
    let created =
        FileJournal::create(Arc::new(venue.journal.clone()), Box::new(ManualClock::new(7)), OPTIONS, [7; 16]);
    assert!(matches!(created, Err(Error::AlreadyThere)), "and none is begun in its place");
}

/// A cursor in each segment, and an auditor, while all segments are moved away underneath.
#[test]
fn readers_continue_in_the_archive_when_their_segment_is_moved() {
    let venue = Venue::new(1);
    let journal = venue.open().expect("a journal");
    for read_before in 0..venue.frames.len() {
        let venue = Venue { journal: venue.journal.fork(), archive: venue.archive.fork(), ..Venue::new(1) };
        venue.journal.restart();
        let journal = venue.open().expect("a journal");
        let mut cursor = journal.frames(Sequence::FIRST).expect("a cursor");
        let audit = Audit::open_with(Arc::new(venue.journal.clone()), Some(venue.place()));
        let mut audit = audit.expect("an auditor").at_rest();
        for frame in &venue.frames[..read_before] {
            assert_eq!(cursor.next_frame().expect("a frame").as_ref(), Some(frame));
            assert_eq!(audit.next_frame().expect("a frame").as_ref(), Some(frame));
        }
        assert!(venue.move_all(EVERYTHING).expect("a move") >= 3);
        assert_eq!(rest_of(cursor), venue.frames[read_before..], "after {read_before}");
        assert_eq!(audited(audit).expect("an audit"), venue.frames[read_before..], "after {read_before}");
    }
    drop(journal);
}

#[test]
fn an_audit_begins_behind_any_frame_and_refuses_another_head() {
    let venue = Venue::new(1);
    for is_moved in [false, true] {
        if is_moved {
            venue.move_all(EVERYTHING).expect("a move");
        }
        let open = |head: &Head| {
            Audit::open_at(Arc::new(venue.journal.clone()), Some(venue.place()), head).map(Audit::at_rest)
        };
        for (index, frame) in venue.frames.iter().enumerate() {
            let head = Head::after(&frame.header, frame.hash);
            assert_eq!(audited(open(&head).expect("an audit")).expect("frames"), venue.frames[index + 1..]);
            let other = Head { at: head.at + 1, ..head };
            assert!(open(&other).is_err(), "behind {index}");
        }
    }
}

/// Every stored frame, from the journal and the archive after a crash.
fn check(venue: &Venue, context: &str) {
    let journal = venue.open().unwrap_or_else(|error| panic!("{context}: refused: {error}"));
    assert!(read(&journal, Sequence::FIRST) == venue.frames, "{context}: a cursor misses a frame");
    drop(journal);
    let audited = venue.audit().unwrap_or_else(|error| panic!("{context}: audit: {error}"));
    assert!(audited == venue.frames, "{context}: an auditor misses a frame");
}

fn check_at_every_call(fault: Fault, seeds: u64) {
    let quiet = Venue::new(0);
    let (journal_calls, archive_calls) = {
        let (before, none) = (quiet.journal.calls(), quiet.archive.calls());
        quiet.move_all(EVERYTHING).expect("a quiet move");
        (quiet.journal.calls() - before, quiet.archive.calls() - none)
    };
    let plants = (1..=journal_calls).map(|call| (true, call));
    let plants = plants.chain((1..=archive_calls).map(|call| (false, call)));
    let mut failed = 0;
    for (is_journal, call) in plants {
        for seed in 0..seeds {
            let context =
                format!("{fault:?} at call {call} of {}", if is_journal { "journal" } else { "archive" });
            let venue = Venue::new(seed << 32 | call);
            venue.journal.restart();
            let disk = if is_journal { &venue.journal } else { &venue.archive };
            disk.plant(call, fault);
            failed += u64::from(venue.move_all(EVERYTHING).is_err());
            // Half of the crashes are power cuts, on both disks.
            if fault == Fault::Crash || seed % 2 == 1 {
                venue.journal.crash();
                venue.archive.crash();
            }
            venue.journal.restart();
            venue.archive.restart();
            check(&venue, &context);
            venue.move_all(EVERYTHING).unwrap_or_else(|error| panic!("{context}: not finished: {error}"));
            assert_eq!(venue.segments().len(), 1, "{context}: what was begun is finished");
            check(&venue, &context);
            venue.journal.crash();
            venue.archive.crash();
            venue.journal.restart();
            venue.archive.restart();
            check(&venue, &context);
        }
    }
    assert!(failed > 0 || fault == Fault::ShortWrite, "{fault:?}: no move failed");
}

#[test]
fn a_crash_at_every_call_of_a_move_loses_no_frame() {
    check_at_every_call(Fault::Crash, 8);
}

#[test]
fn an_input_output_error_at_every_call_of_a_move_loses_no_frame() {
    check_at_every_call(Fault::InputOutput, 2);
}

#[test]
fn a_full_disk_at_every_call_of_a_move_loses_no_frame() {
    check_at_every_call(Fault::DiskFull, 2);
}

#[test]
fn a_failed_or_short_write_at_every_call_of_a_move_loses_no_frame() {
    check_at_every_call(Fault::ShortWriteThenError, 2);
    check_at_every_call(Fault::ShortWrite, 2);
    check_at_every_call(Fault::FailedSync, 6);
}

/// One thread appends, one moves, one follows, one audits, all in real folders.
#[test]
fn segments_are_moved_beside_a_writer_a_follower_and_an_auditor() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = |name: &str| Arc::new(RealDisk::new(folder.path().join(name)).expect("a folder"));
    let (live, cold) = (disk("journal"), disk("archive"));
    let place = ArchivePlace::folder(&folder.path().join("archive"));
    let mut journal = FileJournal::create(live.clone(), Box::new(ManualClock::new(7)), OPTIONS, [7; 16])
        .expect("a journal");
    journal.read_archive(place.clone());
    let mut follower = journal.frames(Sequence::FIRST).expect("a cursor");
    let (is_over, followed) = (AtomicBool::new(false), AtomicU64::new(1));
    let (moved, audits) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        // Runs until the other threads are done.
        let writer = scope.spawn(|| {
            let mut stored = Vec::new();
            while stored.len() < 200
                || moved.load(Ordering::Acquire) < 5
                || audits.load(Ordering::Acquire) < 2
            {
                let salt = stored.len();
                stored.push(store(&mut journal, &payload_of(&[salt % 700], salt as u64)));
            }
            is_over.store(true, Ordering::Release);
            stored
        });
        let following = scope.spawn(|| {
            let mut frames = Vec::new();
            loop {
                let is_last = is_over.load(Ordering::Acquire);
                while let Some(frame) = follower.next_frame().expect("a readable journal") {
                    followed.store(frame.header.next().0, Ordering::Release);
                    frames.push(frame);
                }
                if is_last {
                    return frames;
                }
            }
        });
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                let mut mover = SegmentMover::open(live.clone(), cold.clone(), "cold").expect("both folders");
                while mover.move_next(Sequence(followed.load(Ordering::Acquire))).expect("a move").is_some() {
                    moved.fetch_add(1, Ordering::AcqRel);
                }
            }
        });
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                let disk = Arc::new(RealDisk::reading(folder.path().join("journal")));
                let mut audit = Audit::open_with(disk, Some(place.clone())).expect("an auditor");
                while audit.next_frame().expect("a good journal").is_some() {}
                audits.fetch_add(1, Ordering::AcqRel);
            }
        });
        let stored = writer.join().expect("a writer");
        assert_eq!(following.join().expect("a follower"), stored);
        let disk = Arc::new(RealDisk::reading(folder.path().join("journal")));
        let audit = Audit::open_with(disk, Some(place.clone())).expect("an auditor");
        assert_eq!(audited(audit).expect("a good journal"), stored);
    });
}

#[test]
fn a_journal_starts_after_an_archive_and_continues() {
    let venue = Venue::new(1);
    venue.move_all(EVERYTHING).expect("a move");
    let record = Archived::read(&venue.journal).expect("a record").expect("a record");
    let fresh = FaultyDisk::new(5);
    let clock = || Box::new(ManualClock::new(7));
    let mut begun =
        FileJournal::create_behind(Arc::new(fresh.clone()), clock(), OPTIONS, &record).expect("a journal");
    let next = store(&mut begun, &payload_of(&[9], 9));
    assert_eq!((next.header.first, next.header.previous_hash), (record.end.next, record.end.hash));
    drop(begun);
    let mut journal = FileJournal::open(Arc::new(fresh), clock(), OPTIONS).expect("a journal");
    journal.read_archive(venue.place());
    let moved: Vec<_> =
        venue.frames.iter().filter(|frame| frame.header.next() <= record.end.next).cloned().collect();
    assert_eq!(read(&journal, Sequence::FIRST), [moved, vec![next]].concat());
}
