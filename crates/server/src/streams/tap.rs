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

use super::changes::{Seen, Watched};
use crate::applied::{Applied, Observer};

/// The capacity of the queue to the hub, in groups.
const GROUPS_MAX: usize = 1_024;

/// State that the apply thread, the hub and the sessions share.
#[derive(Debug, Default)]
pub(super) struct Link {
    /// Open connections.
    pub(super) readers: AtomicU64,
    /// The subjects of kept rooms of `changes`, with or without connections.
    pub(super) watched: Arc<Watched>,
    missed: AtomicBool,
    silent: AtomicBool,
}

impl Link {
    /// Whether a group was missed since the last call.
    pub(super) fn take_missed(&self) -> bool {
        self.missed.swap(false, Ordering::AcqRel)
    }

    pub(super) fn fall_silent(&self) {
        self.silent.store(true, Ordering::Release);
    }

    /// Whether the hub has ended.
    pub(super) fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Acquire)
    }
}

/// The changes of one request that streams report.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) sequence: u64,
    pub(super) at: Time,
    pub(super) changes: Vec<Change>,
    /// The state of the watched markets and accounts right after the request.
    pub(super) seen: Seen,
}

/// The notes of one group.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The sequence of the group's last request, even if it has no note.
    pub(super) head: u64,
    pub(super) notes: Vec<Noted>,
}

#[derive(Debug)]
pub struct Tap {
    link: Arc<Link>,
    group: Group,
    send: Sender<Group>,
}

pub(super) fn tap(link: Arc<Link>) -> (Tap, Receiver<Group>) {
    let (send, receive) = bounded(GROUPS_MAX);
    (Tap { link, group: Group::default(), send }, receive)
}

impl Observer for Tap {
    fn applied(&mut self, applied: &Applied<'_>) {
        self.group.head = applied.seq;
        let (watched, has_readers) = (&self.link.watched, self.link.readers.load(Ordering::SeqCst) > 0);
        if !has_readers && watched.is_empty() {
            return;
        }
        let seen = if watched.is_empty() { Seen::default() } else { watched.look(applied) };
        if !has_readers && seen.is_empty() {
            return;
        }
        let changes: Vec<Change> = applied.changes.iter().filter(|change| is_told(change)).cloned().collect();
        if !changes.is_empty() || !seen.is_empty() {
            self.group.notes.push(Noted { sequence: applied.seq, at: applied.at, changes, seen });
        }
    }

    fn group_ended(&mut self) {
        // A room of `changes` must learn the current sequence even if nothing changed in it.
        if self.group.notes.is_empty() && self.link.watched.is_empty() {
            return;
        }
        if self.send.try_send(std::mem::take(&mut self.group)).is_err() {
            self.link.missed.store(true, Ordering::Release);
        }
    }
}

/// Whether streams report the change.
const fn is_told(change: &Change) -> bool {
    match change {
        Change::Order { .. }
        | Change::Trade(_)
        | Change::PoolMoved { .. }
        | Change::PoolSeeded { .. }
        | Change::EventEdited { .. }
        | Change::EventStatus { .. }
        | Change::MarketStatus { .. }
        | Change::PriceRecorded { .. }
        | Change::AccessChanged { .. }
        // Has no message, but the hub drops its caches for the event.
        | Change::EventRetired(_) => true,
        Change::Sets(_)
        | Change::Funds { .. }
        | Change::FeesMoved { .. }
        | Change::EventCreated { .. }
        | Change::Settled(_)
        | Change::SeriesCreated { .. }
        | Change::SeriesBoundary { .. }
        | Change::SeriesAlert { .. }
        | Change::SportsImported
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

    fn group() -> Group {
        let changes = vec![Change::AccessChanged { user: UserId::new(1) }];
        let noted = Noted { sequence: 1, at: Time::ZERO, changes, seen: Seen::default() };
        Group { head: 1, notes: vec![noted] }
    }

    #[test]
    fn a_hub_that_is_too_far_behind_costs_the_writer_nothing_and_learns_that_it_missed_something() {
        let link = Arc::new(Link::default());
        let (mut tap, receive) = tap(link.clone());
        for _ in 0..GROUPS_MAX {
            tap.group = group();
            tap.group_ended();
        }
        assert!(!link.take_missed());
        tap.group = group();
        tap.group_ended();
        assert!(link.take_missed() && !link.take_missed(), "reported once");
        assert_eq!((receive.len(), tap.group.notes.len()), (GROUPS_MAX, 0));
    }
}
