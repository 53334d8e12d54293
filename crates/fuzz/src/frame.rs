//! Journal frames: any bytes as the only segment of a journal, or as the only file of an archive. Recovery, the cursor
//! and the audit must return. Frames that they accept must give the same bytes when a new journal stores them. Frames
//! from an archive must form a chain.
//!
//! The first byte of an input selects what is repaired before reading, so that damage gets past the checksums.

use std::sync::Arc;

use journal::archive::ArchivePlace;
use journal::disk::Disk;
use journal::file::{Audit, FileJournal, Options, SegmentMover, Tail};
use journal::testing::conformance::{payload_of, read, store};
use journal::testing::repairing::{Repairs, repair_archive, repair_segment};
use journal::testing::{FaultyDisk, ManualClock};
use journal::{Error, Frame, Head, Sequence};

/// The name of a journal's first segment.
const SEGMENT: &str = "00000000000000000001.segment";
const SEGMENT_BYTES: u64 = 4096;
/// The position of the journal's id in a segment header.
const ID: std::ops::Range<usize> = 24..40;

/// Bits of an input's first byte.
const REPAIR: u8 = 1;
const REPAIR_CHAIN: u8 = 2;
const REPAIR_MARKS: u8 = 4;
const ARCHIVE: u8 = 8;

/// The name of an archive's first file.
const ARCHIVE_FILE: &str = "00000000000000000001.archive";

fn options(segment_bytes: u64) -> Options {
    Options { segment_bytes, verify_from: Sequence::FIRST, prepare_in_background: false }
}

pub(crate) fn run(input: &[u8]) {
    let Some((flags, bytes)) = input.split_first() else { return };
    let mut bytes = bytes.to_vec();
    if flags & ARCHIVE != 0 {
        if flags & REPAIR != 0 {
            repair_archive(&mut bytes);
        }
        return check_archive(&bytes);
    }
    if flags & REPAIR != 0 {
        let (chain, marks) = (flags & REPAIR_CHAIN != 0, flags & REPAIR_MARKS != 0);
        repair_segment(&mut bytes, Repairs { chain, marks });
    }
    let audited = audit(&disk_with(&bytes));
    let disk = disk_with(&bytes);
    let opened =
        FileJournal::open(Arc::new(disk.clone()), Box::new(ManualClock::new(0)), options(SEGMENT_BYTES));
    let Ok(journal) = opened else {
        assert!(!matches!(audited, Ok((_, Tail::Clean))), "a journal that passes the audit can be opened");
        return;
    };
    let frames = read(&journal, Sequence::FIRST);
    if journal.cut().is_none() {
        assert!(disk.content(SEGMENT) == bytes, "a journal without a torn frame is unchanged");
    }
    // Recovery ignores stray bytes between frames; the audit does not.
    if let Ok((audited, tail)) = audited {
        assert_eq!(audited, frames, "the audit and the cursor read the same frames");
        if tail == Tail::Clean {
            check_stored_again(&frames, &bytes, journal.id());
        }
    }
}

fn check_archive(bytes: &[u8]) {
    let disk = FaultyDisk::new(0);
    disk.overwrite(ARCHIVE_FILE, bytes);
    let Ok(archive) = ArchivePlace::on(Arc::new(disk), "the archive").open() else { return };
    let mut frames = archive.frames(Sequence::FIRST, archive.end().next);
    let mut head = Head::EMPTY;
    while let Ok(Some(frame)) = frames.next_frame() {
        check_follows(&head, &frame);
        head = Head::after(&frame.header, frame.hash);
    }
}

fn check_follows(head: &Head, frame: &Frame) {
    let is_next = head.is_followed_by(&frame.header);
    let hash = frame.header.hash(frame.payload.bytes());
    assert!(is_next && hash == frame.hash, "a frame of an archive follows the one before it");
}

fn disk_with(segment: &[u8]) -> FaultyDisk {
    let disk = FaultyDisk::new(0);
    disk.overwrite(SEGMENT, segment);
    disk
}

fn audit(disk: &FaultyDisk) -> Result<(Vec<Frame>, Tail), Error> {
    let mut audit = Audit::open(Arc::new(disk.clone()))?.at_rest();
    let mut frames = Vec::new();
    while let Some(frame) = audit.next_frame()? {
        frames.push(frame);
    }
    Ok((frames, audit.tail().expect("the audit has reached its end").clone()))
}

