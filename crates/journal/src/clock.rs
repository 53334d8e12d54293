//! The clock that stamps frames. It is a parameter, so that a test can control it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock further ahead than this is wrong. A time that was written cannot be taken back.
pub const AHEAD_MAX: Duration = Duration::from_secs(300);

/// Returns the time in microseconds since 1970. It may jump back; the times in the journal do not.
pub trait Clock: Debug + Send + Sync {
    fn now(&self) -> i64;

    /// Microseconds by which this clock has gained on the monotonic clock since the start; 0 if the two are not
    /// compared.
    fn ahead(&self) -> i64 {
        0
    }

    /// How reliable the clock is, checked before the first frame is stamped.
    fn confidence(&self) -> Confidence {
        Confidence::Synchronised
    }
}

/// Whether frames may be stamped with a clock, however far it is past the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// The kernel reports the clock as synchronised, or reports nothing.
    Synchronised,
    /// The kernel reports the clock as unsynchronised.
    Unsynchronised,
    /// The kernel reports the clock as unsynchronised, but an operator has confirmed the time.
    Accepted,
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> i64 {
        (**self).now()
    }

    fn ahead(&self) -> i64 {
        (**self).ahead()
    }

    fn confidence(&self) -> Confidence {
        (**self).confidence()
    }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        // A clock before 1970 reads as 1970; frames then get the time of the last frame.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }
}
