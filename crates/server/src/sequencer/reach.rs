//! How a node stands to the log that it shares: how far behind it is, when it last saw its end, and for how long it could
//! not write to it. Told by the journal's thread, asked by everybody.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use journal::Sequence;

/// A write that waits longer than this for the log has met a gap.
pub(super) const GAP_MIN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Reach {
    began: Instant,
    /// When the log was last seen to its end, in milliseconds since `began`.
    looked: AtomicU64,
    /// The sequence behind the last frame that was seen.
    next: AtomicU64,
    gaps: AtomicU64,
    gap_milliseconds: AtomicU64,
}

impl Reach {
    pub(super) fn new(next: Sequence) -> Reach {
        Reach {
            began: Instant::now(),
            looked: AtomicU64::new(0),
            next: AtomicU64::new(next.0),
            gaps: AtomicU64::new(0),
            gap_milliseconds: AtomicU64::new(0),
        }
    }

    /// The log was seen to its end, which is there.
    pub(super) fn note(&self, next: Sequence) {
        self.note_next(next);
        self.looked.store(self.elapsed(), Ordering::Release);
    }

    /// The log goes at least so far.
    pub(super) fn note_next(&self, next: Sequence) {
        self.next.store(next.0, Ordering::Release);
    }

    /// The log took nothing of this node's for so long, and takes it again.
    pub(super) fn report_gap(&self, gap: Duration) {
        tracing::warn!(
            seconds = gap.as_secs_f32(),
            "the log's database is back: nothing could be written until now"
        );
        self.gaps.fetch_add(1, Ordering::Relaxed);
        self.gap_milliseconds.fetch_add(milliseconds(gap), Ordering::Relaxed);
    }

    fn elapsed(&self) -> u64 {
        milliseconds(self.began.elapsed())
    }

    /// Sequences that are in the log and not in a state that ends at `seq`.
    pub fn behind(&self, seq: u64) -> u64 {
        self.next.load(Ordering::Acquire).saturating_sub(seq + 1)
    }

    /// How long ago the log was seen to its end.
    pub fn age(&self) -> Duration {
        Duration::from_millis(self.elapsed().saturating_sub(self.looked.load(Ordering::Acquire)))
    }

    /// How often since the start the log took nothing for a while, and how long that was altogether.
    pub fn gaps(&self) -> (u64, Duration) {
        let lasted = Duration::from_millis(self.gap_milliseconds.load(Ordering::Relaxed));
        (self.gaps.load(Ordering::Relaxed), lasted)
    }
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
