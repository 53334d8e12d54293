//! Reads a journal as an auditor: every byte of its archive and of every segment, without the lock and without writing.
//!
//! It may run while another process writes. Data that looks unfinished is therefore read again before it is judged: a
//! writer completes it, damage stays. The audit also checks bytes that recovery ignores (between frames, in an unused
//! seal). If another process moves segments into the archive meanwhile, the audit continues in the archive.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::layout::{self, FoundFrame, SECTOR_BYTES, frame_start, is_zero};
use super::recovery::{has_frame_behind, judge};
use super::segment::{PREFACE_BYTES, Segment, segment_name, segment_names};
use crate::archive::{ArchiveFrames, ArchivePlace, Archived, archived_frames};
use crate::disk::{Disk, read_all};
use crate::{Error, Frame, Head, Place};

/// How often unfinished data is read again, and the delay before each attempt.
const LOOKS: u32 = 20;
const LOOK_AFTER: Duration = Duration::from_millis(10);

/// How the journal ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// At its last frame, followed by zeros.
    Clean,
    /// At the remains of a write that a crash interrupted, or at damage that looks like one. An interrupted write was
    /// never acknowledged.
    Unfinished(Place),
}

/// An iteration over all frames, starting at the first.
#[derive(Debug)]
pub struct Audit {
    disk: Arc<dyn Disk>,
    archive: Option<ArchivePlace>,
    /// Set while frames come from the archive. The fields below then describe the segment that was read before, if any.
    archived: Option<ArchiveFrames>,
    segment: Segment,
    /// The content of the segment when it was last read.
    bytes: Vec<u8>,
    /// The offset after the last frame.
    end: usize,
    head: Head,
    visited: BTreeSet<String>,
    looks_max: u32,
    tail: Option<Tail>,
}

impl Audit {
    /// Opens a journal without an archive, before the first frame.
    pub fn open(disk: Arc<dyn Disk>) -> Result<Audit, Error> {
        Audit::open_with(disk, None)
    }

    /// Opens a journal before its first frame, which is in the archive if any frames were moved there.
    pub fn open_with(disk: Arc<dyn Disk>, archive: Option<ArchivePlace>) -> Result<Audit, Error> {
        Audit::open_at(disk, archive, &Head::EMPTY)
    }

    /// Opens a journal at `head`, which must be the end of one of its frames. Earlier frames are not checked.
    pub fn open_at(disk: Arc<dyn Disk>, archive: Option<ArchivePlace>, head: &Head) -> Result<Audit, Error> {
        for _ in 0..LOOKS {
            match Audit::try_open_at(Arc::clone(&disk), archive.clone(), head) {
                // Moved to the archive since the folder was listed.
                Err(error) if error.is_not_found() => {}
                opened => return opened,
            }
        }
        Audit::try_open_at(disk, archive, head)
    }

    fn try_open_at(disk: Arc<dyn Disk>, archive: Option<ArchivePlace>, head: &Head) -> Result<Audit, Error> {
        // List before reading the record: a segment that is no longer listed is then covered by the record.
        let names = list(&*disk)?;
        let record = Archived::read(&*disk)?;
        let wanted = segment_name(head.next);
        let first = names.first().ok_or(Error::NoJournal)?;
        let at = names.iter().rev().find(|name| **name <= wanted);
        let mut audit = match (at, &record) {
            (Some(name), _) => Audit::enter(disk, archive, name)?,
            (None, None) => {
                let why = format!("{first} does not begin the journal");
                return Err(Error::MissingFile { file: segment_name(Head::EMPTY.next), why });
            }
            (None, Some(record)) => {
                let mut audit = Audit::enter(disk, archive, first)?;
                audit.enter_archive(record, head)?;
                audit
            }
        };
        audit.visited.extend(names.into_iter().filter(|name| *name <= wanted));
        audit.skip_to(head)?;
        Ok(audit)
    }

    /// Opens the last segment, before its first frame: a fast way to the head, which proves little.
    pub fn open_last(disk: Arc<dyn Disk>) -> Result<Audit, Error> {
        let name = list(&*disk)?.pop().ok_or(Error::NoJournal)?;
        let mut audit = Audit::enter(disk, None, &name)?;
        audit.visited.extend(list(&*audit.disk)?);
        Ok(audit)
    }

    fn enter(disk: Arc<dyn Disk>, archive: Option<ArchivePlace>, name: &str) -> Result<Audit, Error> {
        let segment = Segment::open(&*disk, name)?;
        let bytes = read(&segment)?;
        let (head, visited) = (segment.header.start, BTreeSet::from([name.to_owned()]));
        let (end, looks_max, tail, archived) = (PREFACE_BYTES, LOOKS, None, None);
        Ok(Audit { disk, archive, archived, segment, bytes, end, head, visited, looks_max, tail })
    }

