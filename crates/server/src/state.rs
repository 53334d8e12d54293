//! The live state, shared: one writer, short looks by readers.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use exchange::Exchange;
use exchange::command::Command;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::Notify;

use crate::event_lists::LiveEvents;

#[derive(Debug)]
pub struct Shared {
    exchange: RwLock<Exchange>,
    /// Changed under the lock of the state, and read under it.
    live_events: RwLock<LiveEvents>,
    keys_version: AtomicU64,
    cancel_only: AtomicBool,
    /// How many wait for the state to go on, and what wakes them.
    waiting: AtomicUsize,
    went_on: Notify,
}

/// Counted as long as it waits, however the wait ends.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    pub fn new(exchange: Exchange) -> Shared {
        let cancel_only = AtomicBool::new(exchange.governance().is_cancel_only());
        Shared {
            live_events: RwLock::new(LiveEvents::of(&exchange)),
            exchange: RwLock::new(exchange),
            keys_version: AtomicU64::new(0),
            cancel_only,
            waiting: AtomicUsize::new(0),
            went_on: Notify::new(),
        }
    }

    /// Waits until everything up to `seq` is applied.
    pub async fn reach(&self, seq: u64) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let _waiting = Waiting(&self.waiting);
        loop {
            let mut went_on = std::pin::pin!(self.went_on.notified());
            // Before the look, so that nothing is missed between the two.
            went_on.as_mut().enable();
            if self.read().seq() >= seq {
                return;
            }
            went_on.await;
        }
    }

    /// The apply thread says so after each group; mostly nobody waits.
    pub(crate) fn note_group(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.went_on.notify_waiters();
        }
    }

    /// A look at what is applied. Keep it short, and never across an await.
    pub fn read(&self) -> RwLockReadGuard<'_, Exchange> {
        self.exchange.read()
    }

    /// The index of the events in memory. It is level with a look that is held meanwhile.
    pub(crate) fn live_events(&self) -> RwLockReadGuard<'_, LiveEvents> {
        self.live_events.read()
    }

    /// The apply thread's alone.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Exchange> {
        self.exchange.write()
    }

    /// Whether nothing new is taken for now. Refusals are journaled too, so whoever knows this early spares the disk.
    pub fn is_cancel_only(&self) -> bool {
        self.cancel_only.load(Ordering::Acquire)
    }

    /// Another number means that a key or its owner may have changed. What was looked up under this one still holds, so
    /// who trades all day need not look at the state to be recognised.
    pub fn keys_version(&self) -> u64 {
        self.keys_version.load(Ordering::Acquire)
    }

    /// The apply thread says so while it holds the state, so nobody finds the old key under the new number.
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

/// Trading, what the clock does, login attempts, and sessions on the console. All else may touch users and keys, or how
/// the venue is run.
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
