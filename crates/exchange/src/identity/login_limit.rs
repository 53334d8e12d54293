//! Recent login attempts, and how many are allowed. Known and unknown addresses are counted alike.
//!
//! Addresses, networks and devices arrive as hashes under the look-up key of the people store: neither the journal nor
//! a snapshot reveals them. Each counter holds a bounded number of attempts; beyond it the oldest one is dropped early.

use std::collections::{BTreeMap, VecDeque};

use minicbor::{Decode, Encode};

use crate::gradual::GradualMap;
use crate::id::Hash32;
use crate::queue::Queue;
use crate::time::{Span, Time};

/// Attempts per counter. Checking a password takes tens of milliseconds of CPU, so there are fewer in an hour.
const ATTEMPTS_KEPT_MAX: usize = 262_144;

/// The origin of a login, which determines the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum LoginScope {
    /// The API.
    #[n(0)]
    Api {
        #[n(0)]
        address: Hash32,
    },
    /// The page, in an unknown browser.
    #[n(1)]
    Page {
        #[n(0)]
        address: Hash32,
        /// Hash of email and network together.
        #[n(1)]
        address_on_network: Hash32,
    },
    /// The page, in a browser that logged in with this address before.
    #[n(2)]
    Device {
        /// Hash of email and device together.
        #[n(0)]
        address_on_device: Hash32,
    },
}

/// The number of attempts allowed in a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    pub attempts: usize,
    pub span: Span,
}

/// Spec, Limits: login, 1 request per 2 minutes per email address.
pub const API: Allowed = Allowed { attempts: 1, span: Span::minutes(2) };
pub const ADDRESS_ON_NETWORK: Allowed = Allowed { attempts: 5, span: Span::minutes(5) };
pub const ADDRESS: Allowed = Allowed { attempts: 50, span: Span::hours(1) };
pub const ADDRESS_ON_DEVICE: Allowed = Allowed { attempts: 5, span: Span::minutes(5) };

#[derive(Clone, Debug)]
pub struct LoginLimit {
    api: Attempts,
    address_on_network: Attempts,
    address: Attempts,
    address_on_device: Attempts,
}

impl Default for LoginLimit {
    fn default() -> LoginLimit {
        LoginLimit {
            api: Attempts::new(API),
            address_on_network: Attempts::new(ADDRESS_ON_NETWORK),
            address: Attempts::new(ADDRESS),
            address_on_device: Attempts::new(ADDRESS_ON_DEVICE),
        }
    }
}

impl LoginLimit {
    /// Counts an attempt, or returns when the next one is allowed. A refused attempt is not counted.
    pub(crate) fn spend(&mut self, scope: LoginScope, at: Time) -> Result<(), Time> {
        self.check(scope, at)?;
        match scope {
            LoginScope::Api { address } => self.api.add(address, at),
            LoginScope::Page { address, address_on_network } => {
                self.address.add(address, at);
                self.address_on_network.add(address_on_network, at);
            }
            LoginScope::Device { address_on_device } => self.address_on_device.add(address_on_device, at),
        }
        Ok(())
    }

    /// Whether an attempt is allowed at `at`; if not, when it would be.
    pub fn check(&self, scope: LoginScope, at: Time) -> Result<(), Time> {
        match scope {
            LoginScope::Api { address } => self.api.check(address, at),
            LoginScope::Page { address, address_on_network } => {
                let checks =
                    [self.address.check(address, at), self.address_on_network.check(address_on_network, at)];
                checks.into_iter().filter_map(Result::err).max().map_or(Ok(()), Err)
            }
            LoginScope::Device { address_on_device } => self.address_on_device.check(address_on_device, at),
        }
    }

    pub(crate) fn next_ageing(&self) -> Option<Time> {
        self.counts().into_iter().filter_map(Attempts::next_ageing).min()
    }

    pub(crate) fn forget_until(&mut self, now: Time) {
        for attempts in self.counts_mut() {
            attempts.forget_until(now);
        }
    }

    /// All counters, in the order of a snapshot.
    pub(crate) fn counts(&self) -> [&Attempts; 4] {
        [&self.api, &self.address_on_network, &self.address, &self.address_on_device]
    }

    pub(crate) fn counts_mut(&mut self) -> [&mut Attempts; 4] {
        [&mut self.api, &mut self.address_on_network, &mut self.address, &mut self.address_on_device]
    }
}

