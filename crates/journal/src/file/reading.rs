//! Reads the frames of a journal from any sequence: archived frames from the archive, then the rest from the segments.
//! If frames are moved while they are being read, the reader continues in the archive.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::cursor::Cursor;
use super::segment::{segment_name, segment_names};
use crate::archive::{ArchiveFrames, ArchivePlace, Archived, archived_frames};
use crate::disk::Disk;
use crate::{Error, Frame, Frames, Head, Sequence};

/// How many times a segment may be moved between listing and opening it.
const TRIES_MAX: usize = 100;

#[derive(Debug)]
pub(super) struct Reading {
    disk: Arc<dyn Disk>,
    durable: Arc<AtomicU64>,
    archive: Option<ArchivePlace>,
    stage: Stage,
    /// Frames that end before this sequence are skipped.
    from: Sequence,
    /// The head after the last returned frame.
    head: Option<Head>,
}

#[derive(Debug)]
enum Stage {
    Archived(ArchiveFrames),
    Live(Cursor),
}

impl Reading {
    pub(super) fn new(
        disk: Arc<dyn Disk>,
        durable: Arc<AtomicU64>,
        archive: Option<ArchivePlace>,
        from: Sequence,
    ) -> Result<Reading, Error> {
        let from = from.max(Sequence::FIRST);
        let stage = enter(&disk, &durable, archive.as_ref(), from)?;
        Ok(Reading { disk, durable, archive, stage, from, head: None })
    }

    fn enter(&mut self, at: Sequence) -> Result<(), Error> {
        // A file of the archive is read from its beginning; frames that were already returned are skipped.
        self.from = self.from.max(at);
        self.stage = enter(&self.disk, &self.durable, self.archive.as_ref(), at)?;
        Ok(())
    }

    /// Whether the segment that begins with `at` was moved into the archive.
    fn is_moved(&self, at: Sequence) -> Result<bool, Error> {
        Ok(Archived::read(&*self.disk)?.is_some_and(|record| record.end.next > at))
    }
}

/// Positions a reader before the frame that contains `at`.
fn enter(
    disk: &Arc<dyn Disk>,
    durable: &Arc<AtomicU64>,
    archive: Option<&ArchivePlace>,
    at: Sequence,
) -> Result<Stage, Error> {
    for _ in 0..TRIES_MAX {
        // List before reading the record: a segment that is no longer listed is then covered by the record.
        let names = segment_names(disk.list().map_err(Error::disk("list", "the folder"))?);
        let Some(name) = names.into_iter().rev().find(|name| *name <= segment_name(at)) else {
            let record = Archived::read(&**disk)?.ok_or(Error::NoJournal)?;
            return archived_frames(archive, &record, at).map(Stage::Archived);
        };
        match Cursor::open(Arc::clone(disk), Arc::clone(durable), &name, at) {
            Err(error) if error.is_not_found() => {}
            opened => return opened.map(Stage::Live),
        }
    }
    Err(Error::WrongOptions("segments are moved faster than they can be opened"))
}

impl Frames for Reading {
    fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        let frame = loop {
            match &mut self.stage {
                Stage::Archived(frames) => match frames.next_frame()? {
                    Some(frame) if frame.header.next() > self.from => break frame,
                    Some(_) => {}
                    None => {
                        let at = frames.head().next;
                        self.enter(at)?;
                    }
                },
                Stage::Live(cursor) => {
                    let (read, at) = (cursor.next_frame(), cursor.head().next);
                    match read {
                        Err(error) if error.is_not_found() && self.is_moved(at)? => self.enter(at)?,
                        Ok(Some(frame)) => break frame,
                        read => return read,
                    }
                }
            }
        };
        if self.head.is_some_and(|head| !head.is_followed_by(&frame.header)) {
            let what = format!("sequence {} does not follow the frame before it", frame.header.first);
            return Err(Error::wrong_file("the journal", what));
        }
        self.head = Some(Head::after(&frame.header, frame.hash));
        Ok(Some(frame))
    }
}
