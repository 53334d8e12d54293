//! The venue's clock: it stands until the sandbox moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use exchange::time::Time;
use journal::clock::Clock;

/// Shared by the journal, which stamps frames with it, and by the sandbox, which moves it.
#[derive(Clone, Debug)]
pub(crate) struct VenueClock {
    micros: Arc<AtomicI64>,
}

impl VenueClock {
    pub(crate) fn new(at: Time) -> VenueClock {
        VenueClock { micros: Arc::new(AtomicI64::new(at.micros())) }
    }

    pub(crate) fn time(&self) -> Time {
        Time::from_micros(self.now())
    }

    /// Moves the clock; back only when the venue returns to a snapshot.
    pub(crate) fn set(&self, at: Time) {
        self.micros.store(at.micros(), Ordering::Release);
    }
}

impl Clock for VenueClock {
    fn now(&self) -> i64 {
        self.micros.load(Ordering::Acquire)
    }
}
