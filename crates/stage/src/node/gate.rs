//! A gate before the journal: while it is shut, the journal's thread waits at its clock, and requests queue up.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use server::pipeline::clock::{Clock, ManualClock};

#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_shut: bool,
    waiting: usize,
}

impl Gate {
    pub fn shut(&self) {
        self.state().is_shut = true;
    }

    pub fn open(&self) {
        self.state().is_shut = false;
        self.changed.notify_all();
    }

    /// Waits until the journal's thread blocks at the gate. From then on it takes nothing out of the queue.
    pub fn wait_for_someone(&self) {
        drop(self.changed.wait_while(self.state(), |state| state.waiting == 0));
    }

    fn pass(&self) {
        let mut state = self.state();
        state.waiting += 1;
        self.changed.notify_all();
        let passed = self.changed.wait_while(state, |state| state.is_shut);
        passed.unwrap_or_else(PoisonError::into_inner).waiting -= 1;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The journal's clock behind a gate.
#[derive(Debug)]
pub(super) struct Gated {
    pub(super) gate: Arc<Gate>,
    pub(super) clock: Arc<ManualClock>,
}

impl Clock for Gated {
    fn now(&self) -> i64 {
        self.gate.pass();
        self.clock.now()
    }

    // Handlers ask this: only the journal's thread is to stand at the gate.
    fn behind(&self, time: i64) -> i64 {
        self.clock.behind(time)
    }
}
