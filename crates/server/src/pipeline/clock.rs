//! Clocks: the edge's, for signatures and rate limits, and the journal's, which stamps frames and decides when timers
//! are due.

use std::sync::atomic::{AtomicI64, Ordering};

pub use journal::SystemClock;
pub use journal::clock::{Clock, Confidence};

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
