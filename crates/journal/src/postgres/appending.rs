//! Appending a frame, and resolving an append with an unknown outcome.
//!
//! A row is sent repeatedly, always the same bytes at the same sequence, until the database shows which row is stored
//! at that sequence: this writer's or another's. It does not matter whether an earlier attempt on a broken connection
//! still arrives: the primary key admits one row, and reading it back decides the outcome.

use std::collections::VecDeque;
use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use tokio_postgres::types::ToSql;

use super::clock::measure;
use super::cursor::{self, Cursor};
use super::link::Link;
use super::{Database, row};
use crate::clock::AHEAD_MAX;
use crate::{
    AppendError, Appended, Clock, Error, Frame, FrameHash, FrameHeader, Frames, Head, Journal, Payload,
    Sequence,
};

/// One statement, one round trip. It inserts the row only if the previous frame is the last one this writer has read,
/// or the log is new, and if the stamping clock is not far ahead of the database's. Listeners are notified at commit.
const APPEND: &str = "\
    WITH stored AS (\
        INSERT INTO bellwether_frames (sequence, node, hash, frame) \
        SELECT $1::bigint, $2::bytea, $3::bytea, $4::bytea \
        WHERE $5::bigint <= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $6::bigint \
          AND (($1 = 1 AND NOT EXISTS (SELECT 1 FROM bellwether_agreed WHERE name = 'archived')) OR EXISTS (SELECT 1 FROM bellwether_frames WHERE sequence = $7::bigint AND hash = $8::bytea)) \
        ON CONFLICT (sequence) DO NOTHING RETURNING sequence) \
    SELECT pg_notify('bellwether_frames', sequence::text) FROM stored";
const STORED_ROW: &str = "SELECT node, hash FROM bellwether_frames WHERE sequence = $1";
/// A synchronous commit also proves that everything committed before it is durable, on the standbys too.
const BARRIER: &str = "\
    INSERT INTO bellwether_barrier VALUES (1, clock_timestamp()) \
    ON CONFLICT (number) DO UPDATE SET passed = excluded.passed";

/// A larger payload would delay all other writers.
const PAYLOAD_BYTES_MAX: usize = 1 << 20;
const RETRY_AFTER: Duration = Duration::from_millis(20);
const RETRY_AFTER_MAX: Duration = Duration::from_millis(500);

/// One of many writers, owned by one thread.
pub struct PostgresJournal {
    database: Database,
    pub(super) link: Link,
    /// Distinguishes this writer's rows from equal rows of other writers.
    node: [u8; 16],
    clock: StampClock,
    /// When the database's clock and settings were last checked.
    checked_at: Instant,
    /// The head after the last frame that was read or written, and that frame's first sequence.
    head: Head,
    last: Sequence,
    /// Frames of other writers that `read_others` has not returned yet.
    unread: VecDeque<Frame>,
}

/// The clock that stamps frames.
enum StampClock {
    Database,
    Given(Box<dyn Clock>),
}

/// A frame to append, encoded; every attempt sends the same bytes.
struct EncodedFrame {
    header: FrameHeader,
    hash: FrameHash,
    bytes: Vec<u8>,
    stamped: i64,
}

/// The row stored at a sequence: its writer and its hash.
struct StoredRow {
    node: Vec<u8>,
    hash: Vec<u8>,
}

/// The outcome of an attempt.
enum AttemptOutcome {
    Ours,
    Preceded,
    /// The stamping clock is too far ahead.
    AheadOfTime,
    /// The previous frame is missing: this is not the log that this writer has read.
    Forked,
}

impl PostgresJournal {
    pub(super) fn open(database: &Database, clock: Option<Box<dyn Clock>>) -> Result<PostgresJournal, Error> {
        let mut link = Link::with_checked_settings(&database.address, database.options.replicas_min)?;
        let (head, last) = match cursor::last(&mut link)? {
            Some(frame) => (Head::after(&frame.header, frame.hash), frame.header.first),
            None => (Head::EMPTY, Sequence(0)),
        };
        let clock = match clock {
            Some(clock) => StampClock::Given(clock),
            None => StampClock::Database,
        };
        let node = random_bytes(&mut link)?;
        Ok(PostgresJournal {
            database: database.clone(),
            link,
            node,
            clock,
            checked_at: Instant::now(),
            head,
            last,
            unread: VecDeque::new(),
        })
    }

