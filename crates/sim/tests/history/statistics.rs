//! Totals of the venue by the hour and the day, results of pools, prices of assets and news.

use std::collections::{BTreeMap, BTreeSet};

use exchange::id::{EventId, MarketId, NewsId, UserId};
use exchange::numbers::Currency;
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::history::{
    AssetPriceRange, Execution, FoundStatistics, NEWS_MAX, POOLS_MAX, PoolResults, StatisticsSpan,
    StoredAssetPrice, StoredNews, Totals,
};

use crate::history::model::{Model, PoolResult};
use crate::history::trial::Trial;

const HOUR: i64 = 3_600_000_000;
/// Of prices of assets.
const INTERVAL: i64 = 10_000_000;

/// A trade: when, who, the value and the fee.
type Traded = (Time, Vec<UserId>, i64, i64);

fn traded(model: &Model, currency: Currency) -> Vec<Traded> {
    let mut found = Vec::new();
    for stored in &model.trades {
        let at = stored.at;
        match &stored.trade {
            Execution::Book(trade) if trade.currency == currency => {
                let value = trade.size.units() * i64::from(trade.taker.price.cents()) * currency.base();
                let users = vec![trade.taker.user, trade.maker.user];
                found.push((at, users, value, trade.taker_fee.units()));
            }
            Execution::Pool(order) if order.currency == currency => {
                found.push((at, vec![order.user], order.terms.value.units(), order.terms.fee.units()));
            }
            Execution::Book(_) | Execution::Pool(_) => {}
        }
    }
    found
}

/// How many pairs of a user and a span of this length have their first trade between two times.
fn first_trades(trades: &[Traded], length: i64, from: Time, to: Time) -> i128 {
    let mut first: BTreeMap<(UserId, i64), Time> = BTreeMap::new();
    for (at, users, ..) in trades {
        for user in users {
            first.entry((*user, at.micros().div_euclid(length))).or_insert(*at);
        }
    }
    first.values().filter(|at| (from..to).contains(*at)).count() as i128
}

fn pool_result_before(model: &Model, market: MarketId, currency: Currency, end: Time) -> i128 {
    let is_it = |pool: &&PoolResult| pool.market == market && pool.currency == currency && pool.at < end;
    model.pools.iter().rfind(is_it).map_or(0, |pool| pool.result)
}

fn statistics(model: &Model, span: &StatisticsSpan) -> FoundStatistics {
    let (currency, trades) = (span.currency, traded(model, span.currency));
    let of_currency = |pool: &&PoolResult| pool.currency == currency;
    let markets: BTreeSet<MarketId> =
        model.pools.iter().filter(of_currency).map(|pool| pool.market).collect();
    let gain = |market: MarketId, from: Time, to: Time| {
        pool_result_before(model, market, currency, to) - pool_result_before(model, market, currency, from)
    };
    let bucket = |(from, to): (Time, Time)| {
        let within: Vec<&Traded> = trades.iter().filter(|(at, ..)| (from..to).contains(at)).collect();
        Totals {
            volume: within.iter().map(|(_, _, value, _)| i128::from(*value)).sum(),
            fees: within.iter().map(|(.., fee)| i128::from(*fee)).sum(),
            trades: within.len() as i128,
            hour_traders: first_trades(&trades, HOUR, from, to),
            day_traders: first_trades(&trades, 24 * HOUR, from, to),
            pools: markets.iter().map(|market| gain(*market, from, to)).sum(),
        }
    };
    let spans: Vec<(Time, Time)> = span.bounds.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let whole = span.bounds[0]..span.bounds[span.bounds.len() - 1];
    let mut recent = Vec::new();
    for pool in model.pools.iter().rev().filter(of_currency).filter(|pool| whole.contains(&pool.at)) {
        if !recent.contains(&pool.market) && recent.len() < POOLS_MAX {
            recent.push(pool.market);
        }
    }
    let of_pool = |market: MarketId| PoolResults {
        market,
        results: spans.iter().map(|(from, to)| gain(market, *from, *to)).collect(),
    };
    FoundStatistics {
        buckets: spans.iter().copied().map(bucket).collect(),
        pools: recent.into_iter().map(of_pool).collect(),
    }
}

