//! Clocks: the edge's, for signatures and rate limits, and the journal's, which stamps frames and decides when timers
//! are due.

use std::sync::atomic::{AtomicI64, Ordering};

pub use journal::SystemClock;
pub use journal::clock::{Clock, Confidence};

/// The clock of timers that a program fires: none is due by it, and nothing is ever after it.
#[derive(Clone, Copy, Debug)]
pub struct NoTimers;

impl Clock for NoTimers {
    fn now(&self) -> i64 {
        i64::MIN
    }

    fn behind(&self, _: i64) -> i64 {
        0
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

    /// Sets the clock ahead (or back) as if someone had changed it: `ahead` moves along.
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
    fn now(&self) -> i64 {
        self.micros.load(Ordering::Acquire)
    }

    fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Acquire)
    }
}
