//! Complete candles: a row is written when the time of a request has reached the end of the candle's interval.
//!
//! Candles that still form are followed from the journal's first frame, also while finished parts are passed over, so a
//! continued export has the candles of an uninterrupted one.

use std::collections::{BTreeMap, BTreeSet};

use exchange::id::{EventId, MarketId};
use exchange::numbers::Currency;
use exchange::time::Time;
use server::applied::ReportedPrice;
use server::history::{Candle, Interval};
use server::view::candle::interval_word;
use server::view::words::ToApi;

use crate::table::Cell;

type CandleKey = (MarketId, Currency, Interval);

/// The candles that still form.
#[derive(Debug, Default)]
pub(crate) struct FormingCandles {
    candles: BTreeMap<CandleKey, (EventId, Candle)>,
    /// Ends of their intervals.
    due: BTreeSet<(Time, CandleKey)>,
}

impl FormingCandles {
    /// Removes the candles that are complete at this time, and returns their rows, the earliest end first.
    pub(crate) fn complete(&mut self, sequence: u64, at: Time) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        while let Some((end, key)) = self.due.first().copied().filter(|(end, _)| *end <= at) {
            self.due.remove(&(end, key));
            if let Some((event, candle)) = self.candles.remove(&key) {
                rows.push(row(sequence, event, key, &candle));
            }
        }
        rows
    }

    /// Adds a price. Call `complete` with its time first.
    pub(crate) fn add(&mut self, at: Time, event: EventId, price: ReportedPrice) {
        for interval in Interval::ALL {
            let key = (price.market, price.currency, interval);
            let start = interval.start_of(at);
            let (_, candle) = self.candles.entry(key).or_insert_with(|| {
                self.due.insert((Time::from_micros(start.micros() + interval.micros()), key));
                (event, Candle::first(start, price.yes_price))
            });
            candle.add(price.yes_price, price.volume);
        }
    }
}

fn row(sequence: u64, event: EventId, key: CandleKey, candle: &Candle) -> Vec<Cell> {
    let (market, currency, interval) = key;
    let prices = [candle.open, candle.high, candle.low, candle.close];
    let prices = prices.map(|price| Cell::Decimal(price.units()));
    let names = [
        Cell::text(market),
        Cell::text(event),
        Cell::text(currency.to_api()),
        Cell::text(interval_word(interval)),
    ];
    let numbers = [Cell::Decimal(candle.volume.units()), Cell::sequence(candle.count)];
    let start = [Cell::sequence(sequence), candle.start.into()];
    start.into_iter().chain(names).chain(prices).chain(numbers).collect()
}

#[cfg(test)]
mod tests {
    use exchange::numbers::{Ppm, Shares};

    use super::*;

    const EVENT: EventId = EventId::new(1);

    fn price(cents: i64, volume: i64) -> ReportedPrice {
        ReportedPrice {
            market: MarketId::new(2),
            currency: Currency::Usd,
            yes_price: Ppm::new(cents * 10_000),
            volume: Shares::new(volume),
        }
    }

    #[test]
    fn a_candle_is_written_once_its_interval_is_over_and_not_before() {
        let mut forming = FormingCandles::default();
        let second = Time::from_seconds;
        forming.add(second(60), EVENT, price(40, 10));
        forming.add(second(119), EVENT, price(30, 5));
        assert!(forming.complete(7, Time::from_micros(119_999_999)).is_empty());
        let rows = forming.complete(8, second(120));
        assert_eq!(rows.len(), 1, "of six intervals only the minute is over");
        let prices = [40, 40, 30, 30].map(|cents| Cell::Decimal(cents * 10_000));
        assert_eq!(rows[0][..2], [Cell::Integer(8), Cell::Time(60_000_000)]);
        assert_eq!(rows[0][6..10], prices);
        assert_eq!(rows[0][10..], [Cell::Decimal(15), Cell::Integer(2)]);
        assert!(forming.complete(9, second(299)).is_empty());
        assert_eq!(forming.complete(9, second(86_400)).len(), 5);
    }
}
