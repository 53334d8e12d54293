//! The clock that a journal stamps its frames with, handed in so that a test can drive it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Further ahead than this, a clock is wrong, and time that was written cannot be taken back.
pub const AHEAD_MAX: Duration = Duration::from_secs(300);

/// Tells the time in microseconds since 1970. It may jump back; the journal does not.
pub trait Clock: Send {
    fn now(&self) -> i64;

    /// Microseconds by which it has run ahead, since the start, of a clock that nothing sets; 0 where it is not compared.
    fn ahead(&self) -> i64 {
        0
    }
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        // A clock before 1970 reads as 1970: the journal then goes on from the time of its last frame.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }
}
