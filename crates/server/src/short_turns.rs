//! Work behind the trading path, done in short turns with rests between them.
//!
//! On a machine with few cores a long piece of such work delays trading by milliseconds: the kernel lets a running thread
//! finish its time slice before a thread that wakes behind it runs, with any nice value. A thread that sleeps frees its
//! core at once.

use std::thread;
use std::time::{Duration, Instant};

/// How long a turn lasts, and how long the rest after it.
const TURN: Duration = Duration::from_micros(100);
const REST: Duration = Duration::from_micros(200);
/// Work that has taken this long, with its rests, goes on without them: it must not fall behind.
const RESTS_WITHIN: Duration = Duration::from_millis(100);

/// One piece of work.
#[derive(Debug)]
pub(crate) struct ShortTurns {
    began: Instant,
    turn_began: Instant,
}

impl ShortTurns {
    pub(crate) fn begin() -> ShortTurns {
        let now = Instant::now();
        ShortTurns { began: now, turn_began: now }
    }

    /// Rests if the turn is over, unless the work is awaited. Call it between small steps of the work.
    pub(crate) fn step(&mut self, is_awaited: impl FnOnce() -> bool) {
        let now = Instant::now();
        if is_rest_due(now - self.turn_began, now - self.began) && !is_awaited() {
            thread::sleep(REST);
            self.turn_began = Instant::now();
        }
    }
}

fn is_rest_due(turn: Duration, work: Duration) -> bool {
    turn >= TURN && work < RESTS_WITHIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_follows_each_turn_until_the_work_has_lasted_long() {
        let micros = Duration::from_micros;
        assert!(!is_rest_due(micros(99), micros(99)));
        assert!(is_rest_due(micros(100), micros(100)));
        assert!(is_rest_due(micros(5_000), micros(99_999)));
        assert!(!is_rest_due(micros(5_000), micros(100_000)));
    }
}
