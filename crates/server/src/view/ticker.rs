//! Prices of one outcome now and over 24 hours. Order books only: a pool has no bids and asks.

use api::decimal::{Price, PriceChange, UnitPrice};
use api::query::{OutcomeChoice, TickerQuery};
use api::response::Ticker;
use exchange::Exchange;
use exchange::book::Book;
use exchange::catalogue::Engine;
use exchange::id::{MarketId, OutcomeId};
use exchange::index::{ListingIndex, MarketIndex};
use exchange::order::{Outcome, Side};
use exchange::stats::Day;
use exchange::time::{Span, Time};

use super::market::is_public;
use super::words::{ToApi, ToExchange};
use crate::history::{CandleRange, FoundCandles, Interval};

/// Why there is no ticker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTicker {
    MarketNotFound,
    /// The outcome belongs to another market, or to none.
    OutcomeElsewhere,
    /// The market trades against a pool.
    NotOnABook,
}

/// The ticker of an outcome as of `now`. Numbers without data are 0. `minutes` are the candles of a settled market from
/// history, see `minutes_needed`; other markets have their own statistics.
pub fn ticker(
    exchange: &Exchange,
    market: MarketId,
    query: &TickerQuery,
    now: Time,
    minutes: Option<&FoundCandles>,
) -> Result<Ticker, NoTicker> {
    let (index, outcome) = find(exchange, market, query)?;
    let listing = exchange.catalogue().listing(ListingIndex::new(index, query.currency.to_exchange()));
    let now = now.max(exchange.now());
    let day = match minutes {
        Some(minutes) => day_of(minutes).seen_from(outcome),
        None => listing.stats.day(now, outcome),
    };
    let top = Top::of(listing.book(), outcome);
    Ok(Ticker {
        market_id: market.to_api(),
        outcome: outcome.to_api(),
        last_price: shown(day.last),
        best_bid: shown(top.bid),
        best_ask: shown(top.ask),
        mid_price: top.middle(),
        spread: top.spread(),
        volume24h: day.volume.to_api(),
        high24h: shown(day.high),
        low24h: shown(day.low),
        price_change24h: PriceChange::from_units(day.change),
        trade_count24h: day.count,
        timestamp: now.to_api(),
        outcome_id: OutcomeId::of(market, outcome as u64).to_api(),
        currency: query.currency,
    })
}

fn find(
    exchange: &Exchange,
    market: MarketId,
    query: &TickerQuery,
) -> Result<(MarketIndex, Outcome), NoTicker> {
    let catalogue = exchange.catalogue();
    let index = catalogue.find_market(market).filter(|index| is_public(exchange, *index));
    let index = index.ok_or(NoTicker::MarketNotFound)?;
    let outcome = chosen(market, query).ok_or(NoTicker::OutcomeElsewhere)?;
    if catalogue.event(catalogue.market(index).event).engine == Engine::Amm {
        return Err(NoTicker::NotOnABook);
    }
    Ok((index, outcome))
}

/// The minute candles of the last 24 hours that a ticker needs from history. Only a settled market needs them, because its
/// statistics have been freed; none for other markets.
pub fn minutes_needed(
    exchange: &Exchange,
    market: MarketId,
    query: &TickerQuery,
    now: Time,
) -> Result<Option<CandleRange>, NoTicker> {
    let (index, _) = find(exchange, market, query)?;
    if exchange.catalogue().market(index).settlement.is_none() {
        return Ok(None);
    }
    let now = now.max(exchange.now());
    Ok(Some(CandleRange {
        market,
        currency: query.currency.to_exchange(),
        interval: Interval::OneMinute,
        from: Interval::OneMinute.start_of(now) - Span::hours(24) + Span::minutes(1),
        to: now,
        count_max: usize::MAX,
    }))
}

/// Computes `Stats::day` from these minutes, in YES.
fn day_of(minutes: &FoundCandles) -> Day {
    let price = |price: exchange::numbers::Ppm| exchange::numbers::Price::clamp(price.units() / 10_000);
    let before = minutes.before.map(|candle| price(candle.close));
    let last = minutes.candles.last().map(|candle| price(candle.close)).or(before);
    let start = before.or_else(|| minutes.candles.first().map(|candle| price(candle.open)));
    let cents = |price: Option<exchange::numbers::Price>| price.map_or(0, |price| i64::from(price.cents()));
    Day {
        last,
        high: minutes.candles.iter().map(|candle| price(candle.high)).max(),
        low: minutes.candles.iter().map(|candle| price(candle.low)).min(),
        change: cents(last) - cents(start),
        volume: minutes.candles.iter().map(|candle| candle.volume).sum(),
        count: minutes.candles.iter().map(|candle| candle.count).sum(),
    }
}

fn chosen(market: MarketId, query: &TickerQuery) -> Option<Outcome> {
    match query.choice()? {
        OutcomeChoice::Side(side) => Some(side.to_exchange()),
        OutcomeChoice::Id(id) => {
            let is_meant = |outcome: &Outcome| OutcomeId::of(market, *outcome as u64).to_api() == id;
            Outcome::BOTH.into_iter().find(is_meant)
        }
    }
}

fn shown(price: Option<exchange::numbers::Price>) -> Price {
    price.map_or(Price::NONE, ToApi::to_api)
}

/// The best price of either side, in the outcome's own price.
#[derive(Clone, Copy, Debug)]
struct Top {
    bid: Option<exchange::numbers::Price>,
    ask: Option<exchange::numbers::Price>,
}

impl Top {
    fn of(book: Option<&Book>, outcome: Outcome) -> Top {
        let best = |side: Side| Some(outcome.yes_price(book?.best(side.on_book(outcome))?));
        Top { bid: best(Side::Buy), ask: best(Side::Sell) }
    }

    fn both(self) -> Option<(u8, u8)> {
        Some((self.bid?.cents(), self.ask?.cents()))
    }

    fn middle(self) -> UnitPrice {
        // A cent is 10 000 millionths, half of one 5 000.
        let middle = self.both().map_or(0, |(bid, ask)| (i64::from(bid) + i64::from(ask)) * 5_000);
        UnitPrice::from_units(middle)
    }

    /// 0 if the orders cross, which those of one user may.
    fn spread(self) -> Price {
        Price::from_cents(self.both().map_or(0, |(bid, ask)| ask.saturating_sub(bid)))
    }
}
