//! The live state behind a lock: one writer, many short reads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use exchange::Exchange;
use exchange::command::Command;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::Notify;

use crate::event_lists::LiveEvents;
use crate::measured_lock::{MeasuredLock, ReadGuard};

#[derive(Debug)]
pub struct Shared {
    exchange: MeasuredLock<Exchange>,
    /// Changed only while the state's lock is held, and read under it.
    live_events: RwLock<LiveEvents>,
    keys_version: AtomicU64,
    cancel_only: AtomicBool,
    /// The number of tasks in `wait_for`, and their wake-up.
    waiting: AtomicUsize,
    advanced: Notify,
}

/// Decrements the counter on drop, so that a cancelled wait counts too.
struct WaiterGuard<'a>(&'a AtomicUsize);

impl Drop for WaiterGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    pub fn new(exchange: Exchange) -> Shared {
        let cancel_only = AtomicBool::new(exchange.governance().is_cancel_only());
        Shared {
            live_events: RwLock::new(LiveEvents::of(&exchange)),
            exchange: MeasuredLock::new(exchange),
            keys_version: AtomicU64::new(0),
            cancel_only,
            waiting: AtomicUsize::new(0),
            advanced: Notify::new(),
        }
    }

    /// Waits until everything up to `seq` is applied.
    pub async fn wait_for(&self, seq: u64) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let _waiting = WaiterGuard(&self.waiting);
        loop {
            let mut advanced = std::pin::pin!(self.advanced.notified());
            // Register before reading, so that no notification is lost in between.
            advanced.as_mut().enable();
            if self.read().seq() >= seq {
                return;
            }
            advanced.await;
        }
    }

    /// Wakes the tasks in `wait_for`. Called by the apply thread after each group; usually no task waits.
    pub(crate) fn note_group(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.advanced.notify_waiters();
        }
    }

    /// Locks the applied state for reading. Keep it short, and never across an await.
    pub fn read(&self) -> ReadGuard<'_, Exchange> {
        self.exchange.read()
    }

    /// The longest time that a reader has held the lock.
    pub fn longest_read(&self) -> Duration {
        self.exchange.longest_read()
    }

    /// The longest time that a reader has held the lock since the last call.
    pub fn take_longest_read(&self) -> Duration {
        self.exchange.take_longest_read()
    }

    /// The index of the events in memory. It matches the state as long as the caller holds the state's lock.
    pub(crate) fn live_events(&self) -> RwLockReadGuard<'_, LiveEvents> {
        self.live_events.read()
    }

    /// Only for the apply thread.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Exchange> {
        self.exchange.write()
    }

    /// Whether the exchange accepts cancels only. Rejections are journaled too, so checking this before submitting
    /// saves a write.
    pub fn is_cancel_only(&self) -> bool {
        self.cancel_only.load(Ordering::Acquire)
    }

    /// Changes whenever a key or its owner may have changed. A lookup made under the same number is still valid, so
    /// that an active client is authenticated without locking the state.
    pub fn keys_version(&self) -> u64 {
        self.keys_version.load(Ordering::Acquire)
    }

    /// Called by the apply thread while it holds the write lock, so that no reader sees the old key with the new
    /// version.
    pub(crate) fn note_applied(&self, exchange: &Exchange, command: &Command) {
        if LiveEvents::is_changed_by(exchange.changes()) {
            self.live_events.write().follow(exchange);
        }
        if !leaves_keys_alone(command) {
            self.keys_version.fetch_add(1, Ordering::Release);
            self.cancel_only.store(exchange.governance().is_cancel_only(), Ordering::Release);
        }
    }
}

/// Trading, timers, login attempts and console sessions leave keys alone. Every other command may change users, keys or
/// how the venue is run.
const fn leaves_keys_alone(command: &Command) -> bool {
    matches!(
        command,
        Command::Tick
            | Command::RecordPrice(_)
            | Command::StartLogin(_)
            | Command::OpenOperatorSession(_)
            | Command::EndOperatorSession(_)
            | Command::PlaceOrder(_)
            | Command::PlaceOrders(_)
            | Command::CancelOrder(_)
            | Command::CancelOrders(_)
            | Command::CancelAllOrders(_)
            | Command::CancelAfter(_)
            | Command::CancelOnDisconnect(_)
            | Command::EndConnection(_)
            | Command::AmendOrders(_)
            | Command::MintSets(_)
            | Command::BurnSets(_)
    )
}
