//! Moves the oldest rows of a log into an archive, one file at a time.
//!
//! Rows are removed only after their archive file is durable and was read back and compared, in one transaction with
//! the record of the move. Nodes may be running: they need no row before their snapshot, and the last row always stays
//! because the next append refers to it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::appending::signed;
use super::cursor::{self, PAGE_ROWS};
use super::link::Link;
use super::row;
use crate::archive::{self, Archive, ArchivePlace, Archived};
use crate::disk::Disk;
use crate::{Error, Frame, Head, Sequence};

/// A session lock of the connection that moves rows.
const CLAIM: &str = "SELECT pg_try_advisory_lock(5577006791947779412)";
const RELEASE: &str = "SELECT pg_advisory_unlock(5577006791947779412)";
const RELEASE_MAX: Duration = Duration::from_secs(5);
const LOG: &str = "SELECT value FROM bellwether_agreed WHERE name = 'log'";
const REMOVE: &str = "DELETE FROM bellwether_frames WHERE sequence >= $1 AND sequence < $2";
const RECORD: &str = "INSERT INTO bellwether_agreed (name, value) VALUES ('archived', $1) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const PATIENTLY: &str = "SET LOCAL statement_timeout = '10min'";
const REMOVE_MAX: Duration = Duration::from_secs(900);

/// The approximate payload size of one file: that of a segment of a file journal.
const FILE_BYTES: usize = 64 << 20;

/// Moves rows of a log to an archive.
pub struct RowMover {
    link: Link,
    archive: Archive,
    /// The location of the archive, for the record.
    place: String,
    /// The id of the log.
    log: [u8; 16],
    /// The head after the last frame that was moved.
    end: Head,
    file_bytes: usize,
    _lock: Box<dyn Any + Send>,
}

/// Rows that were moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedRows {
    /// The sequences `first..next`.
    pub first: Sequence,
    pub next: Sequence,
    pub frames: u64,
    /// Payload and headers.
    pub bytes: u64,
}

impl RowMover {
    pub(super) fn open(mut link: Link, disk: Arc<dyn Disk>, place: String) -> Result<RowMover, Error> {
        let lock = archive::lock(&*disk)?;
        claim(&mut link)?;
        let log = log_id(&mut link)?;
        let archive = ArchivePlace::on(disk, place.clone()).open()?;
        let record = cursor::archived(&mut link)?;
        let end = record.as_ref().map_or(Head::EMPTY, |record| record.end);
        if let Some(Archived { place: recorded, journal, end }) = &record
            && (archive.journal() != Some(*journal) || !archive.ends_a_file_at(end))
        {
            let last = end.next.0 - 1;
            let what = format!(
                "rows up to sequence {last} were archived to {recorded}: move that archive here first"
            );
            return Err(Error::wrong_file(&place, what));
        }
        let mut mover = RowMover { link, archive, place, log, end, file_bytes: FILE_BYTES, _lock: lock };
        if record.is_some_and(|record| record.place != mover.place) {
            mover.write_record(None, mover.end)?;
        }
        Ok(mover)
    }

    /// For tests: sets another file size.
    pub fn with_file_bytes(mut self, file_bytes: usize) -> RowMover {
        self.file_bytes = file_bytes;
        self
    }

    /// The archive in its current state.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Whether any row before `until` can be moved.
    pub fn has_next(&mut self, until: Sequence) -> Result<bool, Error> {
        Ok(self.end.next < until && !self.collect(until, 1)?.is_empty())
    }

