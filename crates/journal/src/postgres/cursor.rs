//! Reads frames in order, one page at a time, on a separate connection; archived frames are read from the archive.
//! Every frame is verified.

use std::collections::VecDeque;

use tokio_postgres::Row;

use super::appending::signed;
use super::link::Link;
use super::row;
use crate::archive::{ArchiveFrames, ArchivePlace, Archived, archived_frames};
use crate::{Error, Frame, Frames, Head, Sequence};

const PAGE: &str = "SELECT sequence, hash, frame FROM bellwether_frames \
    WHERE sequence >= $1 ORDER BY sequence LIMIT $2";
const LAST_UP_TO: &str = "SELECT sequence, hash, frame FROM bellwether_frames \
    WHERE sequence <= $1 ORDER BY sequence DESC LIMIT 1";

/// The archive record, stored in the table of agreed values.
const ARCHIVED: &str = "SELECT value FROM bellwether_agreed WHERE name = 'archived'";

/// Rows per page: the initial number, and the maximum for small rows.
pub(super) const PAGE_ROWS: i64 = 64;
const PAGE_ROWS_MAX: i64 = 4_096;
/// The approximate payload size of a page.
const PAGE_BYTES: usize = 4 << 20;

#[derive(Debug)]
pub(super) struct Cursor {
    link: Link,
    archive: Option<ArchivePlace>,
    /// Set while frames come from the archive.
    archived: Option<ArchiveFrames>,
    /// The head after the last frame that was read, returned or not.
    head: Head,
    /// Archived frames that end before this sequence are skipped.
    from: Sequence,
    rows: i64,
    ready: VecDeque<Frame>,
}

impl Cursor {
    pub(super) fn open(link: Link, archive: Option<ArchivePlace>, from: Sequence) -> Result<Cursor, Error> {
        let from = from.max(Sequence::FIRST);
        let (head, rows, ready) = (Head::EMPTY, PAGE_ROWS, VecDeque::new());
        let mut cursor = Cursor { link, archive, archived: None, head, from, rows, ready };
        match head_before(&mut cursor.link, from)? {
            FrameLocation::Rows(head) => cursor.head = head,
            FrameLocation::Archive(record) => cursor.enter_archive(&record, from)?,
        }
        Ok(cursor)
    }

    fn enter_archive(&mut self, record: &Archived, from: Sequence) -> Result<(), Error> {
        let frames = archived_frames(self.archive.as_ref(), record, from)?;
        self.head = frames.head();
        self.archived = Some(frames);
        Ok(())
    }

    /// Reads the next page of rows. Rows that were moved meanwhile are read from the archive.
    fn next_page(&mut self) -> Result<(), Error> {
        let frames = page(&mut self.link, self.head.next, self.rows)?;
        if frames.first().is_some_and(|frame| frame.header.first > self.head.next)
            && let Some(record) = archived(&mut self.link)?
            && record.end.next > self.head.next
        {
            self.from = self.from.max(self.head.next);
            return self.enter_archive(&record, self.from);
        }
        let bytes: usize = frames.iter().map(|frame| frame.payload.bytes().len()).sum();
        self.rows = match bytes {
            bytes if bytes > 2 * PAGE_BYTES => (self.rows / 2).max(1),
            bytes if bytes < PAGE_BYTES / 2 => (self.rows * 2).min(PAGE_ROWS_MAX),
            _ => self.rows,
        };
        for frame in frames {
            self.head = row::head_after(&self.head, &frame)?;
            self.ready.push_back(frame);
        }
        Ok(())
    }
}

impl Frames for Cursor {
    fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        loop {
            if let Some(archived) = &mut self.archived {
                match archived.next_frame()? {
                    Some(frame) => {
                        self.head = archived.head();
                        if frame.header.next() > self.from {
                            return Ok(Some(frame));
                        }
                    }
                    None => self.archived = None,
                }
                continue;
            }
            if self.ready.is_empty() {
                self.next_page()?;
            }
            if self.archived.is_none() {
                return Ok(self.ready.pop_front());
            }
        }
    }
}

/// Where the frame that contains a sequence is stored.
enum FrameLocation {
    /// In the rows after this head.
    Rows(Head),
    Archive(Archived),
}

/// The head that the frame containing `from` follows, or the archive that contains it.
fn head_before(link: &mut Link, from: Sequence) -> Result<FrameLocation, Error> {
    let Some(holding) = last_up_to(link, from)? else {
        return match archived(link)? {
            Some(record) if from < record.end.next => Ok(FrameLocation::Archive(record)),
            None if from == Sequence::FIRST => Ok(FrameLocation::Rows(Head::EMPTY)),
            record => {
                let next = record.map_or(Sequence::FIRST, |record| record.end.next);
                Err(Error::NotThereYet { from, next })
            }
        };
    };
    let (first, next) = (holding.header.first, holding.header.next());
    if next == from {
        return Ok(FrameLocation::Rows(Head::after(&holding.header, holding.hash)));
    }
    if next < from {
        return Err(Error::NotThereYet { from, next });
    }
    if let Some(before) = last_up_to(link, Sequence(first.0 - 1))? {
        return Ok(FrameLocation::Rows(Head::after(&before.header, before.hash)));
    }
    match archived(link)? {
        None => Ok(FrameLocation::Rows(Head::EMPTY)),
        Some(record) if record.end.next == first => Ok(FrameLocation::Rows(record.end)),
        // Moved since `last_up_to` read the row.
        Some(record) => Ok(FrameLocation::Archive(record)),
    }
}

/// The log's archive record.
pub(super) fn archived(link: &mut Link) -> Result<Option<Archived>, Error> {
    let record = link
        .call("look for an archive of", async |connected| connected.client.query_opt(ARCHIVED, &[]).await)?;
    record.map(|row| Archived::parse(row.get(0))).transpose()
}

/// Fails if frames between `head` and `frames` were moved into the archive.
pub(super) fn check_gap(link: &mut Link, head: &Head, frames: &[Frame]) -> Result<(), Error> {
    if frames.first().is_none_or(|frame| frame.header.first <= head.next) {
        return Ok(());
    }
    match archived(link)? {
        Some(Archived { place, end, .. }) if end.next > head.next => {
            let why = "this node is too far behind; restart it to read the archive".to_owned();
            Err(Error::Archived { from: head.next, first: end.next, place, why })
        }
        _ => Ok(()),
    }
}

/// The last frame of the log.
pub(super) fn last(link: &mut Link) -> Result<Option<Frame>, Error> {
    last_up_to(link, Sequence(u64::MAX))
}

fn last_up_to(link: &mut Link, sequence: Sequence) -> Result<Option<Frame>, Error> {
    let row = link.call("read", async |connected| {
        let statement = connected.prepare(LAST_UP_TO).await?;
        connected.client.query_opt(&statement, &[&signed(sequence)]).await
    })?;
    row.map(|row| frame_of(&row)).transpose()
}

/// Up to `rows` frames, starting with the one at `from`. A query that sees a row also sees all rows before it, since
/// each row was committed before the next one could be inserted.
pub(super) fn page(link: &mut Link, from: Sequence, rows: i64) -> Result<Vec<Frame>, Error> {
    let rows = link.call("read", async |connected| {
        let statement = connected.prepare(PAGE).await?;
        connected.client.query(&statement, &[&signed(from), &rows]).await
    })?;
    rows.iter().map(frame_of).collect()
}

fn frame_of(row: &Row) -> Result<Frame, Error> {
    let sequence = Sequence(row.get::<_, i64>(0).unsigned_abs());
    row::decode(sequence, row.get(1), row.get(2))
}
