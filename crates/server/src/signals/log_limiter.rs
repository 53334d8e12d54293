//! Counts repeated trouble instead of repeating its log line.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Lets one line pass in each interval, and counts the others.
#[derive(Debug)]
pub struct LogLimiter {
    every: Duration,
    state: Mutex<LimiterState>,
}

#[derive(Debug, Default)]
struct LimiterState {
    last: Option<Instant>,
    /// Lines not written since then.
    withheld: u64,
}

impl LogLimiter {
    pub const fn new(every: Duration) -> LogLimiter {
        LogLimiter { every, state: Mutex::new(LimiterState { last: None, withheld: 0 }) }
    }

    /// Whether a line may be written now: the number of lines withheld since the last one.
    pub fn pass(&self) -> Option<u64> {
        self.pass_at(Instant::now())
    }

    /// Like `pass`, at a given time.
    pub fn pass_at(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock();
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < self.every) {
            state.withheld += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.withheld))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_passes_in_each_interval_and_the_next_one_has_the_number_of_the_others() {
        let limiter = LogLimiter::new(Duration::from_secs(10));
        let begin = Instant::now();
        let at = |seconds: u64| limiter.pass_at(begin + Duration::from_secs(seconds));
        assert_eq!(at(0), Some(0));
        assert_eq!((at(0), at(3), at(9)), (None, None, None));
        assert_eq!(at(10), Some(3));
        assert_eq!(at(19), None);
        assert_eq!(at(60), Some(1));
        assert_eq!(at(80), Some(0));
    }

    #[test]
    fn a_clock_that_stands_still_lets_one_line_pass() {
        let (limiter, now) = (LogLimiter::new(Duration::from_secs(1)), Instant::now());
        let passed = (0..100_000).filter(|_| limiter.pass_at(now).is_some()).count();
        assert_eq!(passed, 1);
    }
}
