//! The path of a write in stages: how long each took, and how large groups and frames were. One thread writes each
//! value except `answer`, with one clock reading for each stage of a group.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::histogram::{Durations, Sizes};

#[derive(Debug, Default)]
pub struct WriteStages {
    /// From the submission of a request until the journal thread takes it.
    pub queue: Durations,
    /// From the first request of a group until its frame is complete.
    pub group: Durations,
    /// The append of a frame: write and sync, or the commit in PostgreSQL.
    pub commit: Durations,
    /// From the durable frame until all its requests are decided.
    pub apply: Durations,
    /// From the decision until a lane writes the response; behind hyper, until the response is complete. Writes of users.
    pub answer: Durations,
    pub group_sizes: Sizes,
    pub frame_bytes: AtomicU64,
    /// Nothing is measured (`switch`).
    is_off: AtomicBool,
    /// The time that `now` returns then.
    switched_off_at: OnceLock<Instant>,
}

impl WriteStages {
    /// The begin or end of a stage: the current time, unless nothing is measured.
    pub fn now(&self) -> Instant {
        match self.is_on() {
            true => Instant::now(),
            false => *self.switched_off_at.get_or_init(Instant::now),
        }
    }

    /// Whether stages are measured.
    pub fn is_on(&self) -> bool {
        !self.is_off.load(Ordering::Relaxed)
    }

    /// Measures, or neither measures nor reads the clock. For a benchmark that compares both.
    pub(crate) fn switch(&self, is_on: bool) {
        self.is_off.store(!is_on, Ordering::Relaxed);
    }

    pub fn named(&self) -> [(&'static str, &Durations); 5] {
        [
            ("queue", &self.queue),
            ("group", &self.group),
            ("commit", &self.commit),
            ("apply", &self.apply),
            ("answer", &self.answer),
        ]
    }
}

/// When a group passed the stages of the journal thread.
#[derive(Clone, Copy, Debug)]
pub struct GroupTimes {
    /// When its first request was taken from the queue.
    pub taken_at: Instant,
    /// When its frame was complete.
    pub filled_at: Instant,
    /// When the frame was durable.
    pub durable_at: Instant,
}

impl GroupTimes {
    /// The times of a frame that was read from the log now.
    pub fn read_now() -> GroupTimes {
        let now = Instant::now();
        GroupTimes { taken_at: now, filled_at: now, durable_at: now }
    }
}

/// Appends to a shared log.
#[derive(Debug, Default)]
pub struct LogCounters {
    /// Frames offered to the log.
    pub offers: AtomicU64,
    /// Offers that another node's frame preceded.
    pub lost_races: AtomicU64,
    /// Times that the connection to the log's database was lost.
    pub disconnects: AtomicU64,
}
