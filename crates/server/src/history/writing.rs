//! The writing half: the apply thread notes what it sees, the history thread stores it, one transaction a batch.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::{Receiver, Sender};
use exchange::change::Change;
use exchange::codec;
use exchange::time::Span;
use rusqlite::{Connection, params};
use tokio::sync::watch;

use super::Lag;
use crate::sequencer::Applied;

/// Replies are kept a little longer than the exchange remembers their keys.
const REPLIES_KEPT: Span = Span::hours(25);

/// What a group of requests leaves behind.
#[derive(Debug, Default)]
pub(super) struct Batch {
    last: u64,
    at: i64,
    orders: Vec<StoredOrder>,
    replies: Vec<StoredReply>,
}

#[derive(Debug)]
struct StoredOrder {
    serial: u64,
    id: u128,
    user: u128,
    record: Vec<u8>,
}

#[derive(Debug)]
struct StoredReply {
    seq: u64,
    at: i64,
    status: u16,
    body: Vec<u8>,
}

/// Collects in the apply thread.
#[derive(Debug)]
pub struct Recorder {
    send: Sender<Batch>,
    batch: Batch,
    /// What was stored before this start is not stored again.
    known: u64,
    lag: Arc<Lag>,
}

impl Recorder {
    pub(super) fn new(send: Sender<Batch>, known: u64, lag: Arc<Lag>) -> Recorder {
        Recorder { send, batch: Batch::default(), known, lag }
    }

    /// The last sequence that history has already.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Notes one request: the orders that closed, and its answer if somebody may ask for it again.
    pub fn note(&mut self, applied: &Applied<'_>, reply: Option<(u16, Vec<u8>)>) {
        if applied.seq <= self.known {
            return;
        }
        self.batch.last = applied.seq;
        self.batch.at = applied.at.micros();
        for change in applied.changes {
            if let Change::Order { record, .. } = change
                && !record.status.is_open()
            {
                self.batch.orders.push(StoredOrder {
                    serial: record.terms.serial,
                    id: record.terms.id.as_u128(),
                    user: record.user.as_u128(),
                    record: codec::encode_record(record),
                });
            }
        }
        if let Some((status, body)) = reply {
            self.batch.replies.push(StoredReply { seq: applied.seq, at: applied.at.micros(), status, body });
        }
    }

    /// Hands a group over. When history has died the exchange goes on; readers are told.
    pub fn hand_over(&mut self) {
        if self.batch.last > self.known {
            self.lag.observed.store(self.batch.last, Ordering::Relaxed);
            let _ = self.send.send(std::mem::take(&mut self.batch));
        }
    }
}

/// Ends when the recorder is gone and everything it sent is stored, or at the first failure.
pub(super) fn run(
    mut connection: Connection,
    batches: &Receiver<Batch>,
    stored: &watch::Sender<u64>,
    lag: &Lag,
) {
    while let Ok(first) = batches.recv() {
        let mut group = vec![first];
        group.extend(batches.try_iter().take(256));
        let last = group.last().map_or(0, |batch| batch.last);
        if let Err(error) = store(&mut connection, &group) {
            tracing::error!(%error, "history stopped: what has left memory cannot be read until a restart");
            return;
        }
        lag.stored.store(last, Ordering::Relaxed);
        stored.send_replace(last);
    }
}

fn store(connection: &mut Connection, batches: &[Batch]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut order = transaction.prepare_cached(
            "INSERT OR REPLACE INTO closed_orders (serial, id, user, record) VALUES (?1, ?2, ?3, ?4)",
        )?;
        let mut reply = transaction.prepare_cached(
            "INSERT OR REPLACE INTO replies (sequence, at, status, body) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for batch in batches {
            for stored in &batch.orders {
                let (id, user) = (stored.id.to_be_bytes(), stored.user.to_be_bytes());
                order.execute(params![stored.serial.cast_signed(), id, user, stored.record])?;
            }
            for stored in &batch.replies {
                reply.execute(params![stored.seq.cast_signed(), stored.at, stored.status, stored.body])?;
            }
        }
    }
    if let Some(batch) = batches.last() {
        let oldest = batch.at - REPLIES_KEPT.micros();
        transaction.execute("DELETE FROM replies WHERE at < ?1", [oldest])?;
        let progress = "INSERT OR REPLACE INTO progress (one, sequence) VALUES (1, ?1)";
        transaction.execute(progress, [batch.last.cast_signed()])?;
    }
    transaction.commit()
}
