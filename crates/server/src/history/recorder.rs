//! The apply thread's side: notes what history keeps, and hands it over a group at a time.

use std::sync::Arc;

use crossbeam_channel::Sender;
use exchange::Exchange;
use exchange::change::{Change, OrderCause};
use exchange::id::{EventId, MarketId};
use exchange::time::Time;

use super::Message;
use super::room::Room;
use crate::audit_trail::Entry;
use crate::sequencer::{Applied, Written};

/// About the size of a retired event.
const RETIRED_BYTES: usize = 4_096;

/// What a group of requests leaves behind.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The last request of the group, and its time.
    pub(super) last: u64,
    pub(super) at: Time,
    pub(super) noted: Vec<Noted>,
    pub(super) replies: Vec<StoredReply>,
    pub(super) audit: Vec<Entry>,
}

impl Batch {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let bodies: usize = self.replies.iter().map(|reply| reply.written.body.len()).sum();
        let retired =
            self.noted.iter().filter(|noted| matches!(noted.change, Change::EventRetired(_))).count();
        let inline =
            size_of_val(&self.noted[..]) + size_of_val(&self.replies[..]) + size_of_val(&self.audit[..]);
        inline + bodies + retired * RETIRED_BYTES
    }
}

/// A change that history keeps.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) seq: u64,
    pub(super) at: Time,
    /// The event of the market that it is about.
    pub(super) event: EventId,
    pub(super) change: Change,
}

#[derive(Debug)]
pub(super) struct StoredReply {
    pub(super) seq: u64,
    pub(super) at: Time,
    pub(super) written: Written,
}

/// Collects in the apply thread.
#[derive(Debug)]
pub struct Recorder {
    send: Sender<Message>,
    batch: Batch,
    /// What was stored before this start is not stored again.
    known: u64,
    room: Arc<Room>,
}

impl Recorder {
    pub(super) fn new(send: Sender<Message>, known: u64, room: Arc<Room>) -> Recorder {
        Recorder { send, batch: Batch::default(), known, room }
    }

    /// The last sequence that history has already.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Notes one request: what it changed.
    pub fn note(&mut self, applied: &Applied<'_>) {
        if applied.seq <= self.known {
            return;
        }
        self.batch.last = applied.seq;
        self.batch.at = applied.at;
        self.batch.audit.extend(Entry::of(applied));
        for change in applied.changes {
            let event = match change {
                Change::EventRetired(retired) => Some(retired.event.id),
                _ => kept(change).map(|market| event_of(applied.exchange, market)),
            };
            if let Some(event) = event {
                let (seq, at) = (applied.seq, applied.at);
                self.batch.noted.push(Noted { seq, at, event, change: change.clone() });
            }
        }
    }

    /// Keeps an answer that somebody may ask for again. Its request was noted before.
    pub fn keep(&mut self, seq: u64, at: Time, written: &Written) {
        if seq > self.known {
            self.batch.replies.push(StoredReply { seq, at, written: written.clone() });
        }
    }

    /// Hands a group over. When history has died the exchange goes on; readers are told.
    pub fn hand_over(&mut self) {
        if self.batch.last > self.known {
            self.room.enter(self.batch.bytes());
            let _ = self.send.send(Message::Batch(std::mem::take(&mut self.batch)));
        }
    }
}

/// The market of a change that history keeps. How an order that stays open stands is memory's to know.
fn kept(change: &Change) -> Option<MarketId> {
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
        // No request retires an event that it ended, and nothing happens in an event that has ended.
        None => unreachable!("a change names a market that there is"),
    }
}
