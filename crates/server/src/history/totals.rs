//! Totals of the venue in each currency: running sums of volume, fees, trades, traders and the results of pools.
//!
//! A record has the sums up to its time. The totals of a span that begins and ends with an hour are the difference of two
//! records, so a record is stored before each new hour, and with each commit that changed something. `statistics.rs` reads
//! them.

use std::collections::HashMap;

use exchange::id::UserId;
use exchange::numbers::Currency;
use exchange::time::Time;
use foldhash::fast::RandomState;
use segments::{Record, Store, Version};

use super::candles::Interval;
use super::families::{Index, Log};
use super::results::{put, take};
use super::{HistoryError, list_key, lists};
use crate::applied::Turnover;

/// Last trading hours of users that the writer remembers between commits.
const CACHED_MAX: usize = 100_000;
/// Hours of a day.
const DAY_HOURS: u64 = 24;

/// Running sums in one currency. Wider than `Money`, because they only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The value of all trades at the taker's price.
    pub volume: i128,
    pub fees: i128,
    pub trades: i128,
    /// Users with a trade, counted once in each hour, and once in each day.
    pub hour_traders: i128,
    pub day_traders: i128,
    /// The results of all pools (`pools.rs`).
    pub pools: i128,
}

impl Totals {
    const fn numbers(&self) -> [i128; 6] {
        [self.volume, self.fees, self.trades, self.hour_traders, self.day_traders, self.pools]
    }

    const fn of([volume, fees, trades, hour_traders, day_traders, pools]: [i128; 6]) -> Totals {
        Totals { volume, fees, trades, hour_traders, day_traders, pools }
    }

    /// The difference from earlier totals.
    pub(super) fn since(&self, earlier: &Totals) -> Totals {
        let (now, then) = (self.numbers(), earlier.numbers());
        Totals::of(std::array::from_fn(|place| now[place] - then[place]))
    }
}

type AllTotals = [Totals; Currency::ALL.len()];

fn encode(totals: &AllTotals) -> Vec<u8> {
    let mut bytes = Vec::new();
    totals.iter().flat_map(Totals::numbers).for_each(|number| put(&mut bytes, number));
    bytes
}

fn decode(mut bytes: &[u8]) -> Option<AllTotals> {
    let mut totals = AllTotals::default();
    for totals in &mut totals {
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = take(&mut bytes)?;
        }
        *totals = Totals::of(numbers);
    }
    bytes.is_empty().then_some(totals)
}

/// The totals of a record.
pub(super) fn totals_of(record: &Record, currency: Currency) -> Result<Totals, HistoryError> {
    let totals = decode(&record.bytes).ok_or(HistoryError::Missing("totals"))?;
    Ok(totals[currency as usize])
}

/// The hour of a time, counted from 1970.
fn hour_of(at: Time) -> u64 {
    u64::try_from(at.micros().div_euclid(Interval::OneHour.micros())).unwrap_or_default()
}

/// The writing side.
#[derive(Debug)]
pub(super) struct TotalsWriter {
    next: u64,
    totals: AllTotals,
    /// The time of the last change that no record has yet.
    changed_at: Option<Time>,
    /// The last hour in which a user traded in a currency.
    last_hours: HashMap<(UserId, Currency), u64, RandomState>,
}

impl TotalsWriter {
    pub(super) fn new(version: &Version) -> Result<TotalsWriter, HistoryError> {
        let last = version.last_below(Log::Totals as usize, u64::MAX)?;
        let (next, totals) = match last {
            Some(record) => {
                let totals = decode(&record.bytes).ok_or(HistoryError::Missing("totals"))?;
                (record.number + 1, totals)
            }
            None => (0, AllTotals::default()),
        };
        Ok(TotalsWriter { next, totals, changed_at: None, last_hours: HashMap::default() })
    }

    /// Adds a trade on a book or with a pool.
    pub(super) fn trade(
        &mut self,
        store: &mut Store,
        at: Time,
        turnover: &Turnover,
    ) -> Result<(), HistoryError> {
        self.begin(store, at);
        let totals = &mut self.totals[turnover.currency as usize];
        totals.volume += i128::from(turnover.value.units());
        totals.fees += i128::from(turnover.fee.units());
        totals.trades += 1;
        turnover.parties().try_for_each(|user| self.trader(store, at, user, turnover.currency))
    }

    /// The result of a pool changed by `gain`.
    pub(super) fn pool_result(&mut self, store: &mut Store, at: Time, currency: Currency, gain: i128) {
        self.begin(store, at);
        self.totals[currency as usize].pools += gain;
    }

    /// Counts a user in the hour and the day of the user's first trade there.
    fn trader(
        &mut self,
        store: &mut Store,
        at: Time,
        user: UserId,
        currency: Currency,
    ) -> Result<(), HistoryError> {
        let hour = hour_of(at);
        let last = match self.last_hours.get(&(user, currency)) {
            Some(last) => Some(*last),
            None => last_hour(&store.version(), user, currency)?,
        };
        if last == Some(hour) {
            self.last_hours.insert((user, currency), hour);
            return Ok(());
        }
        let totals = &mut self.totals[currency as usize];
        totals.hour_traders += 1;
        totals.day_traders += i128::from(last.is_none_or(|last| last / DAY_HOURS != hour / DAY_HOURS));
        self.last_hours.insert((user, currency), hour);
        store.add(Index::Lists as usize, list_key::trading_hours(user, currency), hour);
        Ok(())
    }

    /// Stores the totals of the hour before, if a new one begins with this change.
    fn begin(&mut self, store: &mut Store, at: Time) {
        if self.changed_at.is_some_and(|before| hour_of(before) != hour_of(at)) {
            self.flush(store);
        }
        self.changed_at = Some(at);
    }

    /// Stores the totals if they have changed. Called before a commit.
    pub(super) fn flush(&mut self, store: &mut Store) {
        if let Some(at) = self.changed_at.take() {
            store.append(Log::Totals as usize, self.next, at.micros(), &encode(&self.totals));
            self.next += 1;
        }
    }

    /// Bounds the memory. Called after a commit: hours that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.last_hours.len() > CACHED_MAX {
            self.last_hours.clear();
        }
    }
}

fn last_hour(version: &Version, user: UserId, currency: Currency) -> Result<Option<u64>, HistoryError> {
    let list = lists::list(version, list_key::trading_hours(user, currency))?;
    match list.len().checked_sub(1) {
        Some(last) => Ok(list.value(last)?),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_read_as_written() {
        let totals = [
            Totals { volume: i128::from(i64::MAX) * 7, fees: 3, trades: 1, pools: -5, ..Totals::default() },
            Totals { hour_traders: 9, day_traders: 2, ..Totals::default() },
        ];
        let bytes = encode(&totals);
        assert_eq!(decode(&bytes), Some(totals));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
    }
}
