//! A read-write lock that measures how long its readers hold it. A long read delays the writer, and so all trading.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

#[derive(Debug, Default)]
pub struct MeasuredLock<T> {
    lock: RwLock<T>,
    longest_nanos: AtomicU64,
}

/// A read lock. Its duration is recorded when it is dropped.
#[derive(Debug)]
pub struct ReadGuard<'a, T> {
    guard: RwLockReadGuard<'a, T>,
    since: Instant,
    longest_nanos: &'a AtomicU64,
}

impl<T> MeasuredLock<T> {
    pub fn new(value: T) -> MeasuredLock<T> {
        MeasuredLock { lock: RwLock::new(value), longest_nanos: AtomicU64::new(0) }
    }

    pub fn read(&self) -> ReadGuard<'_, T> {
        let guard = self.lock.read();
        ReadGuard { guard, since: Instant::now(), longest_nanos: &self.longest_nanos }
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.lock.write()
    }

    /// The longest read so far. Includes time in which the scheduler did not run the reader.
    pub fn longest_read(&self) -> Duration {
        Duration::from_nanos(self.longest_nanos.load(Ordering::Relaxed))
    }

    /// The longest read since the last call.
    pub fn take_longest_read(&self) -> Duration {
        Duration::from_nanos(self.longest_nanos.swap(0, Ordering::Relaxed))
    }
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> Drop for ReadGuard<'_, T> {
    fn drop(&mut self) {
        let nanos = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // Usually a plain load: a new maximum is rare.
        if nanos > self.longest_nanos.load(Ordering::Relaxed) {
            self.longest_nanos.fetch_max(nanos, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn the_longest_read_is_recorded_when_it_ends() {
        let lock = MeasuredLock::new(7);
        let guard = lock.read();
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(2) {
            thread::yield_now();
        }
        assert_eq!((*guard, lock.longest_read()), (7, Duration::ZERO));
        drop(guard);
        let longest = lock.longest_read();
        assert!(longest >= Duration::from_millis(2), "{longest:?}");
        drop(lock.read());
        assert!(lock.longest_read() >= longest);
        assert!(lock.take_longest_read() >= longest);
        assert_eq!(lock.longest_read(), Duration::ZERO);
    }
}
