//! The path of a write in stages: how long each took, and how large groups and frames were. One thread writes each
//! value, with one clock reading for each stage of a group.

use std::sync::atomic::AtomicU64;

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
    /// From the decision until the response is written. Requests of the fast lane.
    pub answer: Durations,
    pub group_sizes: Sizes,
    pub frame_bytes: AtomicU64,
}

impl WriteStages {
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
