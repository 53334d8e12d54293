//! The apply thread's side of history: collects the changes to store and hands them over one group at a time.

use exchange::Exchange;
use exchange::change::{Change, OrderCause};
use exchange::id::{EventId, MarketId};
use exchange::time::Time;

use super::audit::TrailEntry;
use super::handover::HandoverSender;
use crate::applied::Applied;

/// Approximate size of a retired event.
const RETIRED_BYTES: usize = 4_096;

/// The rows of one group of requests.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Sequence and time of the last request in the group.
    pub(super) last: u64,
    pub(super) at: Time,
    pub(super) changes: Vec<RecordedChange>,
    pub(super) answers: Vec<StoredAnswer>,
    pub(super) audit: Vec<TrailEntry>,
}

impl Batch {
    /// Approximate memory use.
    pub(super) fn bytes(&self) -> usize {
        let answers: usize = self.answers.iter().map(|answer| answer.bytes.len()).sum();
        let retired =
            self.changes.iter().filter(|recorded| matches!(recorded.change, Change::EventRetired(_))).count();
        let inline =
            size_of_val(&self.changes[..]) + size_of_val(&self.answers[..]) + size_of_val(&self.audit[..]);
        inline + answers + retired * RETIRED_BYTES
    }
}

/// A change that history stores.
#[derive(Debug)]
pub(super) struct RecordedChange {
    pub(super) seq: u64,
    pub(super) at: Time,
    /// The event of the change's market; zero for a change without a market.
    pub(super) event: EventId,
    pub(super) change: Change,
}

#[derive(Debug)]
pub(super) struct StoredAnswer {
    pub(super) seq: u64,
    pub(super) at: Time,
    pub(super) bytes: Vec<u8>,
}

/// Collects changes in the apply thread.
#[derive(Debug)]
pub struct Recorder {
    handover: HandoverSender,
    batch: Batch,
    /// Requests up to this sequence were stored before this start and are skipped.
    stored_until: u64,
}

impl Recorder {
    pub(super) fn new(handover: HandoverSender, stored_until: u64) -> Recorder {
        Recorder { handover, batch: Batch::default(), stored_until }
    }

    /// The last sequence that was already stored when history was opened.
    pub fn stored_until(&self) -> u64 {
        self.stored_until
    }

    /// Collects the changes and the audit entry of one request. `entry` makes the audit entry; it is not called for a
    /// request that is already stored.
    pub fn note(&mut self, applied: &Applied<'_>, entry: impl FnOnce(&Applied<'_>) -> Option<TrailEntry>) {
        if applied.seq <= self.stored_until {
            return;
        }
        self.batch.last = applied.seq;
        self.batch.at = applied.at;
        self.batch.audit.extend(entry(applied));
        for change in applied.changes {
            let event = match change {
                Change::EventRetired(retired) => Some(retired.event.id),
                Change::EventNews { event, .. } => Some(*event),
                Change::Funds { .. } | Change::PriceRecorded { .. } => Some(EventId::new(0)),
                _ => stored_market(change).map(|market| event_of(applied.exchange, market)),
            };
            if let Some(event) = event {
                let (seq, at) = (applied.seq, applied.at);
                self.batch.changes.push(RecordedChange { seq, at, event, change: change.clone() });
            }
        }
    }

    /// Stores an encoded response for repeats of its idempotency key. Call `note` for its request first.
    pub fn store_answer(&mut self, seq: u64, at: Time, bytes: Vec<u8>) {
        if seq > self.stored_until {
            self.batch.answers.push(StoredAnswer { seq, at, bytes });
        }
    }

    /// Hands the group over to the history thread.
    pub fn send_batch(&mut self) {
        if self.batch.last > self.stored_until {
            self.handover.add(std::mem::take(&mut self.batch));
        }
    }
}

/// The market of a change that history stores. Changes to an order that stays open are not stored: memory has its state.
fn stored_market(change: &Change) -> Option<MarketId> {
    match change {
        Change::Order { record, cause } => {
            (*cause == OrderCause::Placed || !record.status.is_open()).then_some(record.market)
        }
        Change::Trade(trade) => Some(trade.market),
        Change::PoolMoved { market, .. } | Change::PoolSeeded { market, .. } => Some(*market),
        Change::Sets(sets) => Some(sets.market),
        Change::Settled(settled) => Some(settled.market),
        _ => None,
    }
}

fn event_of(exchange: &Exchange, market: MarketId) -> EventId {
    let catalogue = exchange.catalogue();
    match catalogue.find_market(market) {
        Some(index) => catalogue.event(catalogue.market(index).event).id,
        // An event is never retired by the request that ended it, and an ended event has no further changes.
        None => unreachable!("a change names an existing market"),
    }
}
