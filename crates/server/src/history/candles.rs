//! Candles: open, high, low and close of YES in intervals of six lengths, updated with every price.
//!
//! Book prices are trade prices. Pool prices are the pool's own price after each order and after seeding. Price history is
//! read from the closes. The last candle of each listing and interval is in memory, and in the state that the store keeps;
//! candles before it are complete and are records.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use exchange::id::MarketId;
use exchange::numbers::{Currency, Ppm, Shares};
use exchange::time::Time;
use foldhash::fast::RandomState;
use parking_lot::RwLock;
use segments::{List, Reader, State, Store, Version};

use super::families::{Index, Log};
use super::{HistoryError, list_key, lists};

/// Looks for a version and last candles of the same commit, before a reader gives up.
const LOOKS_MAX: usize = 1_000_000;
/// The stored state is written anew when it has grown to so many times the size of its content.
const STATE_GROWTH_MAX: u64 = 4;
const CANDLE_BYTES: usize = 56;
/// A market, a currency and the candles of all intervals.
const LISTING_BYTES: usize = 17 + Interval::ALL.len() * CANDLE_BYTES;

/// The length of a candle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interval {
    OneMinute = 60,
    FiveMinutes = 300,
    FifteenMinutes = 900,
    OneHour = 3_600,
    SixHours = 21_600,
    OneDay = 86_400,
}

impl Interval {
    pub const ALL: [Interval; 6] = [
        Interval::OneMinute,
        Interval::FiveMinutes,
        Interval::FifteenMinutes,
        Interval::OneHour,
        Interval::SixHours,
        Interval::OneDay,
    ];

    pub const fn micros(self) -> i64 {
        self as i64 * 1_000_000
    }

    /// The start of the interval that contains `at`.
    pub const fn start_of(self, at: Time) -> Time {
        Time::from_micros(at.micros().div_euclid(self.micros()) * self.micros())
    }
}

/// An interval with at least one price, in YES.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candle {
    pub start: Time,
    pub open: Ppm,
    pub high: Ppm,
    pub low: Ppm,
    pub close: Ppm,
    pub volume: Shares,
    pub count: u64,
}

impl Candle {
    /// A candle before the first price of its interval is added.
    pub const fn first(start: Time, price: Ppm) -> Candle {
        Candle { start, open: price, high: price, low: price, close: price, volume: Shares::ZERO, count: 0 }
    }

    fn to_bytes(self) -> [u8; CANDLE_BYTES] {
        let Candle { start, open, high, low, close, volume, count } = self;
        let prices = [open, high, low, close].map(Ppm::units);
        let numbers = [start.micros(), prices[0], prices[1], prices[2], prices[3], volume.units()];
        let mut bytes = [0; CANDLE_BYTES];
        let numbers = numbers.into_iter().chain([count.cast_signed()]);
        for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = number.to_be_bytes();
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Candle> {
        let bytes: &[u8; CANDLE_BYTES] = bytes.try_into().ok()?;
        let number = |place: usize| i64::from_be_bytes(bytes.as_chunks().0[place]);
        Some(Candle {
            start: Time::from_micros(number(0)),
            open: Ppm::new(number(1)),
            high: Ppm::new(number(2)),
            low: Ppm::new(number(3)),
            close: Ppm::new(number(4)),
            volume: Shares::new(number(5)),
            count: number(6).cast_unsigned(),
        })
    }

    /// Adds a price, with the volume of its trade, or zero without a trade.
    pub fn add(&mut self, price: Ppm, volume: Shares) {
        self.high = self.high.max(price);
        self.low = self.low.min(price);
        self.close = price;
        self.volume = self.volume.saturating_add(volume);
        self.count += u64::from(volume > Shares::ZERO);
    }
}

type ListingKey = (MarketId, Currency);
/// The last candle of each interval.
type LastCandles = [Candle; Interval::ALL.len()];

/// The last candles as of a commit, for readers.
#[derive(Debug, Default)]
struct Shown {
    sequence: u64,
    candles: HashMap<ListingKey, LastCandles, RandomState>,
}

/// The last candles of all listings, shared with readers.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownCandles(Arc<RwLock<Shown>>);

/// The writing side.
#[derive(Debug)]
pub(super) struct Candles {
    next: u64,
    forming: HashMap<ListingKey, LastCandles, RandomState>,
    /// Changed since the last commit, and since the last flush. A listing that is not in `forming` was forgotten.
    uncommitted: HashSet<ListingKey, RandomState>,
    unflushed: HashSet<ListingKey, RandomState>,
    shown: ShownCandles,
}

impl Candles {
    /// Restores the last candles from the state of a store.
    pub(super) fn new(version: &Version, states: &[Vec<u8>]) -> Result<Candles, HistoryError> {
        let mut forming = HashMap::default();
        for state in states {
            read_state(state, &mut forming).ok_or(HistoryError::Missing("the last candles"))?;
        }
        let shown = Shown { sequence: version.mark().sequence, candles: forming.clone() };
        let next = version.last(Log::Candles as usize).map_or(0, |last| last + 1);
        let (uncommitted, unflushed) = (HashSet::default(), HashSet::default());
        let shown = ShownCandles(Arc::new(RwLock::new(shown)));
        Ok(Candles { next, forming, uncommitted, unflushed, shown })
    }

