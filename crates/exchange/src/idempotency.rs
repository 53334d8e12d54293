//! The idempotency keys that are in use, each with the first request that used it.
//!
//! A key lives for 24 hours of sequenced time, or for the shorter window of its first request. Scope (user, method, path,
//! key) and body are short hashes computed at the edge. The response itself is in history, under the sequence stored here.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use minicbor::encode::Write;
use minicbor::{Decode, Decoder, Encode, Encoder, decode, encode};

use crate::gradual::GradualMap;
use crate::id::OperatorId;
use crate::index::UserIndex;
use crate::queue::Queue;
use crate::time::{Span, Time};

pub const REMEMBERED_FOR: Span = Span::hours(24);
/// Keys remembered per user, and from rules 5 on per operator.
pub const KEYS_PER_USER_MAX: u32 = 200_000;
/// Keys remembered of all users; from rules 4 on. Above it only those who have few may use more, so that ten users with all
/// of theirs do not keep everybody else from a safe retry. From rules 5 on neither counts keys of operators nor binds them.
pub const KEYS_MAX: usize = 2_000_000;
pub const KEYS_OF_FEW: u32 = 1_000;

/// A life of a key that is shorter than a day, in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyWindow(NonZeroU32);

impl KeyWindow {
    pub const SECONDS_MIN: u32 = 60;
    /// A day, which is the life of a key without a window.
    pub const SECONDS_MAX: u32 = 86_400;

    /// `None` for a day, and for everything that is out of range.
    pub fn new(seconds: u32) -> Option<KeyWindow> {
        let is_shorter = (KeyWindow::SECONDS_MIN..KeyWindow::SECONDS_MAX).contains(&seconds);
        NonZeroU32::new(seconds).filter(|_| is_shorter).map(KeyWindow)
    }

    pub const fn seconds(self) -> u32 {
        self.0.get()
    }
}

impl<C> Encode<C> for KeyWindow {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.u32(self.seconds())?.ok()
    }
}

impl<'b, C> Decode<'b, C> for KeyWindow {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<KeyWindow, decode::Error> {
        KeyWindow::new(d.u32()?).ok_or_else(|| decode::Error::message("a window of 60 seconds to a day"))
    }
}

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
    /// How long the key lives; `None` for a day. Only the window of a key's first request counts. From rules 3 on.
    #[n(3)]
    pub window: Option<KeyWindow>,
}

impl IdempotencyKey {
    fn scope(&self) -> (u64, u64) {
        (self.scope, self.scope_low)
    }

    fn remembered_for(&self) -> Span {
        self.window.map_or(REMEMBERED_FOR, |window| Span::seconds(i64::from(window.seconds())))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RememberedKey {
    pub key: IdempotencyKey,
    pub seq: u64,
    pub user: u32,
    pub at: Time,
}

impl RememberedKey {
    /// When it is forgotten.
    fn until(&self) -> Time {
        self.at + self.key.remembered_for()
    }
}

#[derive(Clone, Debug, Default)]
pub struct IdempotencyMemory {
    by_scope: GradualMap<(u64, u64), (u64, u64)>,
    /// Keys that live for a day, oldest first.
    queue: Queue<RememberedKey>,
    /// Keys with a window, by the time of their end and their sequence.
    short_lived: BTreeMap<(Time, u64), RememberedKey>,
    /// The operators of their keys, by sequence; from rules 5 on. Beside the keys, because most are of users.
    operators: BTreeMap<u64, OperatorId>,
    /// Not state: the number of keys of each operator who has one.
    counts: BTreeMap<OperatorId, u32>,
}

impl IdempotencyMemory {
    /// The body hash and sequence of the first request under this scope.
    pub fn find(&self, key: &IdempotencyKey) -> Option<(u64, u64)> {
        self.by_scope.get(&key.scope()).copied()
    }

    /// `operator`: the owner of the key, if it is not the user.
    pub(crate) fn remember(&mut self, remembered: RememberedKey, operator: Option<OperatorId>) {
        if let Some(operator) = operator {
            self.operators.insert(remembered.seq, operator);
            *self.counts.entry(operator).or_default() += 1;
        }
        self.by_scope.insert(remembered.key.scope(), (remembered.key.body, remembered.seq));
        match remembered.key.window {
            Some(_) => {
                self.short_lived.insert((remembered.until(), remembered.seq), remembered);
            }
            None => self.queue.push_back(remembered),
        }
    }

    pub(crate) fn next_ageing(&self) -> Option<Time> {
        let oldest = self.queue.front().map(RememberedKey::until);
        let shortest = self.short_lived.first_key_value().map(|((until, _), _)| *until);
        oldest.into_iter().chain(shortest).min()
    }

    /// Removes a key that has expired, and returns its user.
    pub(crate) fn forget_one(&mut self, now: Time) -> Option<UserIndex> {
        let is_over = |key: &&RememberedKey| key.until() <= now;
        let forgotten = match self.queue.front().filter(is_over) {
            Some(_) => self.queue.pop_front()?,
            None => {
                self.short_lived.first_key_value().filter(|((until, _), _)| *until <= now)?;
                self.short_lived.pop_first()?.1
            }
        };
        self.by_scope.remove(&forgotten.key.scope());
        if let Some(operator) = self.operators.remove(&forgotten.seq) {
            let left = self.of_operator(operator) - 1;
            match left {
                0 => self.counts.remove(&operator),
                _ => self.counts.insert(operator, left),
            };
        }
        Some(UserIndex(forgotten.user))
    }

    /// The number of keys of an operator.
    pub fn of_operator(&self, operator: OperatorId) -> u32 {
        self.counts.get(&operator).copied().unwrap_or(0)
    }

    /// The number of keys that count against the limit of all users.
    pub(crate) fn of_users(&self) -> usize {
        self.len() - self.operators.len()
    }

    /// Whether the counts of operators agree with the keys.
    pub(crate) fn has_sound_counts(&self) -> bool {
        let mut counts = BTreeMap::new();
        for operator in self.operators.values() {
            *counts.entry(*operator).or_default() += 1;
        }
        let of_keys = self.remembered().filter(|(_, operator)| operator.is_some()).count();
        counts == self.counts && of_keys == self.operators.len()
    }

    pub fn len(&self) -> usize {
        self.queue.len() + self.short_lived.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys that live for a day, oldest first; then those with a window, by the time of their end. Each with its operator.
    pub(crate) fn remembered(&self) -> impl Iterator<Item = (&RememberedKey, Option<OperatorId>)> {
        let keys = self.queue.iter().chain(self.short_lived.values());
        keys.map(|key| (key, self.operators.get(&key.seq).copied()))
    }
}

#[cfg(test)]
impl IdempotencyMemory {
    /// A planted bug: a count of keys that are not there.
    pub(crate) fn spoil_counts(&mut self) {
        self.counts.insert(OperatorId::new(1), 1);
    }
}
