//! Damage that no crash causes: truncation at every byte and every flipped bit of a small journal.
//!
//! Each is refused with its position, or does no harm. A frame that was answered is never truncated for it.

use std::ops::Range;
use std::sync::Arc;

use journal::disk::Disk;
use journal::file::{FileJournal, Options};
use journal::testing::conformance::{payload_of, store};
use journal::testing::{FaultyDisk, ManualClock};
use journal::{Error, Frame, Journal, Payload, Sequence};

const OPTIONS: Options =
    Options { segment_bytes: 4096, verify_from: Sequence::FIRST, prepare_in_background: false };

/// A journal, its expected frames, and the position of each frame.
struct Example {
    disk: FaultyDisk,
    stored: Vec<Frame>,
    places: Vec<(String, Range<usize>)>,
}

impl Example {
    fn new(payloads: &[Payload]) -> Example {
        let disk = FaultyDisk::new(1);
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let clock = Box::new(ManualClock::new(7));
        let mut journal = FileJournal::create(shared, clock, OPTIONS, [7; 16]).expect("a journal");
        let (mut stored, mut places) = (Vec::new(), Vec::new());
        for payload in payloads {
            let before = (names(&disk).len(), disk.content(names(&disk).last().expect("a segment")));
            stored.push(store(&mut journal, payload));
            let name = names(&disk).pop().expect("a segment");
            let (after, fresh) = (disk.content(&name), vec![0; 4096]);
            let before = if names(&disk).len() == before.0 { &before.1 } else { &fresh };
            // A new segment also gets its header; a frame begins after that.
            let written = |index: &usize| after[*index] != before[*index];
            let start = (1024..4096).find(written).expect("a frame was written");
            let end = (1024..4096).rfind(written).expect("a frame was written") + 1;
            places.push((name, start..end));
        }
        disk.restart();
        Example { disk, stored, places }
    }

    /// Opens the journal with this file replaced and reads all of it.
    fn read_with(&self, name: &str, bytes: &[u8]) -> Result<(Vec<Frame>, bool), Error> {
        let disk = self.disk.fork();
        disk.overwrite(name, bytes);
        let journal = FileJournal::open(Arc::new(disk), Box::new(ManualClock::new(7)), OPTIONS)?;
        let mut cursor = journal.frames(Sequence::FIRST)?;
        let mut frames = Vec::new();
        while let Some(frame) = cursor.next_frame()? {
            frames.push(frame);
        }
        Ok((frames, journal.cut().is_some()))
    }

