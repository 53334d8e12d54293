//! The pace of open-loop load: an absolute schedule, and a timer that sleeps until a request is due.
//!
//! Requests and the bare disk use the same schedule and the same timer, so that their times can be compared. A timer
//! descriptor is exact to a few microseconds; the timeout of a poll is rounded up to a millisecond.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

/// Request k is due at start + k / rate, however long the requests before it took.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    start: Instant,
    per_second: f64,
    count: u64,
}

impl Schedule {
    /// Starts now and ends after `time`.
    pub fn begin(per_second: f64, time: Duration) -> Schedule {
        let count = (per_second * time.as_secs_f64()).ceil() as u64;
        Schedule { start: Instant::now(), per_second, count }
    }

    /// When request `number` is due, counted from 0. `None` after the last one.
    pub fn due(&self, number: u64) -> Option<Instant> {
        let after = Duration::from_secs_f64(number as f64 / self.per_second);
        (number < self.count).then(|| self.start + after)
    }

    /// The requests from `next` on that are due at `now`: returns the number after the last of them.
    pub fn due_until(&self, mut next: u64, now: Instant) -> u64 {
        while self.due(next).is_some_and(|due| due <= now) {
            next += 1;
        }
        next
    }
}

/// A timer of the kernel. It can be part of a poll: it becomes readable at the time that it was armed for.
#[derive(Debug)]
pub struct Timer(OwnedFd);

impl Timer {
    pub fn new() -> io::Result<Timer> {
        Ok(Timer(timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?))
    }

    /// Replaces an earlier time. A time in the past fires at once.
    pub fn arm(&self, due: Instant) -> io::Result<()> {
        // Zero would disarm the timer.
        let pause = due.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
        let it_value =
            Timespec { tv_sec: pause.as_secs().cast_signed(), tv_nsec: pause.subsec_nanos().into() };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
        timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
        Ok(())
    }

    /// Sleeps until `due`.
    pub fn sleep_until(&self, due: Instant) -> io::Result<()> {
        self.arm(due)?;
        rustix::io::read(&self.0, &mut [0; 8])?;
        Ok(())
    }
}

impl AsRawFd for Timer {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Schedule, Timer};

    #[test]
    fn a_schedule_is_absolute_and_ends() {
        let schedule = Schedule::begin(1_000.0, Duration::from_millis(5));
        let start = schedule.due(0).unwrap();
        assert_eq!(schedule.due(4).unwrap() - start, Duration::from_millis(4));
        assert_eq!(schedule.due(5), None);
        assert_eq!(schedule.due_until(0, start), 1);
        assert_eq!(schedule.due_until(1, start + Duration::from_micros(2_500)), 3);
        assert_eq!(schedule.due_until(3, start + Duration::from_secs(1)), 5);
    }

    #[test]
    fn a_timer_never_ends_early() {
        let timer = Timer::new().unwrap();
        let due = Instant::now() + Duration::from_millis(2);
        timer.sleep_until(due).unwrap();
        assert!(Instant::now() >= due);
        timer.sleep_until(due).unwrap();
    }
}