/// The recent attempts under one rule.
#[derive(Clone, Debug)]
pub(crate) struct Attempts {
    allowed: Allowed,
    /// The times of the attempts per key, oldest first.
    by_key: GradualMap<Hash32, VecDeque<Time>>,
    /// All attempts ordered by time, for expiry.
    queue: Queue<(Time, Hash32)>,
}

impl Attempts {
    fn new(allowed: Allowed) -> Attempts {
        Attempts { allowed, by_key: GradualMap::default(), queue: Queue::default() }
    }

    /// Whether another attempt is allowed at `at`; if not, when it would be.
    fn check(&self, key: Hash32, at: Time) -> Result<(), Time> {
        let Allowed { attempts, span } = self.allowed;
        let times = self.by_key.get(&key);
        // The attempt that has to expire before another is allowed.
        let blocking = times.and_then(|times| times.get(times.len().checked_sub(attempts)?));
        match blocking.filter(|blocking| **blocking + span > at) {
            Some(blocking) => Err(*blocking + span),
            None => Ok(()),
        }
    }

    fn add(&mut self, key: Hash32, at: Time) {
        if self.queue.len() >= ATTEMPTS_KEPT_MAX {
            self.forget_oldest();
        }
        match self.by_key.get_mut(&key) {
            Some(times) => times.push_back(at),
            None => {
                self.by_key.insert(key, VecDeque::from([at]));
            }
        }
        self.queue.push_back((at, key));
    }

    fn forget_oldest(&mut self) {
        let Some((_, key)) = self.queue.pop_front() else { return };
        if let Some(times) = self.by_key.get_mut(&key) {
            times.pop_front();
            if times.is_empty() {
                self.by_key.remove(&key);
            }
        }
    }

    fn next_ageing(&self) -> Option<Time> {
        self.queue.front().map(|(at, _)| *at + self.allowed.span)
    }

    fn forget_until(&mut self, now: Time) {
        while self.next_ageing().is_some_and(|end| end <= now) {
            self.forget_oldest();
        }
    }

    /// All attempts, ordered by time.
    pub(crate) fn in_order(&self) -> impl ExactSizeIterator<Item = &(Time, Hash32)> {
        self.queue.iter()
    }

    /// Restores an attempt from a snapshot. Returns `false` if it is out of order or exceeds a limit.
    pub(crate) fn restore(&mut self, at: Time, key: Hash32) -> bool {
        let is_later = self.queue.back().is_none_or(|(last, _)| *last <= at);
        let fits = is_later && self.queue.len() < ATTEMPTS_KEPT_MAX && self.check(key, at).is_ok();
        if fits {
            self.add(key, at);
        }
        fits
    }

    /// Whether the times per key match the queue, and no key exceeds its limit.
    pub(crate) fn is_sound(&self) -> bool {
        let mut by_key: BTreeMap<&Hash32, VecDeque<Time>> = BTreeMap::new();
        for (at, key) in self.queue.iter() {
            by_key.entry(key).or_default().push_back(*at);
        }
        let is_same = |(key, times): (&&Hash32, &VecDeque<Time>)| self.by_key.get(*key) == Some(times);
        let is_allowed = |times: &VecDeque<Time>| times.len() <= self.allowed.attempts;
        self.queue.len() <= ATTEMPTS_KEPT_MAX
            && by_key.len() == self.by_key.len()
            && by_key.iter().all(is_same)
            && by_key.values().all(is_allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_keeps_a_bounded_number_of_attempts_and_forgets_the_oldest_first() {
        let mut attempts = Attempts::new(ADDRESS_ON_NETWORK);
        let key = |number: usize| Hash32::of(&number.to_string());
        for number in 0..ATTEMPTS_KEPT_MAX {
            attempts.add(key(number), Time::ZERO);
        }
        for _ in 0..4 {
            attempts.add(key(1), Time::ZERO);
        }
        assert_eq!(attempts.queue.len(), ATTEMPTS_KEPT_MAX);
        assert!(attempts.is_sound(), "the four oldest attempts were dropped, so key 1 may make another");
        assert_eq!(attempts.check(key(1), Time::ZERO), Ok(()));
        assert!(!attempts.restore(Time::ZERO, key(2)), "a snapshot cannot hold more either");
    }
}