fn asset_prices(model: &Model, range: &AssetPriceRange) -> Vec<StoredAssetPrice> {
    let mut first: BTreeMap<i64, StoredAssetPrice> = BTreeMap::new();
    for (_, price) in model.asset_prices.iter().filter(|(symbol, _)| *symbol == range.symbol) {
        first.entry(price.at.micros().div_euclid(INTERVAL)).or_insert(*price);
    }
    let kept_from = (model.now - Span::hours(7 * 24)).max(range.from);
    let within = first.into_values().filter(|price| price.at >= kept_from && price.at <= range.to);
    let mut newest_first: Vec<StoredAssetPrice> = within.collect();
    newest_first.reverse();
    let step = newest_first.len().div_ceil(range.count_max).max(1);
    let mut shown: Vec<StoredAssetPrice> = newest_first.into_iter().step_by(step).collect();
    shown.reverse();
    shown
}

fn news(model: &Model, event: EventId) -> Vec<StoredNews> {
    let mut last: BTreeMap<NewsId, StoredNews> = BTreeMap::new();
    for (_, news, note) in model.news.iter().filter(|(of, ..)| *of == event) {
        match note {
            Some(note) => last.insert(*news, StoredNews { news: *news, note: note.clone() }),
            None => last.remove(news),
        };
    }
    let mut shown: Vec<StoredNews> = last.into_values().collect();
    shown.sort_by_key(|stored| std::cmp::Reverse(stored.note.at));
    shown.truncate(NEWS_MAX);
    shown
}

impl Trial<'_> {
    pub fn check_statistics(&mut self, rounds: usize) {
        let times: Vec<Time> = self.model.trades.iter().map(|stored| stored.at).collect();
        for _ in 0..rounds {
            let currency = self.random.one_of(Currency::ALL);
            let length = HOUR * self.random.one_of([1, 1, 24]);
            let near = self.random.pick(&times).unwrap_or(self.model.now);
            let first = near.micros().div_euclid(length) - self.random.below(4) as i64;
            let buckets = 1 + self.random.below(8) as i64;
            let bounds = (first..=first + buckets).map(|bucket| Time::from_micros(bucket * length));
            let span = StatisticsSpan { currency, bounds: bounds.collect() };
            let got = self.kept.ask(self.exchange, |history| history.statistics(span.clone()));
            let expected = statistics(self.model, &span);
            self.same(&got, &expected, || format!("statistics {span:?}"));
        }
    }

    pub fn check_asset_prices(&mut self, rounds: usize) {
        let mut symbols: Vec<Text> =
            self.model.asset_prices.iter().map(|(symbol, _)| symbol.clone()).collect();
        symbols.push(Text::from("NOSUCH"));
        for _ in 0..rounds {
            let symbol = symbols[self.random.below(symbols.len())].clone();
            let to = self.model.now - Span::seconds(self.random.below(100_000) as i64);
            let from = to - Span::seconds(self.random.one_of([0, 60, 3_600, 1_000_000]));
            let count_max = self.random.one_of([1, 3, 1_000]);
            let range = AssetPriceRange { symbol, from, to, count_max };
            let got = self.kept.ask(self.exchange, |history| history.asset_prices(range.clone()));
            self.same(&got, &asset_prices(self.model, &range), || format!("prices {range:?}"));
        }
    }

    pub fn check_news(&mut self) {
        let events: BTreeSet<EventId> = self.model.news.iter().map(|(event, ..)| *event).collect();
        for event in events.into_iter().chain([EventId::new(404)]) {
            let got = self.kept.ask(self.exchange, |history| history.news(event, u64::MAX));
            self.same(&got, &news(self.model, event), || format!("news of {event}"));
        }
    }
}