    /// Continues in the archive, at the file that contains the frame after `head`.
    fn enter_archive(&mut self, record: &Archived, head: &Head) -> Result<(), Error> {
        let frames = archived_frames(self.archive.as_ref(), record, head.next)?;
        if record.journal != self.segment.header.journal {
            return Err(Error::wrong_file(&record.place, "is the archive of another journal"));
        }
        self.head = frames.head();
        self.archived = Some(frames);
        Ok(())
    }

    /// Reads up to `head`, and fails if the frames lead to another head.
    fn skip_to(&mut self, head: &Head) -> Result<(), Error> {
        while self.head.next < head.next && self.next_frame()?.is_some() {}
        if self.head == *head {
            return Ok(());
        }
        let what = format!("does not lead to the expected frame at {}", head.next.0 - 1);
        Err(Error::wrong_file("the journal", what))
    }

    /// For a journal without a running writer: unfinished data is not read again.
    pub fn at_rest(self) -> Audit {
        Audit { looks_max: 1, ..self }
    }

    /// The head that the next frame follows.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The random bytes that the journal was created with.
    pub fn id(&self) -> [u8; 16] {
        self.segment.header.journal
    }

    /// How the journal ends, once it has been read to its end.
    pub fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref()
    }

    /// Syncs everything that was read, in case its writer has not done so yet.
    pub fn make_durable(&self) -> Result<(), Error> {
        self.segment.file.sync_data().map_err(Error::disk("sync", &self.segment.name))?;
        self.disk.sync_folder().map_err(Error::disk("sync the folder of", &self.segment.name))
    }

    /// The next frame; `None` at the end, permanently.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        let mut looks = 0;
        while self.tail.is_none() {
            if let Some(archived) = &mut self.archived {
                if let Some(frame) = archived.next_frame()? {
                    self.head = archived.head();
                    return Ok(Some(frame));
                }
                self.leave_archive()?;
                continue;
            }
            let stop = self.stop();
            if !is_zero(&self.bytes[self.end..stop]) {
                return Err(self.corrupt("bytes between two frames"));
            }
            let (binding, rest) = (self.segment.header.binding(), &self.bytes[stop..]);
            match layout::decode(binding, stop, rest, self.bytes.len(), &self.head) {
                FoundFrame::Frame { header, hash, payload, end } => {
                    self.head = Head::after(&header, hash);
                    self.end = end;
                    return Ok(Some(Frame { header, hash, payload }));
                }
                found => self.continue_after(&found, &mut looks)?,
            }
        }
        Ok(None)
    }

    /// After the last frame of a segment: continues in the next segment or ends.
    fn continue_after(&mut self, found: &FoundFrame, looks: &mut u32) -> Result<(), Error> {
        let fresh = match Segment::open(&*self.disk, &self.segment.name) {
            // Moved to the archive since it was read.
            Err(error) if error.is_not_found() => return self.resume(),
            opened => opened?,
        };
        let is_blank = matches!(found, FoundFrame::Unwritten) && is_zero(&self.bytes[self.stop()..]);
        match fresh.seal {
            Some(seal) if seal == self.head && is_blank => return self.next_segment(),
            // Sealed since the last read; the frames before the seal may be newer too.
            Some(_) if *looks == 0 => return self.reread(looks),
            Some(_) => return Err(self.corrupt("the frames before the seal do not lead to it")),
            None => {}
        }
        let next = segment_name(self.head.next);
        let has_next = self.head != self.segment.header.start && list(&*self.disk)?.contains(&next);
        let has_seal = !is_zero(&self.bytes[SECTOR_BYTES..PREFACE_BYTES]);
        if is_blank && !has_next && !has_seal {
            return self.finish(Tail::Clean);
        }
        // A writer never writes after an unfinished frame, so one more read is enough.
        let is_inside = has_frame_behind(self.segment.header.binding(), &self.bytes, self.stop());
        if *looks < if is_inside { 1 } else { self.looks_max } {
            return self.reread(looks);
        }
        if is_blank && has_next {
            return self.leave_unsealed(&next);
        }
        if has_seal {
            return Err(Error::wrong_file(&self.segment.name, "bytes in an unused seal, offset 512"));
        }
        match judge(self.segment.header.binding(), &self.bytes, self.end, self.stop(), found) {
            (Some(_), true) => self.finish(Tail::Unfinished(self.place())),
            (what, _) => Err(self.corrupt(what.unwrap_or("bytes that are not a frame"))),
        }
    }

    /// A crash between naming a new segment and sealing the previous one leaves the new one empty.
    fn leave_unsealed(&mut self, next: &str) -> Result<(), Error> {
        let place = Place { offset: SECTOR_BYTES as u64, ..self.place() };
        self.next_segment()?;
        if is_zero(&self.bytes[SECTOR_BYTES..]) {
            return self.finish(Tail::Unfinished(place));
        }
        let what = format!("the seal before {next}, offset {SECTOR_BYTES}, is missing");
        Err(Error::wrong_file(&place.file, what))
    }

    fn reread(&mut self, looks: &mut u32) -> Result<(), Error> {
        *looks += 1;
        if *looks > 1 {
            thread::sleep(LOOK_AFTER);
        }
        self.bytes = read(&self.segment)?;
        Ok(())
    }

    /// Continues in the next segment.
    fn next_segment(&mut self) -> Result<(), Error> {
        let name = segment_name(self.head.next);
        if !list(&*self.disk)?.contains(&name) {
            if Archived::read(&*self.disk)?.is_some_and(|record| record.end.next > self.head.next) {
                return self.resume();
            }
            let why = format!("{} is sealed and names it as the next segment", self.segment.name);
            return Err(Error::MissingFile { file: name, why });
        }
        let segment = match Segment::open(&*self.disk, &name) {
            Err(error) if error.is_not_found() => return self.resume(),
            opened => opened?,
        };
        if segment.header.start != self.head || segment.header.journal != self.segment.header.journal {
            return Err(Error::wrong_file(&name, "does not follow the segment before it"));
        }
        self.bytes = read(&segment)?;
        self.segment = segment;
        self.end = PREFACE_BYTES;
        self.visited.insert(name);
        Ok(())
    }

    /// Continues after the last frame that was read, in the segment that begins there or in the archive.
    fn resume(&mut self) -> Result<(), Error> {
        let next = segment_name(self.head.next);
        match Archived::read(&*self.disk)? {
            Some(record) if record.end.next > self.head.next => {
                let head = self.head;
                self.enter_archive(&record, &head)?;
                self.skip_to(&head)
            }
            Some(record) if record.end == self.head => self.next_segment(),
            _ => Err(Error::MissingFile { file: next, why: format!("{} is gone", self.segment.name) }),
        }
    }

    /// After the last frame of the archive: continues in the segment that contains the next frame.
    fn leave_archive(&mut self) -> Result<(), Error> {
        let head = self.head;
        self.archived = None;
        let names = list(&*self.disk)?;
        let Some(name) = names.iter().rev().find(|name| **name <= segment_name(head.next)) else {
            return self.resume();
        };
        let segment = match Segment::open(&*self.disk, name) {
            Err(error) if error.is_not_found() => return self.resume(),
            opened => opened?,
        };
        // The archive already has the first frames of this segment, but the segment was not removed yet.
        self.bytes = read(&segment)?;
        (self.end, self.head) = (PREFACE_BYTES, segment.header.start);
        self.segment = segment;
        self.visited.extend(names.iter().filter(|name| **name <= segment_name(head.next)).cloned());
        self.skip_to(&head)
    }

    /// Ends the audit, if every segment in the folder was visited.
    fn finish(&mut self, tail: Tail) -> Result<(), Error> {
        let stray = list(&*self.disk)?.into_iter().find(|name| {
            // A segment that a writer creates meanwhile begins at or after the end of what was read.
            !self.visited.contains(name) && *name < segment_name(self.head.next)
        });
        let lost = list(&*self.disk)?.pop().filter(|name| *name > segment_name(self.head.next));
        if let Some(name) = stray.or(lost.filter(|_| self.is_unchanged())) {
            return Err(Error::wrong_file(&name, "is not where the segments before it lead"));
        }
        self.tail = Some(tail);
        Ok(())
    }

    /// Whether the segment is unchanged since it was read, so that no writer is active. A writer names the next segment
    /// before it seals this one, but by then all frames up to that name are in this segment.
    fn is_unchanged(&self) -> bool {
        let fresh = Segment::open(&*self.disk, &self.segment.name);
        fresh.is_ok_and(|fresh| fresh.seal.is_none() && read(&fresh).is_ok_and(|bytes| bytes == self.bytes))
    }

    fn stop(&self) -> usize {
        frame_start(self.end).min(self.bytes.len())
    }

    fn place(&self) -> Place {
        let (file, offset) = (self.segment.name.clone(), self.stop() as u64);
        Place { file, offset, sequence: self.head.next }
    }

    fn corrupt(&self, what: &'static str) -> Error {
        Error::Corrupt { place: self.place(), what }
    }
}

fn list(disk: &dyn Disk) -> Result<Vec<String>, Error> {
    Ok(segment_names(disk.list().map_err(Error::disk("list", "the folder"))?))
}

fn read(segment: &Segment) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; segment.header.segment_bytes as usize];
    read_all(&*segment.file, &mut bytes, 0).map_err(Error::disk("read", &segment.name))?;
    Ok(bytes)
}
