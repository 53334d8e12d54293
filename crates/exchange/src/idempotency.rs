//! The idempotency keys of the last 24 hours of sequenced time, each with the first request that used it.
//!
//! Scope (user, method, path, key) and body are short hashes computed at the edge. The response itself is in history,
//! under the sequence stored here.

use std::collections::VecDeque;

use hashbrown::HashMap;
use minicbor::{Decode, Encode};

use crate::hashing::FixedState;
use crate::index::UserIndex;
use crate::time::{Span, Time};

pub const REMEMBERED_FOR: Span = Span::hours(24);
/// Keys remembered per user.
pub const KEYS_PER_USER_MAX: u32 = 200_000;

/// The hashes that identify a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IdempotencyKey {
    #[n(0)]
    pub scope: u64,
    #[n(1)]
    pub scope_low: u64,
    /// Of the raw body.
    #[n(2)]
    pub body: u64,
}

impl IdempotencyKey {
    fn scope(&self) -> (u64, u64) {
        (self.scope, self.scope_low)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RememberedKey {
    #[n(0)]
    pub key: IdempotencyKey,
    #[n(1)]
    pub seq: u64,
    #[n(2)]
    pub user: u32,
    #[n(3)]
    pub at: Time,
}

#[derive(Clone, Debug, Default)]
pub struct IdempotencyMemory {
    by_scope: HashMap<(u64, u64), (u64, u64), FixedState>,
    /// Oldest first.
    queue: VecDeque<RememberedKey>,
}

impl IdempotencyMemory {
    /// The body hash and sequence of the first request under this scope.
    pub fn find(&self, key: &IdempotencyKey) -> Option<(u64, u64)> {
        self.by_scope.get(&key.scope()).copied()
    }

    pub(crate) fn remember(&mut self, remembered: RememberedKey) {
        self.by_scope.insert(remembered.key.scope(), (remembered.key.body, remembered.seq));
        self.queue.push_back(remembered);
    }

    pub(crate) fn next_ageing(&self) -> Option<Time> {
        self.queue.front().map(|oldest| oldest.at + REMEMBERED_FOR)
    }

    /// Removes the oldest key if it has expired, and returns its user.
    pub(crate) fn forget_one(&mut self, now: Time) -> Option<UserIndex> {
        let oldest = *self.queue.front().filter(|oldest| oldest.at + REMEMBERED_FOR <= now)?;
        self.queue.pop_front();
        self.by_scope.remove(&oldest.key.scope());
        Some(UserIndex(oldest.user))
    }

    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Oldest first.
    pub(crate) fn remembered(&self) -> impl ExactSizeIterator<Item = &RememberedKey> {
        self.queue.iter()
    }
}
