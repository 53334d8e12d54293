//! The clock that a journal stamps its frames with, handed in so that a test can drive it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Tells the time in microseconds since 1970. It may jump back; the journal does not.
pub trait Clock: Send {
    fn now(&self) -> i64;
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
