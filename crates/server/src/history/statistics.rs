//! Statistics of the venue: totals and results of pools in buckets of an hour or a day.

use exchange::id::MarketId;
use exchange::numbers::Currency;
use exchange::time::Time;
use segments::Version;

use super::families::Log;
use super::pools::{self, PoolRecord};
use super::totals::{Totals, totals_of};
use super::{HistoryError, list_key, lists};

/// Pools of one answer: those that changed last.
pub const POOLS_MAX: usize = 10;
/// Changes of pools that one read looks at to find them.
const WALKED_MAX: usize = 2_000;

/// Selects buckets. They begin and end with an hour.
#[derive(Clone, Debug)]
pub struct StatisticsSpan {
    pub currency: Currency,
    /// The start of each bucket, and the end of the last one.
    pub bounds: Vec<Time>,
}

/// Totals of the buckets, and results of pools, those that changed last first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundStatistics {
    pub buckets: Vec<Totals>,
    pub pools: Vec<PoolResults>,
}

/// The gain or loss of a pool in each bucket, in units of money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolResults {
    pub market: MarketId,
    pub results: Vec<i128>,
}

pub(super) fn statistics(version: &Version, span: &StatisticsSpan) -> Result<FoundStatistics, HistoryError> {
    let sums = span.bounds.iter().map(|bound| totals_before(version, *bound, span.currency));
    let sums = sums.collect::<Result<Vec<Totals>, HistoryError>>()?;
    let buckets = sums.windows(2).map(|pair| pair[1].since(&pair[0])).collect();
    let ends = span.bounds.iter().map(|bound| first_number(version, Log::Pools, *bound));
    let ends = ends.collect::<Result<Vec<u64>, HistoryError>>()?;
    let recent = recent_pools(version, &ends, span.currency)?;
    let pools = recent.into_iter().map(|market| pool_results(version, market, span.currency, &ends));
    Ok(FoundStatistics { buckets, pools: pools.collect::<Result<_, _>>()? })
}

/// The number of the first record at a time or later.
fn first_number(version: &Version, log: Log, at: Time) -> Result<u64, HistoryError> {
    Ok(version.first_at(log as usize, at.micros())?.map_or(u64::MAX, |record| record.number))
}

fn totals_before(version: &Version, at: Time, currency: Currency) -> Result<Totals, HistoryError> {
    let end = first_number(version, Log::Totals, at)?;
    let last = version.last_below(Log::Totals as usize, end)?;
    last.map_or(Ok(Totals::default()), |record| totals_of(&record, currency))
}

/// The pools that changed last within the numbers.
fn recent_pools(version: &Version, ends: &[u64], currency: Currency) -> Result<Vec<MarketId>, HistoryError> {
    let (Some(first), Some(mut end)) = (ends.first().copied(), ends.last().copied()) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for _ in 0..WALKED_MAX {
        let record = version.last_below(Log::Pools as usize, end)?;
        let Some(record) = record.filter(|record| record.number >= first) else { break };
        end = record.number;
        let pool = PoolRecord::of(&record)?;
        if pool.currency == currency && !found.contains(&pool.market) {
            found.push(pool.market);
        }
        if found.len() == POOLS_MAX {
            break;
        }
    }
    Ok(found)
}

fn pool_results(
    version: &Version,
    market: MarketId,
    currency: Currency,
    ends: &[u64],
) -> Result<PoolResults, HistoryError> {
    let list = lists::list(version, list_key::pool_results(market, currency))?;
    let mut results = Vec::with_capacity(ends.len());
    let mut last = (0, 0);
    for end in ends {
        let changes = list.below(*end)?;
        if changes != last.0 {
            let number = list.value(changes - 1)?.ok_or(HistoryError::Missing("an entry of a list"))?;
            last = (changes, pools::stored(version, number)?.result());
        }
        results.push(last.1);
    }
    Ok(PoolResults { market, results: results.windows(2).map(|pair| pair[1] - pair[0]).collect() })
}
