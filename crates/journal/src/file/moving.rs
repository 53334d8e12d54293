//! Moves sealed segments into an archive, oldest first, one at a time.
//!
//! A segment is removed only after its archive file is durable and was read back and compared, and after the record of
//! the move is durable. A crash at any point leaves each frame in one of the two places or in both. Sealed segments
//! never change, so this may run while another process writes the journal; it uses separate locks.

use std::any::Any;
use std::io;
use std::sync::Arc;

use super::recovery::frames_of;
use super::segment::{Segment, SegmentHeader, segment_names};
use crate::archive::{self, Archive, ArchivePlace, Archived};
use crate::disk::Disk;
use crate::{Error, Sequence};

/// Held by the one process that moves segments out of a folder.
const LOCK: &str = "moving.lock";

/// Moves segments of a journal to an archive.
pub struct SegmentMover {
    journal: Arc<dyn Disk>,
    archive: Archive,
    /// The location of the archive, for the record.
    place: String,
    _locks: [Box<dyn Any + Send>; 2],
}

/// A segment that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The sequences `first..next`.
    pub first: Sequence,
    pub next: Sequence,
    pub frames: u64,
    pub segment_bytes: u64,
}

impl SegmentMover {
    /// Locks both folders. The archive must hold every frame that has left the journal. Completes an interrupted move.
    pub fn open(
        journal: Arc<dyn Disk>,
        archive: Arc<dyn Disk>,
        place: impl Into<String>,
    ) -> Result<SegmentMover, Error> {
        let place = place.into();
        let locks = [lock(&*journal)?, archive::lock(&*archive)?];
        let archive = ArchivePlace::on(archive, place.clone()).open()?;
        let mut mover = SegmentMover { journal, archive, place, _locks: locks };
        let Some(mut record) = Archived::read(&*mover.journal)? else { return Ok(mover) };
        if mover.archive.journal() != Some(record.journal) || !mover.archive.ends_a_file_at(&record.end) {
            let what = format!(
                "frames up to sequence {} were archived to {}: move that archive here first",
                record.end.next.0 - 1,
                record.place
            );
            return Err(Error::wrong_file(&mover.place, what));
        }
        if record.place != mover.place {
            record.place.clone_from(&mover.place);
            record.write(&*mover.journal)?;
        }
        while let Some(segment) = mover.oldest()? {
            if segment.header.start.next >= record.end.next {
                break;
            }
            mover.take(&segment)?;
            mover.remove(&segment.name)?;
        }
        Ok(mover)
    }

    /// The archive in its current state.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The sequence after the oldest segment; `None` if that segment is not sealed.
    pub fn next_end(&self) -> Result<Option<Sequence>, Error> {
        Ok(self.oldest()?.and_then(|segment| segment.seal).map(|seal| seal.next))
    }

    /// Moves the oldest segment, if it is sealed and ends at or before `until`. `None` if there is no such segment.
    pub fn move_next(&mut self, until: Sequence) -> Result<Option<Moved>, Error> {
        let Some(segment) = self.oldest()? else { return Ok(None) };
        let Some(seal) = segment.seal.filter(|seal| seal.next <= until) else { return Ok(None) };
        let frames = self.take(&segment)?;
        let SegmentHeader { journal, segment_bytes, start } = segment.header;
        Archived { place: self.place.clone(), journal, end: seal }.write(&*self.journal)?;
        self.remove(&segment.name)?;
        Ok(Some(Moved { first: start.next, next: seal.next, frames, segment_bytes }))
    }

    fn oldest(&self) -> Result<Option<Segment>, Error> {
        let names = segment_names(self.journal.list().map_err(Error::disk("list", "the folder"))?);
        names.first().map(|name| Segment::open(&*self.journal, name)).transpose()
    }

    /// Adds a segment's frames to the archive and returns their number.
    fn take(&mut self, segment: &Segment) -> Result<u64, Error> {
        let frames = frames_of(segment)?;
        self.archive.add(segment.header.journal, segment.header.start, &frames)?;
        Ok(frames.len() as u64)
    }

    /// Removes a segment whose frames are in the archive, durably.
    fn remove(&self, name: &str) -> Result<(), Error> {
        self.journal.remove(name).map_err(Error::disk("remove", name))?;
        self.journal.sync_folder().map_err(Error::disk("sync the folder of", name))
    }
}

impl std::fmt::Debug for SegmentMover {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SegmentMover").field("place", &self.place).finish_non_exhaustive()
    }
}

fn lock(disk: &dyn Disk) -> Result<Box<dyn Any + Send>, Error> {
    disk.lock(LOCK).map_err(|source| match source.kind() {
        io::ErrorKind::WouldBlock => Error::Locked { file: LOCK.to_owned() },
        _ => Error::disk("lock", LOCK)(source),
    })
}