    pub(super) fn shown(&self) -> ShownCandles {
        self.shown.clone()
    }

    /// Adds a price, with the volume of its trade, or zero without a trade.
    pub(super) fn price(
        &mut self,
        store: &mut Store,
        market: MarketId,
        currency: Currency,
        at: Time,
        price: Ppm,
        volume: Shares,
    ) {
        let first = |interval: Interval| Candle::first(interval.start_of(at), price);
        let candles = self.forming.entry((market, currency)).or_insert_with(|| Interval::ALL.map(first));
        for (interval, candle) in Interval::ALL.into_iter().zip(candles) {
            if candle.start != interval.start_of(at) {
                let done = std::mem::replace(candle, first(interval));
                append(store, &mut self.next, (market, currency, interval), at, done);
            }
            candle.add(price, volume);
        }
        self.uncommitted.insert((market, currency));
    }

    /// Completes the last candles of a market in which nothing is traded any more.
    pub(super) fn forget(&mut self, store: &mut Store, market: MarketId, at: Time) {
        for currency in Currency::ALL {
            let Some(candles) = self.forming.remove(&(market, currency)) else { continue };
            for (interval, candle) in Interval::ALL.into_iter().zip(candles) {
                append(store, &mut self.next, (market, currency, interval), at, candle);
            }
            self.uncommitted.insert((market, currency));
        }
    }

    /// Shows the last candles to readers. Called after a commit.
    pub(super) fn committed(&mut self, sequence: u64) {
        let mut shown = self.shown.0.write();
        shown.sequence = sequence;
        for key in self.uncommitted.drain() {
            match self.forming.get(&key) {
                Some(candles) => shown.candles.insert(key, *candles),
                None => shown.candles.remove(&key),
            };
            self.unflushed.insert(key);
        }
    }

    /// The state for a flush: the listings that changed since the last one, or all of them.
    pub(super) fn state(&mut self, state_bytes: u64) -> State {
        let all_bytes = (self.forming.len() + 1) * LISTING_BYTES;
        if state_bytes > STATE_GROWTH_MAX * all_bytes as u64 {
            return self.whole_state();
        }
        let changed: Vec<ListingKey> = self.unflushed.drain().collect();
        match changed.is_empty() {
            true => State::Same,
            false => {
                State::Append(changed.into_iter().fold(Vec::new(), |bytes, key| self.put_listing(bytes, key)))
            }
        }
    }

    /// The state of all listings, for a flush after a failed one.
    pub(super) fn whole_state(&mut self) -> State {
        self.unflushed.clear();
        State::Replace(self.forming.keys().fold(Vec::new(), |bytes, key| self.put_listing(bytes, *key)))
    }

