//! This node's view of a shared log: its lag, when it last read the log to the end, and how long it could not write.
//! The journal thread writes these values; any thread reads them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use journal::Sequence;

/// A write that waits longer than this counts as a gap.
pub(super) const GAP_MIN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct LogLag {
    began: Instant,
    /// When the log was last read to its end, in milliseconds since `began`.
    read_at: AtomicU64,
    /// The sequence after the last frame read or written.
    next: AtomicU64,
    gaps: AtomicU64,
    gap_milliseconds: AtomicU64,
}

impl LogLag {
    pub(super) fn new(next: Sequence) -> LogLag {
        LogLag {
            began: Instant::now(),
            read_at: AtomicU64::new(0),
            next: AtomicU64::new(next.0),
            gaps: AtomicU64::new(0),
            gap_milliseconds: AtomicU64::new(0),
        }
    }

    /// Records that the log was read to its end, and that `next` is the sequence after it.
    pub(super) fn note(&self, next: Sequence) {
        self.note_next(next);
        self.read_at.store(self.elapsed(), Ordering::Release);
    }

    /// Records that the log extends at least to `next`.
    pub(super) fn note_next(&self, next: Sequence) {
        self.next.store(next.0, Ordering::Release);
    }

    /// Records that this node could not write for `gap` and now can again.
    pub(super) fn report_gap(&self, gap: Duration) {
        tracing::warn!(
            seconds = gap.as_secs_f32(),
            "the log's database is back: writes were impossible until now"
        );
        self.gaps.fetch_add(1, Ordering::Relaxed);
        self.gap_milliseconds.fetch_add(milliseconds(gap), Ordering::Relaxed);
    }

    fn elapsed(&self) -> u64 {
        milliseconds(self.began.elapsed())
    }

    /// The lag of a state at `seq`, in sequences.
    pub fn behind(&self, seq: u64) -> u64 {
        self.next.load(Ordering::Acquire).saturating_sub(seq + 1)
    }

    /// Time since the log was last read to its end.
    pub fn age(&self) -> Duration {
        Duration::from_millis(self.elapsed().saturating_sub(self.read_at.load(Ordering::Acquire)))
    }

    /// The number of gaps since the start, and their total duration.
    pub fn gaps(&self) -> (u64, Duration) {
        let lasted = Duration::from_millis(self.gap_milliseconds.load(Ordering::Relaxed));
        (self.gaps.load(Ordering::Relaxed), lasted)
    }
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
