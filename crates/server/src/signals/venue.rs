//! The venue's business since the start, by currency: volume, fees, trades, and the users who traded lately.
//!
//! The apply thread adds to it after each group. Volume counts the taker's side of each trade, as the markets do.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use exchange::id::UserId;
use exchange::numbers::Currency;
use foldhash::fast::RandomState;
use parking_lot::Mutex;

use crate::applied::{Applied, Observer, Turnover, placed_order};

/// Users count as active for so long after a trade.
pub const ACTIVE_SECONDS: i64 = 3_600;

#[derive(Debug, Default)]
pub struct VenueCounters {
    currencies: [CurrencyCounters; Currency::ALL.len()],
    /// When each user last traded, in Unix seconds.
    traders: Mutex<[HashMap<UserId, i64, RandomState>; Currency::ALL.len()]>,
    /// Nothing is counted (`switch`).
    is_off: AtomicBool,
}

/// Money is in units of 10⁻⁶.
#[derive(Debug, Default)]
struct CurrencyCounters {
    volume: AtomicU64,
    fees: AtomicU64,
    trades: AtomicU64,
}

/// Totals of a currency since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VenueTotals {
    pub volume: u64,
    pub fees: u64,
    pub trades: u64,
}

impl VenueCounters {
    pub fn totals(&self, currency: Currency) -> VenueTotals {
        let CurrencyCounters { volume, fees, trades } = &self.currencies[currency as usize];
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        VenueTotals { volume: load(volume), fees: load(fees), trades: load(trades) }
    }

    /// The number of users who traded at or after `since`, in Unix seconds.
    pub fn traders_since(&self, currency: Currency, since: i64) -> u64 {
        self.traders.lock()[currency as usize].values().filter(|last| **last >= since).count() as u64
    }

    /// Counts or stops counting. For a benchmark that compares both.
    pub(crate) fn switch(&self, is_on: bool) {
        self.is_off.store(!is_on, Ordering::Relaxed);
    }

    /// Forgets users who are no longer active.
    pub fn prune(&self, now: i64) {
        for traders in &mut *self.traders.lock() {
            traders.retain(|_, last| *last > now - ACTIVE_SECONDS);
        }
    }
}

/// The observer that counts.
#[derive(Debug)]
pub struct VenueTap {
    counters: Arc<VenueCounters>,
    /// The parties of the group's trades.
    parties: Vec<(Currency, UserId)>,
    at: i64,
}

impl VenueTap {
    pub fn new(counters: Arc<VenueCounters>) -> VenueTap {
        VenueTap { counters, parties: Vec::new(), at: 0 }
    }

    fn add(&mut self, turnover: &Turnover) {
        let Turnover { currency, value, fee, .. } = *turnover;
        let counters = &self.counters.currencies[currency as usize];
        counters.volume.fetch_add(value.units().unsigned_abs(), Ordering::Relaxed);
        counters.fees.fetch_add(fee.units().unsigned_abs(), Ordering::Relaxed);
        counters.trades.fetch_add(1, Ordering::Relaxed);
        self.parties.extend(turnover.parties().map(|user| (currency, user)));
    }
}

impl Observer for VenueTap {
    fn applied(&mut self, applied: &Applied<'_>) {
        if self.counters.is_off.load(Ordering::Relaxed) {
            return;
        }
        let mut placed = None;
        for change in applied.changes {
            if let Some(turnover) = Turnover::of(change, placed) {
                self.add(&turnover);
            }
            placed = placed_order(change);
        }
        self.at = applied.at.micros().div_euclid(1_000_000);
    }

    fn group_ended(&mut self) {
        if self.parties.is_empty() {
            return;
        }
        // A scrape may hold the lock. Trading does not wait for it: the next group adds these parties too.
        let Some(mut traders) = self.counters.traders.try_lock() else { return };
        for (currency, user) in self.parties.drain(..) {
            traders[currency as usize].insert(user, self.at);
        }
    }
}
