//! Reads frames in their order, a page at a time, on a connection of its own. Every frame is verified on the way.

use std::collections::VecDeque;

use tokio_postgres::Row;

use super::appending::signed;
use super::link::Link;
use super::row;
use crate::{Error, Frame, Frames, Head, Sequence};

const PAGE: &str = "SELECT sequence, hash, frame FROM bellwether_frames \
    WHERE sequence >= $1 ORDER BY sequence LIMIT $2";
const LAST_UP_TO: &str = "SELECT sequence, hash, frame FROM bellwether_frames \
    WHERE sequence <= $1 ORDER BY sequence DESC LIMIT 1";

/// Rows of a page: at first, and at the most once they prove to be small.
pub(super) const PAGE_ROWS: i64 = 64;
const PAGE_ROWS_MAX: i64 = 4_096;
/// A page should have about so many bytes of payload.
const PAGE_BYTES: usize = 4 << 20;

#[derive(Debug)]
pub(super) struct Cursor {
    link: Link,
    /// Behind the last frame that was read, given out or not.
    head: Head,
    rows: i64,
    ready: VecDeque<Frame>,
}

impl Cursor {
    pub(super) fn open(mut link: Link, from: Sequence) -> Result<Cursor, Error> {
        let from = from.max(Sequence::FIRST);
        let head = head_before(&mut link, from)?;
        Ok(Cursor { link, head, rows: PAGE_ROWS, ready: VecDeque::new() })
    }
}

impl Frames for Cursor {
    fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        if self.ready.is_empty() {
            let frames = page(&mut self.link, self.head.next, self.rows)?;
            let bytes: usize = frames.iter().map(|frame| frame.payload.bytes().len()).sum();
            self.rows = match bytes {
                bytes if bytes > 2 * PAGE_BYTES => (self.rows / 2).max(1),
                bytes if bytes < PAGE_BYTES / 2 => (self.rows * 2).min(PAGE_ROWS_MAX),
                _ => self.rows,
            };
            for frame in frames {
                self.head = row::follow(&self.head, &frame)?;
                self.ready.push_back(frame);
            }
        }
        Ok(self.ready.pop_front())
    }
}

/// What the frame that holds `from` follows.
fn head_before(link: &mut Link, from: Sequence) -> Result<Head, Error> {
    let Some(holding) = last_up_to(link, from)? else {
        return match from {
            Sequence::FIRST => Ok(Head::EMPTY),
            from => Err(Error::NotThereYet { from, next: Sequence::FIRST }),
        };
    };
    let (first, next) = (holding.header.first, holding.header.next());
    if next == from {
        return Ok(Head::behind(&holding.header, holding.hash));
    }
    if next < from {
        return Err(Error::NotThereYet { from, next });
    }
    Ok(match last_up_to(link, Sequence(first.0 - 1))? {
        Some(before) => Head::behind(&before.header, before.hash),
        None => Head::EMPTY,
    })
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

/// Up to so many frames from the one at `from` on. A look sees a row only with all rows before it, since each of them was
/// committed before the next was offered.
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
