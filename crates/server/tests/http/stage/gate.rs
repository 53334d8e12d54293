//! A gate before the journal: shut, its thread waits where it looks at the clock, and requests pile up behind it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use server::clock::{Clock, ManualClock};

#[derive(Debug, Default)]
pub struct Gate {
    is_shut: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn shut(&self) {
        *self.is_shut.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    pub fn open(&self) {
        *self.is_shut.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let is_shut = self.is_shut.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(is_shut, |is_shut| *is_shut));
    }
}

/// The journal's clock behind a gate.
#[derive(Debug)]
pub(super) struct Gated {
    pub(super) gate: Arc<Gate>,
    pub(super) clock: Arc<ManualClock>,
}

impl Clock for Gated {
    fn now_micros(&self) -> i64 {
        self.gate.pass();
        self.clock.now_micros()
    }
}
