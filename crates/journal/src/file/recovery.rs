//! Opening a journal: verify that it is complete and repair what a crash may have left.
//!
//! A crash can damage only the last write, which was never acknowledged: a frame in which some sector, or the end mark,
//! is still zero, with nothing after it. Such a frame is cut. Any other damage affects data that was durable; opening
//! then fails and names the position. Nothing is written before everything was checked.

use std::io;

use super::layout::{self, FoundFrame, HEADER_BYTES, SegmentBinding, frame_start, is_torn, is_zero};
use super::segment::{PREFACE_BYTES, Segment, segment_name};
use crate::archive::Archived;
use crate::disk::{Disk, read_all, write_all};
use crate::{Error, Frame, Head, Place, Sequence};

/// A torn frame that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub place: Place,
    /// From the start of the frame to the last non-zero byte after it.
    pub bytes: u64,
}

/// The end of a journal, where appending continues.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) segment: Segment,
    pub(super) end: usize,
    pub(super) head: Head,
    pub(super) cut: Option<Cut>,
}

/// Opens the segments with these names, in this order. `archived` is the record of the frames before them.
pub(super) fn recover(
    disk: &dyn Disk,
    names: &[String],
    verify_from: Sequence,
    archived: Option<&Archived>,
) -> Result<Recovered, Error> {
    let mut previous: Option<Segment> = None;
    let mut head = base(disk, names, archived)?;
    let mut journal = archived.map(|archived| archived.journal);
    for (index, name) in names.iter().enumerate() {
        if let Some(archived) = archived {
            check_passes(name, &head, archived)?;
        }
        let segment = Segment::open(disk, name)?;
        check_follows(&segment, &head)?;
        if *journal.get_or_insert(segment.header.journal) != segment.header.journal {
            return Err(Error::wrong_file(name, "belongs to another journal"));
        }
        if index + 1 == names.len() {
            return finish(disk, previous, segment);
        }
        head = match segment.seal {
            Some(seal) if seal.next <= verify_from => seal,
            _ => verify(&segment)?,
        };
        previous = Some(segment);
    }
    Err(Error::NoJournal)
}

/// The head that the first segment must follow: an empty journal, or the end of the archived frames. An archived
/// segment that was not removed yet may precede that end.
fn base(disk: &dyn Disk, names: &[String], archived: Option<&Archived>) -> Result<Head, Error> {
    let Some(archived) = archived else { return Ok(Head::EMPTY) };
    let next = segment_name(archived.end.next);
    match names.first() {
        None => {
            let why = format!("the frames before it were archived to {}", archived.place);
            Err(Error::MissingFile { file: next, why })
        }
        Some(name) if *name >= next => Ok(archived.end),
        Some(name) => Ok(Segment::open(disk, name)?.header.start),
    }
}

/// Fails if the segments lead past the end of the archived frames without matching it.
fn check_passes(name: &str, head: &Head, archived: &Archived) -> Result<(), Error> {
    let end = &archived.end;
    let is_past = *name >= *segment_name(end.next);
    if is_past && head.next <= end.next && head != end {
        let what = format!("does not follow what was archived to {}", archived.place);
        return Err(Error::wrong_file(name, what));
    }
    Ok(())
}

fn check_follows(segment: &Segment, head: &Head) -> Result<(), Error> {
    if segment.header.start == *head {
        return Ok(());
    }
    if segment.header.start.next > head.next {
        let why = format!("{} begins with sequence {}", segment.name, segment.header.start.next);
        return Err(Error::MissingFile { file: segment_name(head.next), why });
    }
    Err(Error::wrong_file(&segment.name, format!("does not follow the segment before it at {}", head.next)))
}

/// Verifies a segment that others follow: all its frames, and that they lead to its seal.
fn verify(segment: &Segment) -> Result<Head, Error> {
    let scan = Scan::of(segment)?;
    if let Some(what) = scan.what_is_wrong {
        return Err(scan.corrupt(what));
    }
    match segment.seal {
        Some(seal) if seal != scan.head => Err(scan.corrupt("the frames up to the next segment are missing")),
        _ => Ok(scan.head),
    }
}

/// The frames of a sealed segment, verified one by one and against the seal.
pub(super) fn frames_of(segment: &Segment) -> Result<Vec<Frame>, Error> {
    let head = verify(segment)?;
    assert!(segment.seal == Some(head), "only sealed segments are moved");
    let mut bytes = vec![0; segment.header.segment_bytes as usize];
    read_all(&*segment.file, &mut bytes, 0).map_err(Error::disk("read", &segment.name))?;
    let (mut frames, mut head, mut stop) = (Vec::new(), segment.header.start, PREFACE_BYTES);
    let binding = segment.header.binding();
    while segment.seal != Some(head) {
        match layout::decode(binding, stop, &bytes[stop..], bytes.len(), &head) {
            FoundFrame::Frame { header, hash, payload, end } => {
                head = Head::after(&header, hash);
                stop = frame_start(end).min(bytes.len());
                frames.push(Frame { header, hash, payload });
            }
            _ => {
                let (file, offset, sequence) = (segment.name.clone(), stop as u64, head.next);
                let what = "a frame changed while it was read";
                return Err(Error::Corrupt { place: Place { file, offset, sequence }, what });
            }
        }
    }
    Ok(frames)
}

