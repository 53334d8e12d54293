//! Measures the gaps between repeated events: when the last one happened, and the longest gap.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Beat(Mutex<State>);

#[derive(Clone, Copy)]
struct State {
    count: u64,
    last: Instant,
    gap: Duration,
}

impl Beat {
    /// The first gap begins now.
    pub(crate) fn start() -> Beat {
        Beat(Mutex::new(State { count: 0, last: Instant::now(), gap: Duration::ZERO }))
    }

    /// Records one event.
    pub(crate) fn note(&self) {
        self.change(|state| {
            state.count += 1;
            state.gap = state.gap.max(state.last.elapsed());
            state.last = Instant::now();
        });
    }

    /// Gaps before now do not count.
    pub(crate) fn measure_from_here(&self) {
        self.change(|state| (state.last, state.gap) = (Instant::now(), Duration::ZERO));
    }

    pub(crate) fn count(&self) -> u64 {
        self.change(|state| state.count)
    }

    /// The longest gap, up to now.
    pub(crate) fn longest_gap(&self) -> Duration {
        self.change(|state| state.gap.max(state.last.elapsed()))
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