    /// Stamps frames with another clock than the database's.
    pub fn stamp_with(&mut self, clock: Box<dyn Clock>) {
        self.clock = StampClock::Given(clock);
    }

    /// The random id in this writer's rows.
    pub fn node(&self) -> [u8; 16] {
        self.node
    }

    fn now(&mut self) -> Result<i64, AppendError> {
        if let StampClock::Given(clock) = &mut self.clock {
            return Ok(clock.now());
        }
        if self.checked_at.elapsed() > self.database.options.recheck_every {
            self.checked_at = Instant::now();
            let checked_at =
                self.link.check_again().and_then(|()| measure(&mut self.link, &self.database.clock));
            // On any other error the estimate is still usable; the append itself reports an unreachable or unfit
            // database.
            if let Err(Error::ClockAhead { .. }) = checked_at {
                return Err(AppendError::AheadOfTime { at: self.database.clock.now() });
            }
        }
        Ok(self.database.clock.now())
    }

    /// Reads one page of frames from other writers. Returns whether there were any.
    fn read_page(&mut self) -> Result<bool, Error> {
        let frames = cursor::page(&mut self.link, self.head.next, cursor::PAGE_ROWS)?;
        cursor::check_gap(&mut self.link, &self.head, &frames)?;
        let found = !frames.is_empty();
        for frame in frames {
            self.head = row::head_after(&self.head, &frame)?;
            self.last = frame.header.first;
            self.unread.push_back(frame);
        }
        Ok(found)
    }

    fn try_append(&mut self, attempt: &EncodedFrame, is_in_doubt: bool) -> Result<AttemptOutcome, Error> {
        if is_in_doubt && let Some(settled) = self.read_back(attempt)? {
            return Ok(settled);
        }
        let (sequence, ahead_max) = (signed(attempt.header.first), AHEAD_MAX.as_micros() as i64);
        let (last, node) = (signed(self.last), self.node.as_slice());
        let previous = attempt.header.previous_hash.0.as_slice();
        let stored = self.link.call("append to", async |connected| {
            let statement = connected.prepare(APPEND).await?;
            let (hash, bytes) = (attempt.hash.0.as_slice(), attempt.bytes.as_slice());
            let values: &[&(dyn ToSql + Sync)] =
                &[&sequence, &node, &hash, &bytes, &attempt.stamped, &ahead_max, &last, &previous];
            Ok(!connected.client.query(&statement, values).await?.is_empty())
        })?;
        if stored {
            return Ok(AttemptOutcome::Ours);
        }
        // A first attempt that inserted nothing usually lost to another writer: one query instead of two.
        if !is_in_doubt && self.read_page()? {
            return Ok(AttemptOutcome::Preceded);
        }
        self.explain_refusal(attempt)
    }

    /// Nothing was inserted: another writer's row is stored, an earlier attempt has arrived, or a condition failed.
    fn explain_refusal(&mut self, attempt: &EncodedFrame) -> Result<AttemptOutcome, Error> {
        if let Some(settled) = self.read_back(attempt)? {
            return Ok(settled);
        }
        let last = self.last;
        let is_known = last == Sequence(0)
            || self.stored_row(last)?.is_some_and(|row| row.hash == attempt.header.previous_hash.0);
        Ok(if is_known { AttemptOutcome::AheadOfTime } else { AttemptOutcome::Forked })
    }

    /// The outcome according to the row stored at the offer's sequence, if there is one.
    fn read_back(&mut self, attempt: &EncodedFrame) -> Result<Option<AttemptOutcome>, Error> {
        match self.stored_row(attempt.header.first)? {
            Some(row) if row.node == self.node && row.hash == attempt.hash.0 => {
                // Visible is not yet replicated: the earlier connection may have broken before the standbys confirmed.
                self.link.call("wait for the standbys of", async |connected| {
                    connected.client.execute(BARRIER, &[]).await
                })?;
                Ok(Some(AttemptOutcome::Ours))
            }
            Some(_) => {
                self.read_page()?;
                Ok(Some(AttemptOutcome::Preceded))
            }
            None => Ok(None),
        }
    }

