//! The clock that stamps the frames of a file journal, checked against the boot clock and the kernel's synchronisation
//! status.
//!
//! A stamped time cannot be undone, and a wrong time closes and expires orders and events early. So a clock that has
//! run ahead since the start stamps no frames, and a node does not start with an unsynchronised clock that is far past
//! the last frame. [`Timekeeper`] abstracts the machine's clocks for tests.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rtime_clock::adjtime::{Timex, adjtimex};
use rustix::time::{ClockId, clock_gettime};

use crate::pipeline::clock::{Clock, Confidence};

/// How far past the last frame an unsynchronised clock may be at the start: a night, or a day of maintenance.
pub const PAST_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The result of `adjtimex` while the clock is unsynchronised (`TIME_ERROR`).
const UNSYNCHRONISED: i32 = 5;

/// A machine's clocks.
pub trait Timekeeper: Debug + Send + Sync {
    /// Microseconds since 1970, by the wall clock, which can be set.
    fn wall_micros(&self) -> i64;
    /// Microseconds since boot, including suspend. This clock cannot be set.
    fn boot_micros(&self) -> i64;
    /// Whether the kernel considers the wall clock synchronised. `None` if it cannot be queried.
    fn is_synchronised(&self) -> Option<bool>;
}

/// The machine that this process runs on.
#[derive(Clone, Copy, Debug)]
pub struct Machine;

impl Timekeeper for Machine {
    fn wall_micros(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    fn boot_micros(&self) -> i64 {
        let since = clock_gettime(ClockId::Boottime);
        since.tv_sec * 1_000_000 + since.tv_nsec / 1_000
    }

    fn is_synchronised(&self) -> Option<bool> {
        // With no mode set, this only reads. A sandbox may forbid even that.
        adjtimex(&mut Timex::new()).ok().map(|state| state != UNSYNCHRONISED)
    }
}

/// A machine's wall clock, compared with its boot clock since this was created.
#[derive(Clone, Debug)]
pub struct WatchedClock {
    keeper: Arc<dyn Timekeeper>,
    /// Wall and boot clock at the start.
    began: (i64, i64),
    is_accepted: bool,
}

impl WatchedClock {
    /// With `is_accepted`, the clock is accepted at the start even if the kernel reports it as unsynchronised.
    pub fn new(keeper: Arc<dyn Timekeeper>, is_accepted: bool) -> WatchedClock {
        let began = (keeper.wall_micros(), keeper.boot_micros());
        WatchedClock { keeper, began, is_accepted }
    }
}

impl Clock for WatchedClock {
    fn now(&self) -> i64 {
        self.keeper.wall_micros()
    }

    fn ahead(&self) -> i64 {
        let (wall, boot) = self.began;
        (self.keeper.wall_micros() - wall).saturating_sub(self.keeper.boot_micros() - boot)
    }

    fn confidence(&self) -> Confidence {
        match self.keeper.is_synchronised() {
            Some(false) if self.is_accepted => Confidence::Accepted,
            Some(false) => Confidence::Unsynchronised,
            Some(true) | None => Confidence::Synchronised,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Played {
        wall: AtomicI64,
        boot: AtomicI64,
        synchronised: Option<bool>,
    }

    fn played(synchronised: Option<bool>) -> Arc<Played> {
        Arc::new(Played { wall: AtomicI64::new(1_000_000), boot: AtomicI64::new(50), synchronised })
    }

    impl Timekeeper for Played {
        fn wall_micros(&self) -> i64 {
            self.wall.load(Ordering::Relaxed)
        }

        fn boot_micros(&self) -> i64 {
            self.boot.load(Ordering::Relaxed)
        }

        fn is_synchronised(&self) -> Option<bool> {
            self.synchronised
        }
    }

    #[test]
    fn a_clock_is_ahead_by_what_it_was_set_and_not_by_what_went_by() {
        let keeper = played(None);
        let clock = WatchedClock::new(keeper.clone(), false);
        keeper.wall.fetch_add(700, Ordering::Relaxed);
        keeper.boot.fetch_add(700, Ordering::Relaxed);
        assert_eq!((clock.now(), clock.ahead()), (1_000_700, 0));
        keeper.wall.fetch_add(5_000, Ordering::Relaxed);
        assert_eq!(clock.ahead(), 5_000);
        keeper.wall.fetch_sub(6_000, Ordering::Relaxed);
        assert_eq!(clock.ahead(), -1_000);
    }

    #[test]
    fn a_clock_is_unsynchronised_only_if_the_kernel_reports_it() {
        let confidence =
            |synchronised, accepted| WatchedClock::new(played(synchronised), accepted).confidence();
        assert_eq!(confidence(Some(false), false), Confidence::Unsynchronised);
        assert_eq!(confidence(Some(false), true), Confidence::Accepted);
        assert_eq!(confidence(Some(true), false), Confidence::Synchronised);
        assert_eq!(confidence(None, false), Confidence::Synchronised);
    }

    #[test]
    fn the_machine_has_both_clocks_and_an_opinion_or_none() {
        let clock = WatchedClock::new(Arc::new(Machine), false);
        assert!(clock.now() > 1_500_000_000_000_000, "the machine's clock is set");
        assert!(Machine.boot_micros() > 0);
        let _ = clock.confidence();
    }
}
