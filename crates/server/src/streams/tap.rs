//! The apply thread's side of the streams: notes the changes that streams report and passes them on per group, without
//! ever blocking.
//!
//! Without connections and without kept rooms of `changes`, nothing is noted. If the hub is so far behind that its
//! queue is full, the group is dropped and marked as missed, and the hub informs its readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use exchange::change::Change;
use exchange::time::Time;

use super::changes::{TouchedStates, Watched};
use crate::applied::{Applied, Observer};

/// The capacity of the queue to the hub, in groups.
const BATCHES_MAX: usize = 1_024;

/// State that the apply thread, the hub and the sessions share.
#[derive(Debug, Default)]
pub(super) struct TapState {
    /// Open connections.
    pub(super) readers: AtomicU64,
    /// The subjects of kept rooms of `changes`, with or without connections.
    pub(super) watched: Arc<Watched>,
    missed: AtomicBool,
    /// How often that happened, for metrics.
    pub(super) missed_groups: AtomicU64,
    ended: AtomicBool,
    /// Groups given to the hub, and groups whose messages the hub has queued for their readers.
    sent: AtomicU64,
    published: AtomicU64,
}

impl TapState {
    /// Whether a group was missed since the last call.
    pub(super) fn take_missed(&self) -> bool {
        self.missed.swap(false, Ordering::AcqRel)
    }

    /// For the hub: the messages of `groups` more groups are queued.
    pub(super) fn note_published(&self, groups: u64) {
        self.published.fetch_add(groups, Ordering::AcqRel);
    }

    /// Whether every group so far is queued for its readers.
    pub(super) fn is_published(&self) -> bool {
        self.published.load(Ordering::Acquire) >= self.sent.load(Ordering::Acquire)
    }

    pub(super) fn mark_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Whether the hub has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}

/// The changes of one request that streams report.
#[derive(Debug)]
pub(super) struct StreamUpdate {
    pub(super) sequence: u64,
    pub(super) at: Time,
    pub(super) changes: Vec<Change>,
    /// The state of the watched markets and accounts right after the request.
    pub(super) seen: TouchedStates,
}

/// The notes of one group.
#[derive(Debug, Default)]
pub(super) struct UpdateBatch {
    /// The sequence of the group's last request, even if it has no note.
    pub(super) head: u64,
    pub(super) updates: Vec<StreamUpdate>,
}

#[derive(Debug)]
pub struct Tap {
    state: Arc<TapState>,
    batch: UpdateBatch,
    send: Sender<UpdateBatch>,
}

pub(super) fn tap(state: Arc<TapState>) -> (Tap, Receiver<UpdateBatch>) {
    let (send, receive) = bounded(BATCHES_MAX);
    (Tap { state, batch: UpdateBatch::default(), send }, receive)
}

impl Observer for Tap {
    fn applied(&mut self, applied: &Applied<'_>) {
        self.batch.head = applied.seq;
        let (watched, has_readers) = (&self.state.watched, self.state.readers.load(Ordering::SeqCst) > 0);
        if !has_readers && watched.is_empty() {
            return;
        }
        let seen = if watched.is_empty() { TouchedStates::default() } else { watched.read_touched(applied) };
        if !has_readers && seen.is_empty() {
            return;
        }
        let changes: Vec<Change> =
            applied.changes.iter().filter(|change| is_streamed(change)).cloned().collect();
        if !changes.is_empty() || !seen.is_empty() {
            self.batch.updates.push(StreamUpdate { sequence: applied.seq, at: applied.at, changes, seen });
        }
    }

    fn group_ended(&mut self) {
        // A room of `changes` must learn the current sequence even if nothing changed in it.
        if self.batch.updates.is_empty() && self.state.watched.is_empty() {
            return;
        }
        // Counted first: the hub may be done with it at once.
        self.state.sent.fetch_add(1, Ordering::AcqRel);
        if self.send.try_send(std::mem::take(&mut self.batch)).is_err() {
            self.state.note_published(1);
            self.state.missed_groups.fetch_add(1, Ordering::Relaxed);
            self.state.missed.store(true, Ordering::Release);
        }
    }
}

/// Whether streams report the change.
const fn is_streamed(change: &Change) -> bool {
    match change {
        Change::Order { .. }
        | Change::Trade(_)
        | Change::PoolMoved { .. }
        | Change::PoolSeeded { .. }
        | Change::EventEdited { .. }
        | Change::EventStatus { .. }
        | Change::MarketStatus { .. }
        | Change::PriceRecorded { .. }
        | Change::SportsImported
        | Change::AccessChanged { .. }
        // Has no message, but the hub drops its caches for the event.
        | Change::EventRetired(_) => true,
        Change::Sets(_)
        | Change::Funds { .. }
        | Change::FeesMoved { .. }
        | Change::EventCreated { .. }
        | Change::EventNews { .. }
        | Change::Settled(_)
        | Change::SeriesCreated { .. }
        | Change::SeriesBoundary { .. }
        | Change::SeriesAlert { .. }
        | Change::UserCreated { .. }
        | Change::UserErased { .. }
        | Change::WatchlistChanged { .. }
        | Change::RulesUpgraded { .. }
        | Change::RequestSkipped { .. }
        | Change::Proposal { .. }
        | Change::CancelOnly { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use exchange::id::UserId;

    use super::*;

    fn batch() -> UpdateBatch {
        let changes = vec![Change::AccessChanged { user: UserId::new(1) }];
        let update = StreamUpdate { sequence: 1, at: Time::ZERO, changes, seen: TouchedStates::default() };
        UpdateBatch { head: 1, updates: vec![update] }
    }

    #[test]
    fn a_hub_that_is_too_far_behind_costs_the_writer_nothing_and_learns_that_it_missed_something() {
        let state = Arc::new(TapState::default());
        let (mut tap, receive) = tap(state.clone());
        for _ in 0..BATCHES_MAX {
            tap.batch = batch();
            tap.group_ended();
        }
        assert!(!state.take_missed());
        tap.batch = batch();
        tap.group_ended();
        assert!(state.take_missed() && !state.take_missed(), "reported once");
        assert_eq!((receive.len(), tap.batch.updates.len()), (BATCHES_MAX, 0));
    }
}