/// Verifies the last segment, repairs it and makes all of it durable.
fn finish(disk: &dyn Disk, previous: Option<Segment>, segment: Segment) -> Result<Recovered, Error> {
    if let Some(seal) = segment.seal {
        let why = format!("{} is sealed and names it as the next segment", segment.name);
        return Err(Error::MissingFile { file: segment_name(seal.next), why });
    }
    let scan = Scan::of(&segment)?;
    let cut = match scan.what_is_wrong {
        Some(what) if !scan.is_torn => return Err(scan.corrupt(what)),
        Some(_) => Some(Cut { place: scan.place(), bytes: (scan.written_end() - scan.stop) as u64 }),
        None => None,
    };
    // The last frame may not be durable: after a failed sync it is readable but may never reach the disk. It was not
    // acknowledged yet, so write it again before anything is built on it.
    scan.repair(cut.as_ref()).map_err(Error::disk("mend", &segment.name))?;
    disk.sync_folder().map_err(Error::disk("sync the folder of", &segment.name))?;
    if let Some(previous) = previous.filter(|previous| previous.seal.is_none()) {
        previous.seal(&segment.header.start)?;
    }
    let (end, head) = (scan.end, scan.head);
    Ok(Recovered { segment, end, head, cut })
}

/// The result of reading a segment from front to back.
#[derive(Debug)]
struct Scan<'a> {
    segment: &'a Segment,
    bytes: Vec<u8>,
    /// The offsets where the last good frame begins and ends.
    last: usize,
    end: usize,
    /// The offset where the next frame would begin.
    stop: usize,
    head: Head,
    /// Set if the data at or after `stop` is neither a good frame nor all zeros.
    what_is_wrong: Option<&'static str>,
    /// Whether a crash during a write explains it.
    is_torn: bool,
}

impl Scan<'_> {
    fn of(segment: &Segment) -> Result<Scan<'_>, Error> {
        let mut bytes = vec![0; segment.header.segment_bytes as usize];
        read_all(&*segment.file, &mut bytes, 0).map_err(Error::disk("read", &segment.name))?;
        let (last, end) = (PREFACE_BYTES, PREFACE_BYTES);
        let (head, what_is_wrong, is_torn) = (segment.header.start, None, false);
        let mut scan = Scan { segment, bytes, last, end, stop: end, head, what_is_wrong, is_torn };
        let found = scan.walk();
        (scan.what_is_wrong, scan.is_torn) =
            judge(segment.header.binding(), &scan.bytes, scan.end, scan.stop, &found);
        Ok(scan)
    }

    /// Skips the good frames and returns what follows them.
    fn walk(&mut self) -> FoundFrame {
        loop {
            self.stop = frame_start(self.end).min(self.bytes.len());
            let (binding, rest) = (self.segment.header.binding(), &self.bytes[self.stop..]);
            match layout::decode(binding, self.stop, rest, self.bytes.len(), &self.head) {
                FoundFrame::Frame { header, hash, end, .. } => {
                    self.head = Head::after(&header, hash);
                    self.last = self.stop;
                    self.end = end;
                }
                found => return found,
            }
        }
    }

    fn written_end(&self) -> usize {
        self.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1).max(self.stop)
    }

    /// Zeros the cut bytes, rewrites the last good frame and syncs.
    fn repair(&self, cut: Option<&Cut>) -> io::Result<()> {
        let file = &*self.segment.file;
        if let Some(cut) = cut {
            // The header is zeroed last, in case of another crash: a partial header followed by zeros counts as torn,
            // and so does a partly zeroed body.
            let zeros = vec![0; cut.bytes as usize];
            let (header, body) = zeros.split_at(zeros.len().min(HEADER_BYTES));
            write_all(file, body, cut.place.offset + header.len() as u64)?;
            file.sync_data()?;
            write_all(file, header, cut.place.offset)?;
        }
        write_all(file, &self.bytes[self.last..self.end], self.last as u64)?;
        file.sync_data()
    }

    fn place(&self) -> Place {
        Place { file: self.segment.name.clone(), offset: self.stop as u64, sequence: self.head.next }
    }

    fn corrupt(&self, what: &'static str) -> Error {
        Error::Corrupt { place: self.place(), what }
    }
}

/// A description of the damage at `stop` in a segment whose last good frame ends at `end`, and whether a crash explains
/// it.
pub(super) fn judge(
    binding: SegmentBinding,
    bytes: &[u8],
    end: usize,
    stop: usize,
    found: &FoundFrame,
) -> (Option<&'static str>, bool) {
    let rest = &bytes[stop..];
    if !is_zero(&bytes[end..stop]) {
        return (Some("bytes between two frames"), false);
    }
    match *found {
        FoundFrame::Frame { .. } => unreachable!("the scan continues after a good frame"),
        FoundFrame::Unwritten if is_zero(rest) => (None, false),
        // The header's sector was not written but later ones were. That is a torn write, unless a valid header follows.
        FoundFrame::Unwritten => {
            (Some("bytes of a frame without a header"), !has_frame_behind(binding, bytes, stop))
        }
        // A header is within one sector. A partial header is a truncated write, so nothing may follow it, not even an
        // end mark.
        FoundFrame::BadHeader => {
            (Some("a bad header"), rest.len() <= HEADER_BYTES || is_zero(&rest[HEADER_BYTES..]))
        }
        FoundFrame::BadBody { end } => {
            (Some("a bad frame"), is_torn(bytes, stop, end) && is_zero(&bytes[end..]))
        }
        FoundFrame::Misplaced(what) => (Some(what), false),
    }
}

pub(super) fn has_frame_behind(binding: SegmentBinding, bytes: &[u8], stop: usize) -> bool {
    let mut starts = (stop..bytes.len()).step_by(8).filter(|start| frame_start(*start) == *start);
    starts.any(|start| layout::decode_header(binding, start, &bytes[start..]).is_some())
}
