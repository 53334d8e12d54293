//! Measures how fast a client reads a response: the time that writes were blocked, and the bytes written meanwhile.

use std::time::{Duration, Instant};

use crate::config::Pace;

/// Exists from the first blocked write until the client has read `Pace::bytes_min`.
#[derive(Debug)]
pub(crate) struct Stall {
    pace: Pace,
    left: Duration,
    /// When the current write was blocked.
    since: Option<Instant>,
    written: u64,
}

impl Stall {
    pub(crate) fn new(pace: Pace) -> Stall {
        Stall { pace, left: pace.window, since: None, written: 0 }
    }

    /// Notes a blocked write.
    pub(crate) fn block(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Notes a successful write. Returns true if the client has read enough, and the measurement ends.
    pub(crate) fn unblock(&mut self, bytes: usize, now: Instant) -> bool {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(now.duration_since(since));
        }
        self.written = self.written.saturating_add(bytes as u64);
        self.written >= self.pace.bytes_min
    }

    /// Whether the client has used up its window.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.since.is_some_and(|since| now.saturating_duration_since(since) >= self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_during_which_a_write_is_blocked_counts() {
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let mut stall = Stall::new(Pace { bytes_min: 1_000, window: Duration::from_secs(30) });
        stall.block(at(0));
        stall.block(at(5));
        assert!(!stall.is_over(at(29)) && stall.is_over(at(30)), "counted from the first block");
        assert!(!stall.unblock(100, at(10)));
        assert!(!stall.is_over(at(900)), "not blocked");
        stall.block(at(1_000));
        assert!(!stall.is_over(at(1_019)) && stall.is_over(at(1_020)), "ten seconds were used up before");
        assert!(stall.unblock(900, at(1_021)), "read enough");
    }
}
