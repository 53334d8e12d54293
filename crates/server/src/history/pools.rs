//! Results of pools: what the house's shares in a market are worth at the pool's price, minus what it put in.
//!
//! The house's shares follow from the changes alone. A seed adds sets. A buy adds the sets that its money made and takes
//! the bought shares; a sale does the reverse. A settlement replaces the value by the payout. Fees are no part of it.
//! A record is stored with each commit that changed a pool, and before each new hour of that pool.

use std::collections::HashMap;

use exchange::change::Settled;
use exchange::id::MarketId;
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Time;
use foldhash::fast::RandomState;
use segments::{Record, Store, Version};

use super::candles::Interval;
use super::families::{Index, Log};
use super::results::{put, take};
use super::totals::TotalsWriter;
use super::{HistoryError, list_key, lists};

/// Pools that the writer remembers between commits.
const CACHED_MAX: usize = 100_000;

/// The house's stake in a market in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stake {
    /// Units of shares.
    yes: i128,
    no: i128,
    /// Units of money that the house put in.
    cost: i128,
    /// The result, in units of money.
    result: i128,
}

impl Stake {
    fn trade(&mut self, order: &OrderRecord) {
        let sets = i128::from(Shares::sets(order.terms.value, order.currency).units());
        let shares = i128::from(order.terms.filled.units());
        let (sets, shares) = if order.terms.side == Side::Buy { (sets, shares) } else { (-sets, -shares) };
        self.yes += sets - if order.terms.outcome == Outcome::Yes { shares } else { 0 };
        self.no += sets - if order.terms.outcome == Outcome::No { shares } else { 0 };
    }

    /// Values the shares. A fraction of a unit is rounded down: the house is never shown too much.
    fn value(&mut self, yes_price: Ppm, currency: Currency) {
        let price = i128::from(yes_price.units());
        let value = (self.yes * price + self.no * (1_000_000 - price)) * i128::from(currency.base());
        self.result = value.div_euclid(10_000) - self.cost;
    }
}

/// A record: a pool and its stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PoolRecord {
    pub(super) market: MarketId,
    pub(super) currency: Currency,
    stake: Stake,
}

impl PoolRecord {
    pub(super) const fn result(&self) -> i128 {
        self.stake.result
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.market.as_u128().to_be_bytes().to_vec();
        bytes.push(self.currency as u8);
        let Stake { yes, no, cost, result } = self.stake;
        [yes, no, cost, result].into_iter().for_each(|number| put(&mut bytes, number));
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<PoolRecord> {
        let (market, bytes) = bytes.split_first_chunk()?;
        let (currency, mut bytes) = bytes.split_first()?;
        let currency = Currency::ALL.into_iter().find(|known| *known as u8 == *currency)?;
        let mut number = || take(&mut bytes);
        let stake = Stake { yes: number()?, no: number()?, cost: number()?, result: number()? };
        let market = MarketId::new(u128::from_be_bytes(*market));
        bytes.is_empty().then_some(PoolRecord { market, currency, stake })
    }

    pub(super) fn of(record: &Record) -> Result<PoolRecord, HistoryError> {
        PoolRecord::decode(&record.bytes).ok_or(HistoryError::Missing("a pool's result"))
    }
}

type PoolKey = (MarketId, Currency);

/// A stake in memory.
#[derive(Clone, Copy, Debug)]
struct KnownStake {
    stake: Stake,
    /// When it changed last, among all changes; none if its last record has it.
    changed: Option<u64>,
}

/// The writing side.
#[derive(Debug)]
pub(super) struct PoolsWriter {
    next: u64,
    stakes: HashMap<PoolKey, KnownStake, RandomState>,
    /// Pools that changed and have no record of it yet, each once.
    changed: Vec<PoolKey>,
    changes: u64,
    changed_at: Time,
}

impl PoolsWriter {
    pub(super) fn new(version: &Version) -> PoolsWriter {
        let next = version.last(Log::Pools as usize).map_or(0, |last| last + 1);
        PoolsWriter {
            next,
            stakes: HashMap::default(),
            changed: Vec::new(),
            changes: 0,
            changed_at: Time::ZERO,
        }
    }