    fn stored_row(&mut self, sequence: Sequence) -> Result<Option<StoredRow>, Error> {
        self.link.call("read back from", async |connected| {
            let statement = connected.prepare(STORED_ROW).await?;
            let row = connected.client.query_opt(&statement, &[&signed(sequence)]).await?;
            Ok(row.map(|row| StoredRow { node: row.get(0), hash: row.get(1) }))
        })
    }

    /// Retries the append until its outcome is known, or until `Options::patience` has passed.
    fn append_until_known(&mut self, attempt: &EncodedFrame) -> Result<Appended, AppendError> {
        let began = Instant::now();
        let mut pause = RETRY_AFTER;
        let mut is_in_doubt = false;
        loop {
            match self.try_append(attempt, is_in_doubt) {
                Ok(AttemptOutcome::Ours) => {
                    let EncodedFrame { header, hash, .. } = *attempt;
                    self.head = Head::after(&header, hash);
                    self.last = header.first;
                    return Ok(Appended::Stored { header, hash });
                }
                Ok(AttemptOutcome::Preceded) => return Ok(Appended::Preceded { next: self.head.next }),
                Ok(AttemptOutcome::AheadOfTime) => {
                    return Err(AppendError::AheadOfTime { at: attempt.stamped });
                }
                Ok(AttemptOutcome::Forked) => return Err(AppendError::Forked { last: self.last }),
                Err(cause) if began.elapsed() > self.database.options.patience => {
                    return Ok(Appended::Unknown { cause });
                }
                Err(_) => {
                    is_in_doubt = true;
                    thread::sleep(pause);
                    pause = (pause * 2).min(RETRY_AFTER_MAX);
                }
            }
        }
    }
}

impl Journal for PostgresJournal {
    fn append(&mut self, expected: Sequence, payload: &Payload) -> Result<Appended, AppendError> {
        let (bytes, bytes_max) = (payload.bytes().len(), PAYLOAD_BYTES_MAX);
        if payload.is_empty() {
            return Err(AppendError::Empty);
        }
        if bytes > bytes_max {
            return Err(AppendError::TooLarge { bytes, bytes_max });
        }
        let next = self.head.next;
        if expected > next {
            return Err(AppendError::Ahead { expected, next });
        }
        if expected < next {
            return Ok(Appended::Preceded { next });
        }
        let stamped = self.now()?;
        let header = self.head.next_header(stamped, payload);
        let hash = header.hash(payload.bytes());
        self.append_until_known(&EncodedFrame {
            header,
            hash,
            bytes: row::encode(&header, payload.bytes()),
            stamped,
        })
    }

    fn head(&mut self) -> Result<Head, Error> {
        while self.read_page()? {}
        Ok(self.head)
    }

    fn read_others(&mut self) -> Result<Vec<Frame>, Error> {
        if self.unread.is_empty() {
            self.read_page()?;
        }
        Ok(self.unread.drain(..).collect())
    }

    fn frames(&self, from: Sequence) -> Result<Box<dyn Frames>, Error> {
        let Database { address, archive, .. } = &self.database;
        Ok(Box::new(Cursor::open(Link::new(address)?, archive.clone(), from)?))
    }

    fn payload_bytes_max(&self) -> usize {
        PAYLOAD_BYTES_MAX
    }
}

impl fmt::Debug for PostgresJournal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PostgresJournal").field("head", &self.head).finish_non_exhaustive()
    }
}

/// PostgreSQL has no unsigned integers; sequences stay far below `i64::MAX`.
pub(super) fn signed(sequence: Sequence) -> i64 {
    i64::try_from(sequence.0).unwrap_or(i64::MAX)
}

/// Sixteen random bytes, generated by the database that all nodes share.
fn random_bytes(link: &mut Link) -> Result<[u8; 16], Error> {
    let bytes: Vec<u8> = link.call("get random bytes from", async |connected| {
        Ok(connected.client.query_one("SELECT uuid_send(gen_random_uuid())", &[]).await?.get(0))
    })?;
    bytes
        .try_into()
        .map_err(|_| Error::WrongDatabase { what: "a uuid does not have sixteen bytes".to_owned() })
}