/// A new journal with the same id, times and payloads must have the same bytes.
fn check_stored_again(frames: &[Frame], segment: &[u8], id: [u8; 16]) {
    assert_eq!(segment[ID], id);
    let options = options(segment.len() as u64);
    let (disk, clock) = (FaultyDisk::new(0), ManualClock::new(0));
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    // An invalid segment size cannot be compared.
    let Ok(mut journal) = FileJournal::create(shared, Box::new(clock.clone()), options, id) else { return };
    for frame in frames {
        clock.set(frame.header.at);
        assert_eq!(store(&mut journal, &frame.payload), *frame, "a frame is stored as it was read");
    }
    let stored = disk.content(SEGMENT);
    let differs = stored.iter().zip(segment).position(|(stored, read)| stored != read);
    assert_eq!(
        differs,
        None,
        "the frames that were read have the bytes that were read, {} frames",
        frames.len()
    );
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let shapes: [&[&[usize]]; 7] = [
        &[],
        &[&[0]],
        &[&[3]],
        &[&[40, 0, 7]],
        &[&[10], &[20], &[30]],
        &[&[500], &[1, 1, 1]],
        &[&[1200, 100], &[5], &[300]],
    ];
    let mut seeds = Vec::new();
    for (salt, shape) in shapes.into_iter().enumerate() {
        let (disk, clock) = (FaultyDisk::new(1), ManualClock::new(1_767_225_600_000_000));
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let mut journal = FileJournal::create(shared, Box::new(clock), options(SEGMENT_BYTES), [7; 16])
            .expect("a disk without faults accepts a journal");
        for lengths in shape {
            store(&mut journal, &payload_of(lengths, salt as u64));
        }
        let segment = disk.content(SEGMENT);
        for flags in [0, REPAIR, REPAIR | REPAIR_CHAIN, REPAIR | REPAIR_CHAIN | REPAIR_MARKS] {
            seeds.push([&[flags], segment.as_slice()].concat());
        }
    }
    let archived = archive_seed();
    seeds.extend([ARCHIVE, ARCHIVE | REPAIR].map(|flags| [&[flags], archived.as_slice()].concat()));
    seeds
}

/// An archive with the first segment of a journal.
fn archive_seed() -> Vec<u8> {
    let (journal, archive) = (FaultyDisk::new(1), FaultyDisk::new(2));
    let clock = Box::new(ManualClock::new(1_767_225_600_000_000));
    let mut writing = FileJournal::create(Arc::new(journal.clone()), clock, options(SEGMENT_BYTES), [7; 16])
        .expect("a disk without faults accepts a journal");
    for salt in 0..6 {
        store(&mut writing, &payload_of(&[900, 20], salt));
    }
    let mover = SegmentMover::open(Arc::new(journal), Arc::new(archive.clone()), "the archive");
    let moved = mover.and_then(|mut mover| mover.move_next(Sequence(u64::MAX)));
    assert!(moved.is_ok_and(|moved| moved.is_some()), "the first segment is sealed");
    archive.content(ARCHIVE_FILE)
}

#[cfg(test)]
mod tests {
    use journal::Head;

    use super::{audit, check_follows, check_stored_again, disk_with, seeds};

    fn example() -> (Vec<journal::Frame>, Vec<u8>) {
        let segment = seeds()[16][1..].to_vec();
        let (frames, _) = audit(&disk_with(&segment)).expect("a journal");
        assert_eq!(frames.len(), 3);
        (frames, segment)
    }

    #[test]
    fn frames_that_were_read_are_stored_with_the_same_bytes() {
        let (frames, segment) = example();
        check_stored_again(&frames, &segment, [7; 16]);
    }

    #[test]
    #[should_panic(expected = "stored as it was read")]
    fn a_planted_reader_that_loses_a_frame_is_noticed() {
        let (mut frames, segment) = example();
        frames.remove(1);
        check_stored_again(&frames, &segment, [7; 16]);
    }

    #[test]
    #[should_panic(expected = "follows the one before it")]
    fn a_planted_archive_that_leaves_a_frame_out_is_noticed() {
        let (frames, _) = example();
        check_follows(&Head::EMPTY, &frames[0]);
        check_follows(&Head::after(&frames[0].header, frames[0].hash), &frames[2]);
    }

    #[test]
    #[should_panic(expected = "the bytes that were read")]
    fn a_planted_reader_that_loses_the_last_frame_is_noticed() {
        let (mut frames, segment) = example();
        frames.pop();
        check_stored_again(&frames, &segment, [7; 16]);
    }
}