    /// Moves one file's worth of rows before `until`. `None` if there are none.
    pub fn move_next(&mut self, until: Sequence) -> Result<Option<MovedRows>, Error> {
        let start = self.end;
        // If an interrupted run already wrote the file, that file determines which rows belong to it.
        let written = self.archive.files().iter().find(|file| file.start == start).map(|file| file.end.next);
        let frames = match written {
            Some(end) if end > until => return Ok(None),
            Some(end) => self.collect(end, usize::MAX)?,
            None => self.collect(until, self.file_bytes)?,
        };
        let Some(last) = frames.last() else { return Ok(None) };
        let (end, first) = (Head::after(&last.header, last.hash), frames[0].header.first);
        self.archive.add(self.log, start, &frames)?;
        self.write_record(Some((first, frames.len() as u64)), end)?;
        self.end = end;
        let bytes = frames.iter().map(|frame| row::encode(&frame.header, frame.payload.bytes()).len() as u64);
        Ok(Some(MovedRows { first, next: end.next, frames: frames.len() as u64, bytes: bytes.sum() }))
    }

    /// The frames after the moved ones, in order, up to about `enough` payload bytes. Never the last frame of the log.
    fn collect(&mut self, until: Sequence, enough: usize) -> Result<Vec<Frame>, Error> {
        let last = cursor::last(&mut self.link)?.map_or(Sequence::FIRST, |frame| frame.header.first);
        let (mut frames, mut bytes, mut head) = (Vec::new(), 0, self.end);
        while bytes < enough {
            let page = cursor::page(&mut self.link, head.next, PAGE_ROWS)?;
            let count = page.len();
            for frame in page {
                if frame.header.next() > until || frame.header.first >= last || bytes >= enough {
                    return Ok(frames);
                }
                head = row::head_after(&head, &frame)?;
                bytes += frame.payload.bytes().len();
                frames.push(frame);
            }
            if count == 0 {
                break;
            }
        }
        Ok(frames)
    }

    /// Writes the record and removes the rows from `first` to before `end` in one transaction. Rolls back if the number
    /// of removed rows differs from the expected one.
    fn write_record(&mut self, rows: Option<(Sequence, u64)>, end: Head) -> Result<(), Error> {
        let record = Archived { place: self.place.clone(), journal: self.log, end }.encode()?;
        let is_done = self.link.call_within(REMOVE_MAX, "move rows of", async |connected| {
            let transaction = connected.client.transaction().await?;
            transaction.batch_execute(PATIENTLY).await?;
            if let Some((first, count)) = rows {
                let removed = transaction.execute(REMOVE, &[&signed(first), &signed(end.next)]).await?;
                if removed != count {
                    return Ok(false);
                }
            }
            transaction.execute(RECORD, &[&record.as_bytes()]).await?;
            transaction.commit().await?;
            Ok(true)
        })?;
        match is_done {
            true => Ok(()),
            false => Err(Error::WrongDatabase { what: "rows changed while they were archived".to_owned() }),
        }
    }
}

impl Drop for RowMover {
    fn drop(&mut self) {
        if self.link.is_connected() {
            // The database ends a session some time after its connection, and would refuse the next mover until then. If this
            // fails, the lock ends with the session.
            let _ = self.link.call_within(RELEASE_MAX, "release the archiving of", async |connected| {
                connected.client.query_one(RELEASE, &[]).await.map(drop)
            });
        }
    }
}

impl fmt::Debug for RowMover {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RowMover")
            .field("place", &self.place)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

fn claim(link: &mut Link) -> Result<(), Error> {
    let is_ours = link.call("claim the archiving of", async |connected| {
        Ok(connected.client.query_one(CLAIM, &[]).await?.get::<_, bool>(0))
    })?;
    if is_ours { Ok(()) } else { Err(Error::Locked { file: "the log's archiving".to_owned() }) }
}

/// The id that the first node gave the log.
fn log_id(link: &mut Link) -> Result<[u8; 16], Error> {
    let row = link.call("read the id of", async |connected| connected.client.query_opt(LOG, &[]).await)?;
    let id: Vec<u8> = row.map(|row| row.get(0)).unwrap_or_default();
    id.try_into().map_err(|_| Error::WrongDatabase { what: "no node has used the log yet".to_owned() })
}
