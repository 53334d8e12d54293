//! Candles of one outcome. History stores YES; NO is the complement.

use api::query::CandlesQuery;
use api::response::{Candle, Candles};
use api::terms::CandleInterval;
use exchange::id::MarketId;
use exchange::order::Outcome;
use exchange::time::Time;

use super::words::{ToApi, ToExchange};
use crate::history::{self, CandleRange, FoundCandles, Interval};

/// Candles in one response.
const COUNT_MAX: usize = 1_000;

pub const fn interval(interval: CandleInterval) -> Interval {
    match interval {
        CandleInterval::OneMinute => Interval::OneMinute,
        CandleInterval::FiveMinutes => Interval::FiveMinutes,
        CandleInterval::FifteenMinutes => Interval::FifteenMinutes,
        CandleInterval::OneHour => Interval::OneHour,
        CandleInterval::SixHours => Interval::SixHours,
        CandleInterval::OneDay => Interval::OneDay,
    }
}

/// The name of an interval; the inverse of [`interval`].
pub const fn interval_word(interval: Interval) -> CandleInterval {
    match interval {
        Interval::OneMinute => CandleInterval::OneMinute,
        Interval::FiveMinutes => CandleInterval::FiveMinutes,
        Interval::FifteenMinutes => CandleInterval::FifteenMinutes,
        Interval::OneHour => CandleInterval::OneHour,
        Interval::SixHours => CandleInterval::SixHours,
        Interval::OneDay => CandleInterval::OneDay,
    }
}

/// The range to read from history. It includes the interval that contains `from`.
pub fn range(market: MarketId, query: &CandlesQuery, now: Time) -> CandleRange {
    let interval = interval(query.interval);
    CandleRange {
        market,
        currency: query.currency.to_exchange(),
        interval,
        from: query.from.map_or(Time::from_micros(i64::MIN), |from| interval.start_of(from.to_exchange())),
        to: query.to.map_or(now, ToExchange::to_exchange),
        count_max: COUNT_MAX,
    }
}

pub fn candles(market: MarketId, query: &CandlesQuery, found: &FoundCandles) -> Candles {
    let outcome = query.outcome.to_exchange();
    Candles {
        market_id: market.to_api(),
        outcome: query.outcome,
        currency: query.currency,
        interval: query.interval,
        candles: found.candles.iter().map(|kept| candle(kept, outcome)).collect(),
    }
}

fn candle(kept: &history::Candle, outcome: Outcome) -> Candle {
    let (open, high, low, close) = match outcome {
        Outcome::Yes => (kept.open, kept.high, kept.low, kept.close),
        Outcome::No => {
            (kept.open.complement(), kept.low.complement(), kept.high.complement(), kept.close.complement())
        }
    };
    Candle {
        start: kept.start.to_api(),
        open: open.to_api(),
        high: high.to_api(),
        low: low.to_api(),
        close: close.to_api(),
        volume: kept.volume.to_api(),
        count: kept.count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_interval_has_its_name() {
        for each in Interval::ALL {
            assert_eq!(interval(interval_word(each)), each);
        }
    }
}
