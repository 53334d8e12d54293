//! Totals of the venue over time.

use api::Timestamp;
use api::admin::query::StatisticsQuery;
use api::admin::response::{PoolStatistics, Statistics, StatisticsBucket};
use api::decimal::Money;
use api::terms::StatisticsInterval;

use crate::history::{FoundStatistics, PoolResults, Totals};
use crate::view::live_and_retired::LiveAndRetired;
use crate::view::order::event_and_market_of;
use crate::view::words::ToApi;

pub fn statistics(
    known: &LiveAndRetired<'_>,
    query: &StatisticsQuery,
    bounds: &[Timestamp],
    found: &FoundStatistics,
) -> Statistics {
    let buckets = bounds.iter().zip(&found.buckets);
    Statistics {
        currency: query.currency,
        interval: query.interval,
        buckets: buckets.map(|(start, totals)| bucket(*start, totals, query.interval)).collect(),
        pools: found.pools.iter().map(|results| pool(known, results)).collect(),
    }
}

fn bucket(start: Timestamp, totals: &Totals, interval: StatisticsInterval) -> StatisticsBucket {
    let traders = match interval {
        StatisticsInterval::OneHour => totals.hour_traders,
        StatisticsInterval::OneDay => totals.day_traders,
    };
    StatisticsBucket {
        start,
        volume: money(totals.volume),
        fees: money(totals.fees),
        trades: count(totals.trades),
        traders: count(traders),
        pool_result: money(totals.pools),
    }
}

fn pool(known: &LiveAndRetired<'_>, pool: &PoolResults) -> PoolStatistics {
    let (event, market) = event_and_market_of(known.exchange_of(pool.market), pool.market);
    PoolStatistics {
        market_id: market.id.to_api(),
        market_title: market.details.title.to_string(),
        event_id: event.id.to_api(),
        event_slug: event.slug.to_string(),
        event_title: event.details.title.to_string(),
        result: money(pool.results.iter().sum()),
        results: pool.results.iter().map(|result| money(*result)).collect(),
    }
}

/// The volume of a bucket may exceed the money in existence; it saturates, like the volume of a market.
fn money(units: i128) -> Money {
    Money::from_units(i64::try_from(units).unwrap_or(if units < 0 { i64::MIN } else { i64::MAX }))
}

fn count(number: i128) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
