//! The edge's clock, for signatures and per-second limits. The journal has its own.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub trait Clock: Debug + Send + Sync {
    /// Microseconds since 1970.
    fn now_micros(&self) -> i64;

    /// How far it has run ahead, since the start, of a clock that nothing sets; 0 where it is not compared with one.
    fn ahead_micros(&self) -> i64 {
        0
    }

    /// What is known of it before anything is stamped.
    fn confidence(&self) -> Confidence {
        Confidence::Synchronised
    }
}

/// Whether a clock may be begun with, however far it is past the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// By the kernel's word, or nothing is known against it.
    Synchronised,
    /// The kernel says that nothing has synchronised it.
    Unsynchronised,
    /// The same, and an operator says that it is right.
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

/// A clock that is moved by hand.
#[derive(Debug)]
pub struct ManualClock {
    micros: AtomicI64,
    ahead: AtomicI64,
}

impl ManualClock {
    pub const fn new(micros: i64) -> ManualClock {
        ManualClock { micros: AtomicI64::new(micros), ahead: AtomicI64::new(0) }
    }

    /// Sets the clock so much ahead, or back, without letting time go by.
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
