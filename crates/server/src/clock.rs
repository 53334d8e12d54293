//! The edge's clock, for signatures and per-second limits. The journal has its own.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub trait Clock: Debug + Send + Sync {
    /// Microseconds since 1970.
    fn now_micros(&self) -> i64;
}

#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_micros(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }
}

/// A clock that is moved by hand.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub const fn new(micros: i64) -> ManualClock {
        ManualClock(AtomicI64::new(micros))
    }

    pub fn advance_seconds(&self, seconds: i64) {
        self.advance_micros(seconds * 1_000_000);
    }

    pub fn advance_micros(&self, micros: i64) {
        self.0.fetch_add(micros, Ordering::AcqRel);
    }
}

impl Clock for ManualClock {
    fn now_micros(&self) -> i64 {
        self.0.load(Ordering::Acquire)
    }
}