    /// Appends a listing: market, currency and candles; zeros in their place if it was forgotten.
    fn put_listing(&self, mut bytes: Vec<u8>, key: ListingKey) -> Vec<u8> {
        let (market, currency) = key;
        bytes.extend(market.as_u128().to_be_bytes());
        bytes.push(currency as u8);
        match self.forming.get(&key) {
            Some(candles) => candles.iter().for_each(|candle| bytes.extend(candle.to_bytes())),
            None => bytes.resize(bytes.len() + LISTING_BYTES - 17, 0),
        }
        bytes
    }
}

fn read_state(state: &[u8], forming: &mut HashMap<ListingKey, LastCandles, RandomState>) -> Option<()> {
    let (listings, rest) = state.as_chunks::<LISTING_BYTES>();
    for listing in listings {
        let (market, listing) = listing.split_first_chunk()?;
        let (currency, candles) = listing.split_first()?;
        let currency = Currency::ALL.into_iter().find(|known| *known as u8 == *currency)?;
        let key = (MarketId::new(u128::from_be_bytes(*market)), currency);
        if candles.iter().all(|byte| *byte == 0) {
            forming.remove(&key);
            continue;
        }
        let candles: Vec<Candle> = candles
            .as_chunks::<CANDLE_BYTES>()
            .0
            .iter()
            .map(|bytes| Candle::from_bytes(bytes))
            .collect::<Option<_>>()?;
        forming.insert(key, candles.try_into().ok()?);
    }
    rest.is_empty().then_some(())
}

/// Stores a complete candle.
fn append(
    store: &mut Store,
    next: &mut u64,
    (market, currency, interval): (MarketId, Currency, Interval),
    at: Time,
    candle: Candle,
) {
    store.append(Log::Candles as usize, *next, at.micros(), &candle.to_bytes());
    store.add(Index::Lists as usize, list_key::candles(market, currency, interval), *next);
    *next += 1;
}

/// Selects candles.
#[derive(Clone, Copy, Debug)]
pub struct CandleRange {
    pub market: MarketId,
    pub currency: Currency,
    pub interval: Interval,
    /// Candles that begin at or after this time.
    pub from: Time,
    /// Candles that begin at or before this time.
    pub to: Time,
    /// At most this many, the latest ones.
    pub count_max: usize,
}

impl CandleRange {
    /// An upper bound on the number of candles.
    pub fn spans_max(&self) -> usize {
        let micros = i128::from(self.to.micros()) - i128::from(self.from.micros());
        let spans = micros.max(0) / i128::from(self.interval.micros()) + 1;
        usize::try_from(spans).unwrap_or(usize::MAX).min(self.count_max)
    }
}

/// Candles, oldest first, and the last one before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCandles {
    pub before: Option<Candle>,
    pub candles: Vec<Candle>,
}

/// Reads several ranges in one state.
pub(super) fn ranges(
    reader: &Reader,
    shown: &ShownCandles,
    ranges: &[CandleRange],
) -> Result<Vec<FoundCandles>, HistoryError> {
    // A commit publishes a version, then the last candles: for a moment they differ.
    for _ in 0..LOOKS_MAX {
        let version = reader.version();
        let last: Vec<Option<Candle>> = {
            let shown = shown.0.read();
            if shown.sequence != version.mark().sequence {
                drop(shown);
                std::thread::yield_now();
                continue;
            }
            let last = |range: &CandleRange| {
                let candles = shown.candles.get(&(range.market, range.currency))?;
                let place = Interval::ALL.iter().position(|interval| *interval == range.interval)?;
                Some(candles[place])
            };
            ranges.iter().map(last).collect()
        };
        return ranges.iter().zip(last).map(|(range, last)| find(&version, range, last)).collect();
    }
    Err(HistoryError::Stopped)
}

fn find(version: &Version, range: &CandleRange, last: Option<Candle>) -> Result<FoundCandles, HistoryError> {
    let list = lists::list(version, list_key::candles(range.market, range.currency, range.interval))?;
    let mut found = FoundCandles::default();
    let mut take = |candle: Candle| {
        if candle.start < range.from || found.candles.len() == range.count_max {
            found.before = Some(candle);
            return false;
        }
        found.candles.push(candle);
        true
    };
    let mut has_room = last.filter(|last| last.start <= range.to).is_none_or(&mut take);
    let mut end = until(version, &list, range.to)?;
    while has_room && end > 0 {
        let start = end.saturating_sub(range.spans_max().clamp(1, 1_000) as u64 + 1);
        for number in list.values(start..end)?.into_iter().rev() {
            has_room = has_room && take(stored(version, number)?);
        }
        end = start;
    }
    found.candles.reverse();
    Ok(found)
}

/// How many candles of a list begin at or before `to`.
fn until(version: &Version, list: &List, to: Time) -> Result<u64, HistoryError> {
    let is_late = |position: u64| {
        let number = list.value(position)?.ok_or(HistoryError::Missing("an entry of a list"))?;
        Ok::<_, HistoryError>(stored(version, number)?.start > to)
    };
    // The common case: all of them.
    if list.is_empty() || !is_late(list.len() - 1)? {
        return Ok(list.len());
    }
    let (mut low, mut high) = (0, list.len() - 1);
    while low < high {
        let middle = u64::midpoint(low, high);
        if is_late(middle)? { high = middle } else { low = middle + 1 }
    }
    Ok(low)
}

fn stored(version: &Version, number: u64) -> Result<Candle, HistoryError> {
    let record = version.record(Log::Candles as usize, number)?;
    let candle = record.and_then(|record| Candle::from_bytes(&record.bytes));
    candle.ok_or(HistoryError::Missing("a candle"))
}
