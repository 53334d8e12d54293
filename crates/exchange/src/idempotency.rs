//! The memory of idempotency keys: which request came first under a key, for 24 hours of sequenced time.
//!
//! A scope (user, method, path, key) and a body come as short hashes made at the edge; the answer itself
//! lies in history under the sequence that is kept here.

use std::collections::VecDeque;

use hashbrown::HashMap;
use minicbor::{Decode, Encode};

use crate::hashing::FixedState;
use crate::index::UserIndex;
use crate::time::{Span, Time};

pub const REMEMBERED_FOR: Span = Span::hours(24);
/// Keys a user may have in memory at once.
pub const KEYS_PER_USER_MAX: u32 = 200_000;

/// What a request says of itself, as hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IdempotencyKey {
    #[n(0)]
    pub scope: u64,
    #[n(1)]
    pub scope_more: u64,
    /// Of the raw body.
    #[n(2)]
    pub body: u64,
}

impl IdempotencyKey {
    fn scope(&self) -> (u64, u64) {
        (self.scope, self.scope_more)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Remembered {
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
pub struct Memory {
    by_scope: HashMap<(u64, u64), (u64, u64), FixedState>,
    /// Oldest first.
    queue: VecDeque<Remembered>,
}

impl Memory {
    /// The body hash and sequence of the first request under this scope.
    pub fn find(&self, key: &IdempotencyKey) -> Option<(u64, u64)> {
        self.by_scope.get(&key.scope()).copied()
    }

    pub(crate) fn remember(&mut self, remembered: Remembered) {
        self.by_scope.insert(remembered.key.scope(), (remembered.key.body, remembered.seq));
        self.queue.push_back(remembered);
    }

    pub(crate) fn next_ageing(&self) -> Option<Time> {
        self.queue.front().map(|oldest| oldest.at + REMEMBERED_FOR)
    }

    /// Forgets the oldest if its time is over, and says whose it was.
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
    pub(crate) fn remembered(&self) -> impl ExactSizeIterator<Item = &Remembered> {
        self.queue.iter()
    }
}
