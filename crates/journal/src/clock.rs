//! The clock that stamps frames. It is a parameter, so that a test can control it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock further ahead than this is wrong. A time that was written cannot be taken back.
pub const AHEAD_MAX: Duration = Duration::from_secs(300);

/// Returns the time in microseconds since 1970. It may jump back; the times in the journal do not.
pub trait Clock: Send {
    fn now(&self) -> i64;

    /// Microseconds by which this clock has gained on the monotonic clock since the start; 0 if the two are not
    /// compared.
    fn ahead(&self) -> i64 {
        0
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
