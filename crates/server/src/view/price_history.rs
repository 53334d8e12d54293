//! Price history, read from the closes of candles: at most a thousand points per market.
//!
//! A history begins with the price at the start of its span, if there was one, and ends with the current price.

use api::query::PriceHistoryQuery;
use api::response::{MarketHistory, PriceHistory, PricePoint, SeriesPoint};
use api::terms::HistoryPeriod;
use exchange::Exchange;
use exchange::catalogue::Market;
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::{Currency, Ppm};
use exchange::order::Outcome;
use exchange::time::Time;

use super::event::shown_currency;
use super::market::price;
use super::words::{ToApi, ToExchange};
use crate::history::{CandleRange, FoundCandles, Interval};

/// The length of a period in hours, and its resolution. Both outcomes together have fewer than a thousand points.
const fn period(period: HistoryPeriod) -> (i64, Interval) {
    match period {
        HistoryPeriod::TwelveHours => (12, Interval::FiveMinutes),
        HistoryPeriod::TwentyFourHours => (24, Interval::FiveMinutes),
        HistoryPeriod::OneWeek => (7 * 24, Interval::OneHour),
        HistoryPeriod::OneMonth => (30 * 24, Interval::SixHours),
        HistoryPeriod::OneYear => (365 * 24, Interval::OneDay),
    }
}

/// The ranges to read from history, and the data from memory that the response needs.
#[derive(Debug)]
pub struct PriceHistoryPlan {
    pub ranges: Vec<CandleRange>,
    markets: Vec<RequestedMarket>,
    from: Time,
    now: Time,
}

#[derive(Debug)]
struct RequestedMarket {
    history: MarketHistory,
    price_now: Ppm,
}

/// The requested markets of the event, or all of them; none if one of the requested does not belong to the event.
pub fn plan(
    exchange: &Exchange,
    event: EventIndex,
    query: &PriceHistoryQuery,
    now: Time,
) -> Option<PriceHistoryPlan> {
    let event = exchange.catalogue().event(event);
    let currency = shown_currency(event, query.currency.to_exchange());
    let (hours, interval) = period(query.time_period);
    let from = Time::from_micros(now.micros() - hours * 3_600_000_000);
    let chosen: Vec<MarketIndex> = match query.market_id.as_slice() {
        [] => event.markets.clone(),
        ids => {
            let find = |id: &uuid::Uuid| exchange.catalogue().find_market(id.to_exchange());
            let of_event = |market: &MarketIndex| event.markets.contains(market);
            ids.iter().map(|id| find(id).filter(of_event)).collect::<Option<_>>()?
        }
    };
    let markets: Vec<&Market> = chosen.iter().map(|market| exchange.catalogue().market(*market)).collect();
    let ranges = markets.iter().map(|market| CandleRange {
        market: market.id,
        currency,
        interval,
        from: interval.start_of(from),
        to: now,
        count_max: usize::MAX,
    });
    let ranges = ranges.collect();
    let requested = chosen.iter().zip(&markets).map(|(index, market)| RequestedMarket {
        history: MarketHistory {
            market_id: market.id.to_api(),
            title: market.details.title.to_string(),
            points: Vec::new(),
            series: Vec::new(),
        },
        price_now: price_now(exchange, *index, currency),
    });
    Some(PriceHistoryPlan { ranges, markets: requested.collect(), from, now })
}

fn price_now(exchange: &Exchange, market: MarketIndex, currency: Currency) -> Ppm {
    let listing = exchange.catalogue().listing(ListingIndex::new(market, currency));
    price(exchange.catalogue().market(market), listing, Outcome::Yes)
}

impl PriceHistoryPlan {
    /// The YES prices of the first market, oldest first.
    pub fn first_prices(&self, found: &[FoundCandles]) -> Vec<(Time, Ppm)> {
        let first = self.markets.first().zip(found.first()).zip(self.ranges.first());
        first.map_or_else(Vec::new, |((requested, found), range)| {
            prices(found, range.interval, self.from, self.now, requested.price_now)
        })
    }

    /// The response, given the candles from history.
    pub fn answer(self, found: &[FoundCandles], query: &PriceHistoryQuery) -> PriceHistory {
        let outcomes = query.outcome.map_or(Outcome::BOTH.to_vec(), |outcome| vec![outcome.to_exchange()]);
        let (from, now) = (self.from, self.now);
        let markets =
            self.markets.into_iter().zip(found).zip(&self.ranges).map(|((requested, found), range)| {
                let prices = prices(found, range.interval, from, now, requested.price_now);
                let seen = |price: Ppm, outcome| match outcome {
                    Outcome::Yes => price,
                    Outcome::No => price.complement(),
                };
                let first = outcomes.first().copied().unwrap_or(Outcome::Yes);
                let series = prices.iter().map(|(at, price)| SeriesPoint {
                    epoch_milliseconds: at.to_api().millis(),
                    price: seen(*price, first).to_api(),
                });
                let points = prices.iter().flat_map(|(at, price)| {
                    outcomes.iter().map(|outcome| PricePoint {
                        outcome: outcome.to_api(),
                        price: seen(*price, *outcome).to_api(),
                        timestamp: at.to_api(),
                    })
                });
                MarketHistory { series: series.collect(), points: points.collect(), ..requested.history }
            });
        PriceHistory { markets: markets.collect() }
    }
}

/// YES prices, oldest first.
fn prices(
    found: &FoundCandles,
    interval: Interval,
    from: Time,
    now: Time,
    price_now: Ppm,
) -> Vec<(Time, Ppm)> {
    let before = found.before.map(|candle| (from, candle.close));
    let closes = found.candles.iter().map(|candle| {
        let end = Time::from_micros(candle.start.micros() + interval.micros());
        (end.min(now), candle.close)
    });
    let mut prices: Vec<_> = before.into_iter().chain(closes).collect();
    prices.retain(|(at, _)| *at < now);
    prices.push((now, price_now));
    prices
}
