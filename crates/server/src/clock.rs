//! Clocks: the edge's, for signatures and rate limits, and the journal's, which stamps frames and decides when timers
//! are due.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub trait Clock: Debug + Send + Sync {
    /// Microseconds since 1970.
    fn now_micros(&self) -> i64;

    /// How far the clock has run ahead of a monotonic clock since the start; 0 if it is not compared with one.
    fn ahead_micros(&self) -> i64 {
        0
    }

    /// How reliable the clock is, checked before the first frame is stamped.
    fn confidence(&self) -> Confidence {
        Confidence::Synchronised
    }
}

/// Whether a node may start with this clock, however far it is past the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// The kernel reports it as synchronised, or reports nothing.
    Synchronised,
    /// The kernel reports it as unsynchronised.
    Unsynchronised,
    /// The kernel reports it as unsynchronised, but an operator has confirmed the time.
    Accepted,
}

#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_micros(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }
}

/// A clock for tests, moved by hand.
#[derive(Debug)]
pub struct ManualClock {
    micros: AtomicI64,
    ahead: AtomicI64,
}

impl ManualClock {
    pub const fn new(micros: i64) -> ManualClock {
        ManualClock { micros: AtomicI64::new(micros), ahead: AtomicI64::new(0) }
    }

    /// Sets the clock ahead (or back) as if someone had changed it: `ahead_micros` moves along.
    pub fn jump_seconds(&self, seconds: i64) {
        self.advance_seconds(seconds);
        self.ahead.fetch_add(seconds * 1_000_000, Ordering::AcqRel);
    }

    pub fn advance_seconds(&self, seconds: i64) {
        self.advance_micros(seconds * 1_000_000);
    }

    pub fn advance_micros(&self, micros: i64) {
        self.micros.fetch_add(micros, Ordering::AcqRel);
    }
}

impl Clock for ManualClock {
    fn now_micros(&self) -> i64 {
        self.micros.load(Ordering::Acquire)
    }

    fn ahead_micros(&self) -> i64 {
        self.ahead.load(Ordering::Acquire)
    }
}
