//! Candles: open, high, low and close of YES in intervals of six lengths, updated with every price.
//!
//! Book prices are trade prices. Pool prices are the pool's own price after each order and after seeding. Price history is
//! read from the closes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use exchange::id::MarketId;
use exchange::numbers::{Currency, Ppm, Shares};
use exchange::time::Time;
use foldhash::fast::RandomState;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::HistoryError;

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
    fn first(start: Time, price: Ppm) -> Candle {
        Candle { start, open: price, high: price, low: price, close: price, volume: Shares::ZERO, count: 0 }
    }

    fn add(&mut self, price: Ppm, volume: Shares) {
        self.high = self.high.max(price);
        self.low = self.low.min(price);
        self.close = price;
        self.volume = self.volume.saturating_add(volume);
        self.count += u64::from(volume > Shares::ZERO);
    }
}

type CandleKey = (MarketId, Currency, Interval);

/// The writing side: the current candle of each listing and interval, and whether it has changed.
#[derive(Debug, Default)]
pub(super) struct Candles {
    forming: HashMap<CandleKey, (Candle, bool), RandomState>,
    done: Vec<(CandleKey, Candle)>,
}

impl Candles {
    /// Adds a price, with the volume of its trade, or zero without a trade.
    pub(super) fn price(
        &mut self,
        connection: &Connection,
        market: MarketId,
        currency: Currency,
        at: Time,
        price: Ppm,
        volume: Shares,
    ) -> rusqlite::Result<()> {
        for interval in Interval::ALL {
            let (key, start) = ((market, currency, interval), interval.start_of(at));
            let (candle, is_dirty) = match self.forming.entry(key) {
                Entry::Occupied(forming) => forming.into_mut(),
                Entry::Vacant(place) => {
                    let last = last(connection, key)?;
                    place.insert((last.unwrap_or_else(|| Candle::first(start, price)), false))
                }
            };
            if candle.start != start {
                let done = std::mem::replace(candle, Candle::first(start, price));
                if *is_dirty {
                    self.done.push((key, done));
                }
            }
            candle.add(price, volume);
            *is_dirty = true;
        }
        Ok(())
    }

    /// Completes the current candles of a market in which nothing is traded any more.
    pub(super) fn forget(&mut self, market: MarketId) {
        for currency in Currency::ALL {
            for interval in Interval::ALL {
                let key = (market, currency, interval);
                if let Some((candle, true)) = self.forming.remove(&key) {
                    self.done.push((key, candle));
                }
            }
        }
    }

    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let query = "INSERT OR REPLACE INTO candles VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let mut statement = connection.prepare_cached(query)?;
        let forming = self.forming.iter_mut().filter(|(_, (_, is_dirty))| *is_dirty);
        let formed = forming.map(|(key, (candle, is_dirty))| {
            *is_dirty = false;
            (*key, *candle)
        });
        for ((market, currency, interval), candle) in self.done.drain(..).chain(formed) {
            statement.execute(params![
                market.as_u128().to_be_bytes(),
                currency as u8,
                interval as i64,
                candle.start.micros(),
                candle.open.units(),
                candle.high.units(),
                candle.low.units(),
                candle.close.units(),
                candle.volume.units(),
                candle.count.cast_signed(),
            ])?;
        }
        Ok(())
    }
}

const COLUMNS: &str = "SELECT start, open, high, low, close, volume, count FROM candles \
    WHERE market = ?1 AND currency = ?2 AND interval = ?3";

fn read(row: &Row<'_>) -> rusqlite::Result<Candle> {
    Ok(Candle {
        start: Time::from_micros(row.get(0)?),
        open: Ppm::new(row.get(1)?),
        high: Ppm::new(row.get(2)?),
        low: Ppm::new(row.get(3)?),
        close: Ppm::new(row.get(4)?),
        volume: Shares::new(row.get(5)?),
        count: row.get::<_, i64>(6)?.unsigned_abs(),
    })
}

fn last(
    connection: &Connection,
    (market, currency, interval): CandleKey,
) -> rusqlite::Result<Option<Candle>> {
    let query = format!("{COLUMNS} ORDER BY start DESC LIMIT 1");
    let key = params![market.as_u128().to_be_bytes(), currency as u8, interval as i64];
    connection.prepare_cached(&query)?.query_row(key, read).optional()
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

pub(super) fn range(connection: &Connection, range: &CandleRange) -> Result<FoundCandles, HistoryError> {
    let query = format!("{COLUMNS} AND start <= ?4 ORDER BY start DESC");
    let mut statement = connection.prepare_cached(&query)?;
    let key = params![
        range.market.as_u128().to_be_bytes(),
        range.currency as u8,
        range.interval as i64,
        range.to.micros()
    ];
    let mut found = FoundCandles::default();
    for candle in statement.query_map(key, read)? {
        let candle = candle?;
        if candle.start < range.from || found.candles.len() == range.count_max {
            found.before = Some(candle);
            break;
        }
        found.candles.push(candle);
    }
    found.candles.reverse();
    Ok(found)
}
