//! Limits on sizes and times, and the clock that measures the times.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Config {
    /// Threads.
    pub lanes: usize,
    /// The maximum size of a head, including the request line. A connection with a larger one is handed over.
    pub head_bytes_max: usize,
    /// The maximum size of a body. A connection with a larger one is handed over.
    pub body_bytes_max: usize,
    pub timeouts: Timeouts,
    pub clock: Clock,
}

/// Time limits for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a request's head, from the end of the previous response; then the connection is closed.
    pub header: Duration,
    /// For a body, from the first read that did not complete it; then the service gets `Body::Late`.
    pub body: Duration,
    /// The minimum speed for reading a response; a slower connection is reset.
    pub answer: Pace,
}

/// How fast a client must read a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Bytes to read within each `window`.
    pub bytes_min: u64,
    /// Counts only the time during which a write is blocked.
    pub window: Duration,
}

/// A monotonic clock. A test injects its own and calls `Lanes::wake` after it has moved it.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Clock {
    pub fn new(now: impl Fn() -> Instant + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Instant {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(Instant::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Clock")
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            lanes: std::thread::available_parallelism().map_or(1, usize::from),
            head_bytes_max: 32 << 10,
            body_bytes_max: 64 << 10,
            timeouts: Timeouts::default(),
            clock: Clock::default(),
        }
    }
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            header: Duration::from_secs(10),
            body: Duration::from_secs(15),
            answer: Pace { bytes_min: 30 << 10, window: Duration::from_secs(30) },
        }
    }
}

impl Timeouts {
    /// How often a lane looks for expired time limits: a limit expires at most an eighth of the shortest one too late.
    pub(crate) fn sweep_interval(&self) -> Duration {
        let shortest = self.header.min(self.body).min(self.answer.window);
        (shortest / 8).clamp(Duration::from_millis(1), Duration::from_secs(1))
    }
}
