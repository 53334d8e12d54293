//! This process's estimate of the database's clock: read at intervals, advanced by the monotonic clock in between.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use super::link::Link;
use crate::clock::AHEAD_MAX;
use crate::{Clock, Error, SystemClock};

/// The fastest of several measurements is used: it has the smallest network error.
const LOOKS: usize = 3;
const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Shared by all threads of this process that stamp frames or wait for a time.
#[derive(Debug)]
pub struct DatabaseClock {
    began: Instant,
    /// The database's time at `began`, as estimated.
    offset: AtomicI64,
}

impl DatabaseClock {
    pub(super) fn new() -> DatabaseClock {
        DatabaseClock { began: Instant::now(), offset: AtomicI64::new(SystemClock.now()) }
    }

    fn set(&self, now: i64) {
        self.offset.store(now - micros(self.began.elapsed()), Ordering::Release);
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> i64 {
        self.offset.load(Ordering::Acquire) + micros(self.began.elapsed())
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// Reads the database's clock. The answer is about half a round trip old.
pub(super) fn measure(link: &mut Link, clock: &DatabaseClock) -> Result<(), Error> {
    let mut best: Option<(Duration, i64)> = None;
    for _ in 0..LOOKS {
        let (took, told) = link.call("read the clock of", async |connected| {
            let statement = connected.prepare(NOW).await?;
            let asked = Instant::now();
            let row = connected.client.query_one(&statement, &[]).await?;
            Ok((asked.elapsed(), row.get::<_, i64>(0)))
        })?;
        if best.is_none_or(|(quickest, _)| took < quickest) {
            check(told, SystemClock.now())?;
            clock.set(told + micros(took / 2));
            best = Some((took, told));
        }
    }
    Ok(())
}

fn check(database: i64, machine: i64) -> Result<(), Error> {
    let ahead = database.saturating_sub(machine);
    if ahead > micros(AHEAD_MAX) {
        return Err(Error::ClockAhead { seconds: ahead / 1_000_000 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{DatabaseClock, check};
    use crate::Clock;

    #[test]
    fn a_clock_continues_from_the_last_reading_of_the_database() {
        let clock = DatabaseClock::new();
        clock.set(5_000_000);
        let (first, second) = (clock.now(), clock.now());
        assert!(first >= 5_000_000 && second >= first && second < 65_000_000, "{first} {second}");
    }

    #[test]
    fn a_clock_more_than_five_minutes_ahead_is_refused_and_one_behind_is_not() {
        let machine = 1_000_000_000;
        assert!(check(machine + 300_000_000, machine).is_ok());
        assert!(check(machine + 300_000_001, machine).is_err());
        assert!(check(0, machine).is_ok());
    }
}
