//! A clock that changes only when a test sets it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::Clock;

/// Clones share the time.
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    pub fn new(at: i64) -> ManualClock {
        ManualClock(Arc::new(AtomicI64::new(at)))
    }

    /// Sets the time, forwards or back.
    pub fn set(&self, at: i64) {
        self.0.store(at, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}
