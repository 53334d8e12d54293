//! Backpressure: limits the bytes queued for the history thread. Bytes, not groups: a second of small groups is harmless,
//! while a few large ones take a lot of memory.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// About a second of changes of a busy exchange. Above this the apply thread waits.
const BYTES_MAX: usize = 128 << 20;

#[derive(Debug, Default)]
pub(super) struct ByteBudget {
    used: Mutex<BudgetUse>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct BudgetUse {
    bytes: usize,
    is_closed: bool,
}

impl ByteBudget {
    /// Waits until less than `BYTES_MAX` is queued, then adds `bytes`, which may exceed the limit.
    pub(super) fn acquire(&self, bytes: usize) {
        let is_full = |used: &mut BudgetUse| used.bytes >= BYTES_MAX && !used.is_closed;
        let used = self.freed.wait_while(self.used(), is_full);
        used.unwrap_or_else(PoisonError::into_inner).bytes += bytes;
    }

    pub(super) fn release(&self, bytes: usize) {
        self.used().bytes -= bytes;
        self.freed.notify_all();
    }

    /// Wakes all waiting threads and makes `acquire` return at once: the history thread has ended.
    pub(super) fn close(&self) {
        self.used().is_closed = true;
        self.freed.notify_all();
    }

    fn used(&self) -> MutexGuard<'_, BudgetUse> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use super::{BYTES_MAX, ByteBudget};

    /// Calls `acquire` on another thread, and sends a message when that has returned.
    fn acquiring(budget: &Arc<ByteBudget>) -> Receiver<()> {
        let (say, acquired) = channel();
        let budget = budget.clone();
        thread::spawn(move || {
            budget.acquire(1);
            say.send(())
        });
        acquired
    }

    #[test]
    fn whoever_finds_no_room_waits_until_some_is_left() {
        let budget = Arc::new(ByteBudget::default());
        budget.acquire(BYTES_MAX - 1);
        budget.acquire(7);
        let acquired = acquiring(&budget);
        assert!(acquired.recv_timeout(Duration::from_millis(50)).is_err(), "the room is full");
        budget.release(7);
        assert!(acquired.recv_timeout(Duration::from_secs(120)).is_ok());
    }

    #[test]
    fn no_wait_for_a_history_that_has_ended() {
        let budget = Arc::new(ByteBudget::default());
        budget.acquire(BYTES_MAX);
        let acquired = acquiring(&budget);
        budget.close();
        assert!(acquired.recv_timeout(Duration::from_secs(120)).is_ok());
        budget.acquire(BYTES_MAX);
        budget.acquire(1);
    }
}
