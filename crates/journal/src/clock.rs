//! The clock that stamps frames. It is a parameter, so that a test can control it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock further ahead than this is wrong. A time that was written cannot be taken back.
pub const AHEAD_MAX: Duration = Duration::from_secs(300);

/// A clock further behind the last frame than this is wrong. Until it has caught up, nothing closes or expires.
pub const BEHIND_MAX: Duration = Duration::from_secs(300);

/// Whether a clock that has gained `ahead` microseconds since the start may stamp frames. What it was behind the last frame at
/// the start does not count: catching up with the journal cannot lead beyond the true time.
pub fn is_ahead_allowed(ahead: i64, behind_at_start: i64) -> bool {
    u128::try_from(ahead.saturating_sub(behind_at_start)).unwrap_or(0) <= AHEAD_MAX.as_micros()
}

/// Returns the time in microseconds since 1970. It may jump back; the times in the journal do not.
pub trait Clock: Debug + Send + Sync {
    fn now(&self) -> i64;

    /// Microseconds by which this clock has gained on the monotonic clock since the start; 0 if the two are not
    /// compared.
    fn ahead(&self) -> i64 {
        0
    }

    /// Microseconds by which this clock is behind a time that was read from it before; 0 if it is not.
    fn behind(&self, time: i64) -> i64 {
        time.saturating_sub(self.now()).max(0)
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

    fn behind(&self, time: i64) -> i64 {
        (**self).behind(time)
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

#[cfg(test)]
mod tests {
    use super::is_ahead_allowed;

    #[test]
    fn a_clock_may_gain_five_minutes_and_what_it_was_behind_at_the_start() {
        let (second, hour) = (1_000_000, 3_600_000_000);
        assert!(is_ahead_allowed(300 * second, 0) && !is_ahead_allowed(300 * second + 1, 0));
        assert!(
            is_ahead_allowed(hour + 300 * second, hour) && !is_ahead_allowed(hour + 300 * second + 1, hour)
        );
        assert!(is_ahead_allowed(-hour, 0) && is_ahead_allowed(i64::MIN, i64::MAX));
    }
}
