//! Timers. They fire in order of time, then kind, then id, all before the command that finds them due.
//!
//! `firing` holds their effects, `ageing` the timer of expired logins, sessions and idempotency keys.

mod ageing;
mod firing;

use std::collections::BTreeSet;

use crate::time::Time;

/// The kind of a timer, in the order in which timers of the same instant fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimerKind {
    /// A GTD order expires; the id is the order's.
    Expiry,
    /// A user's orders are cancelled unless the switch is renewed; the id is the user's.
    Switch,
    /// An event's closing date.
    Close,
    /// Announced terms of a market apply; the id is the market's.
    Terms,
    /// A suspension ends; the id is the operator's.
    Suspension,
    /// A series' interval ended a microsecond ago: the asset's price is settled.
    Boundary,
    /// A series' interval began a microsecond ago: its event is created.
    Creation,
    /// A series event's resolution.
    Resolution,
    /// Expired logins, sessions and idempotency keys are removed.
    Ageing,
    /// The event that ended first leaves memory.
    Retirement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timer {
    pub due: Time,
    pub kind: TimerKind,
    pub id: u128,
}

#[derive(Clone, Debug, Default)]
pub struct Timers {
    queue: BTreeSet<Timer>,
    /// When the first timer is due, kept so that most commands need only one comparison.
    next: Option<Time>,
}

impl Timers {
    pub(crate) fn set(&mut self, due: Time, kind: TimerKind, id: u128) {
        self.queue.insert(Timer { due, kind, id });
        self.refresh();
    }

    pub(crate) fn clear(&mut self, due: Time, kind: TimerKind, id: u128) {
        self.queue.remove(&Timer { due, kind, id });
        self.refresh();
    }

    fn refresh(&mut self) {
        self.next = self.queue.first().map(|timer| timer.due);
    }

    /// When the next timer is due.
    #[inline]
    pub fn next_due(&self) -> Option<Time> {
        self.next
    }

    /// Removes and returns the next timer due at or before `at`.
    pub(crate) fn pop_due(&mut self, at: Time) -> Option<Timer> {
        let timer = *self.queue.first()?;
        if timer.due > at {
            return None;
        }
        self.queue.pop_first();
        self.refresh();
        Some(timer)
    }

    /// Removes and returns the next timer, if it is of this kind and due at or before `at`.
    pub(crate) fn pop_due_of(&mut self, kind: TimerKind, at: Time) -> Option<Timer> {
        let next = self.queue.first().is_some_and(|timer| timer.kind == kind);
        if next { self.pop_due(at) } else { None }
    }

    pub(crate) fn contains(&self, due: Time, kind: TimerKind, id: u128) -> bool {
        self.queue.contains(&Timer { due, kind, id })
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }
}
