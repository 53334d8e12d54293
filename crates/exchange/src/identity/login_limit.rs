//! One login attempt per email address in two minutes, whether or not anyone has that address.

use std::collections::VecDeque;

use hashbrown::HashMap;

use crate::hashing::FixedState;
use crate::id::Hash32;
use crate::time::{Span, Time};

/// Spec, Limits: 1 request per 2 minutes per email address.
pub const LOGIN_EVERY: Span = Span::minutes(2);

#[derive(Clone, Debug, Default)]
pub struct LoginLimit {
    last: HashMap<Hash32, Time, FixedState>,
    /// The same in order of time, for forgetting.
    queue: VecDeque<(Time, Hash32)>,
}

impl LoginLimit {
    /// Counts an attempt, or says when the next one is allowed.
    pub(crate) fn spend(&mut self, email: Hash32, at: Time) -> Result<(), Time> {
        if let Some(last) = self.last.get(&email).filter(|last| **last + LOGIN_EVERY > at) {
            return Err(*last + LOGIN_EVERY);
        }
        self.last.insert(email, at);
        self.queue.push_back((at, email));
        Ok(())
    }

    pub(crate) fn next_ageing(&self) -> Option<Time> {
        self.queue.front().map(|(at, _)| *at + LOGIN_EVERY)
    }

    pub(crate) fn forget_until(&mut self, now: Time) {
        while let Some((at, email)) = self.queue.front().copied().filter(|(at, _)| *at + LOGIN_EVERY <= now) {
            self.queue.pop_front();
            if self.last.get(&email) == Some(&at) {
                self.last.remove(&email);
            }
        }
    }

    /// In order of time.
    pub(crate) fn attempts(&self) -> impl ExactSizeIterator<Item = &(Time, Hash32)> {
        self.queue.iter()
    }

    pub(crate) fn restore(&mut self, at: Time, email: Hash32) {
        self.last.insert(email, at);
        self.queue.push_back((at, email));
    }
}