    /// The house added sets to a pool.
    pub(super) fn seeded(
        &mut self,
        (store, totals): (&mut Store, &mut TotalsWriter),
        at: Time,
        key: PoolKey,
        (sets, yes_price): (Shares, Ppm),
    ) -> Result<(), HistoryError> {
        self.change((store, totals), at, key, |stake| {
            let units = i128::from(sets.units());
            stake.yes += units;
            stake.no += units;
            stake.cost += i128::from(sets.payout(key.1).units());
            stake.value(yes_price, key.1);
        })
    }

    /// A pool filled an order.
    pub(super) fn moved(
        &mut self,
        (store, totals): (&mut Store, &mut TotalsWriter),
        at: Time,
        order: &OrderRecord,
        yes_price: Ppm,
    ) -> Result<(), HistoryError> {
        self.change((store, totals), at, (order.market, order.currency), |stake| {
            stake.trade(order);
            stake.value(yes_price, order.currency);
        })
    }

    /// The house's position was paid out.
    pub(super) fn settled(
        &mut self,
        (store, totals): (&mut Store, &mut TotalsWriter),
        at: Time,
        settled: &Settled,
    ) -> Result<(), HistoryError> {
        let units = |money: Money| i128::from(money.units());
        self.change((store, totals), at, (settled.market, settled.currency), |stake| {
            *stake = Stake { yes: 0, no: 0, ..*stake };
            stake.result = units(settled.payout) - units(settled.cost());
        })
    }

    fn change(
        &mut self,
        (store, totals): (&mut Store, &mut TotalsWriter),
        at: Time,
        key: PoolKey,
        act: impl FnOnce(&mut Stake),
    ) -> Result<(), HistoryError> {
        if Interval::OneHour.start_of(self.changed_at) != Interval::OneHour.start_of(at) {
            self.flush(store);
        }
        self.changed_at = at;
        let mut known = match self.stakes.get(&key) {
            Some(known) => *known,
            None => KnownStake { stake: last_stored(&store.version(), key)?, changed: None },
        };
        let before = known.stake.result;
        act(&mut known.stake);
        totals.pool_result(store, at, key.1, known.stake.result - before);
        self.changes += 1;
        if known.changed.replace(self.changes).is_none() {
            self.changed.push(key);
        }
        self.stakes.insert(key, known);
        Ok(())
    }

    /// Stores the pools that have changed, in the order of their last changes, so that the order of records does not
    /// depend on commits. Called before a commit.
    pub(super) fn flush(&mut self, store: &mut Store) {
        let stakes = &mut self.stakes;
        self.changed.sort_by_key(|key| stakes.get(key).and_then(|known| known.changed));
        for key in self.changed.drain(..) {
            let Some(known) = stakes.get_mut(&key) else { continue };
            known.changed = None;
            let (market, currency) = key;
            let record = PoolRecord { market, currency, stake: known.stake };
            store.append(Log::Pools as usize, self.next, self.changed_at.micros(), &record.encode());
            store.add(Index::Lists as usize, list_key::pool_results(market, currency), self.next);
            self.next += 1;
        }
    }

    /// Bounds the memory. Called after a commit: stakes that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.stakes.len() > CACHED_MAX {
            self.stakes.clear();
        }
    }
}

fn last_stored(version: &Version, (market, currency): PoolKey) -> Result<Stake, HistoryError> {
    let list = lists::list(version, list_key::pool_results(market, currency))?;
    let Some(last) = list.len().checked_sub(1) else { return Ok(Stake::default()) };
    let Some(number) = list.value(last)? else { return Ok(Stake::default()) };
    Ok(stored(version, number)?.stake)
}

pub(super) fn stored(version: &Version, number: u64) -> Result<PoolRecord, HistoryError> {
    let record = version.record(Log::Pools as usize, number)?;
    PoolRecord::of(&record.ok_or(HistoryError::Missing("a pool's result"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_read_as_written() {
        let stake = Stake { yes: 1 << 60, no: -3, cost: 0, result: -(1 << 80) };
        let record = PoolRecord { market: MarketId::new(u128::MAX), currency: Currency::Ngn, stake };
        let bytes = record.encode();
        assert_eq!(PoolRecord::decode(&bytes), Some(record));
        assert_eq!(PoolRecord::decode(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn a_value_between_two_units_is_rounded_down() {
        let mut stake = Stake { yes: 1, no: 0, cost: 100, result: 0 };
        stake.value(Ppm::new(333_333), Currency::Usd);
        assert_eq!(stake.result, 33 - 100);
    }
}