    /// Flips every bit of `range` of a file, one at a time.
    fn flip_every_bit(&self, name: &str, range: Range<usize>, is_refused_always: bool) {
        let mut bytes = self.disk.content(name);
        for bit in range.start * 8..range.end * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            match self.read_with(name, &bytes) {
                Ok((frames, _)) => {
                    assert!(frames == self.stored, "bit {bit} of {name}: frames were lost in silence");
                    assert!(!is_refused_always, "bit {bit} of {name}: damage was not seen");
                }
                Err(error) => assert!(error.to_string().contains(name), "bit {bit} of {name}: {error}"),
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

fn names(disk: &FaultyDisk) -> Vec<String> {
    let mut names = disk.list().expect("names");
    names.retain(|name| name.ends_with(".segment"));
    names.sort();
    names
}

fn one_command(bytes: &[u8]) -> Payload {
    let mut payload = Payload::new();
    payload.push(bytes);
    payload
}

fn ordinary() -> Example {
    let payloads: Vec<_> = [20, 700, 0, 1500, 300, 900, 430].map(|length| payload_of(&[length, 8], 3)).into();
    let example = Example::new(&payloads);
    assert_eq!(names(&example.disk).len(), 2);
    example
}

#[test]
fn a_segment_truncated_at_any_byte_is_refused_and_named() {
    let example = ordinary();
    for name in names(&example.disk) {
        let bytes = example.disk.content(&name);
        for length in 0..bytes.len() {
            let error = example.read_with(&name, &bytes[..length]).expect_err("a refusal");
            assert!(error.to_string().contains(&name), "{length}: {error}");
        }
        let longer = [&*bytes, &[0]].concat();
        assert!(example.read_with(&name, &longer).is_err(), "a longer file is refused as well");
    }
}

#[test]
fn a_flipped_bit_anywhere_loses_nothing_in_silence() {
    let example = ordinary();
    for name in names(&example.disk) {
        example.flip_every_bit(&name, 0..4096, false);
    }
}

#[test]
fn a_flipped_bit_in_any_answered_frame_is_refused() {
    let example = ordinary();
    for (name, range) in &example.places {
        example.flip_every_bit(name, range.clone(), true);
    }
}

#[test]
fn a_flipped_bit_in_a_last_frame_that_is_nearly_zeros_is_refused_and_not_cut() {
    // Whole sectors of zeros, and sectors with a single bit, so that one flip leaves a sector of zeros.
    let mut nearly = vec![0; 2000];
    nearly[1000] = 1;
    nearly[1700] = 128;
    for command in [vec![0; 2000], nearly, vec![0; 439], vec![0; 440], vec![]] {
        let example = Example::new(&[payload_of(&[33], 1), one_command(&command)]);
        let (name, range) = example.places.last().expect("a frame");
        example.flip_every_bit(name, range.clone(), true);
    }
}

#[test]
fn the_last_frame_is_cut_if_a_sector_or_the_end_mark_is_zero_and_nothing_follows() {
    let example = Example::new(&[payload_of(&[33], 1), one_command(&[0; 2000])]);
    let (name, range) = example.places.last().expect("a frame");
    let whole = example.disk.content(name);
    let mut torn: Vec<Vec<u8>> = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = (start / 512 * 512 + 512).min(range.end);
        let mut bytes = whole.clone();
        bytes[start..end].fill(0);
        torn.push(bytes);
        start = end;
    }
    // A write that stopped anywhere.
    torn.extend((range.start + 1..range.end).map(|end| {
        let mut bytes = whole.clone();
        bytes[end..].fill(0);
        bytes
    }));
    for bytes in torn {
        let (frames, is_cut) = example.read_with(name, &bytes).expect("a torn tail is no corruption");
        assert!(is_cut);
        assert_eq!(frames, example.stored[..1]);
    }
}

#[test]
fn a_lost_sector_of_a_frame_that_others_follow_is_refused() {
    let example = Example::new(&[payload_of(&[33], 1), one_command(&[0; 1500]), payload_of(&[33], 2)]);
    let (name, range) = &example.places[1];
    let whole = example.disk.content(name);
    for sector in range.start / 512..range.end.div_ceil(512) {
        let lost = (sector * 512).max(range.start)..(sector * 512 + 512).min(range.end);
        let mut bytes = whole.clone();
        bytes[lost].fill(0);
        let error = example.read_with(name, &bytes).expect_err("a refusal").to_string();
        assert!(error.contains(&format!("{name} at offset {}, sequence 2", range.start)), "{error}");
    }
}

#[test]
fn a_payload_that_looks_like_a_frame_does_not_pass_for_one() {
    // The first frame's own bytes as a command of the second, whose first sector is then lost.
    let first = Example::new(&[payload_of(&[33], 1)]);
    let bytes = first.disk.content(&first.places[0].0)[1024..1536].to_vec();
    let command = bytes.repeat(4);
    let example = Example::new(&[payload_of(&[33], 1), one_command(&command)]);
    let (name, range) = example.places.last().expect("a frame");
    let mut torn = example.disk.content(name);
    torn[range.start..1536].fill(0);
    let (frames, is_cut) = example.read_with(name, &torn).expect("a torn tail is no corruption");
    assert!(is_cut);
    assert_eq!(frames, example.stored[..1]);
}
