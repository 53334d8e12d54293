//! Prices of assets over time: the first price of each ten seconds, kept for a week.
//!
//! The first price needs no memory of the interval, so a restart between two prices changes nothing. All prices of the
//! last two minutes are in the exchange.

use std::collections::HashMap;

use exchange::catalogue::AssetPrice;
use exchange::text::Text;
use exchange::time::{Span, Time};
use foldhash::fast::RandomState;
use segments::{Store, Version};
use sha2::{Digest, Sha256};

use super::families::{Index, Log};
use super::{HistoryError, list_key, lists};

/// Prices are kept as long as this.
pub(super) const KEPT: Span = Span::hours(7 * 24);
/// The length of the intervals, in microseconds.
const INTERVAL: i64 = 10_000_000;
/// Assets that the writer remembers between commits.
const CACHED_MAX: usize = 10_000;
const RECORD_BYTES: usize = 16;

/// A price of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredAssetPrice {
    pub value: AssetPrice,
    /// When the source observed it.
    pub source_time: Time,
    /// When the journal stamped it.
    pub at: Time,
}

/// Selects prices of an asset, by the time of the journal.
#[derive(Clone, Debug)]
pub struct AssetPriceRange {
    pub symbol: Text,
    pub from: Time,
    pub to: Time,
    /// At most this many. A longer list is thinned evenly; its last price stays.
    pub count_max: usize,
}

/// Identifies an asset in keys of lists.
fn asset_of(symbol: &str) -> u128 {
    let hash = Sha256::digest(symbol.as_bytes());
    hash.iter().take(16).fold(0, |id, byte| id << 8 | u128::from(*byte))
}

const fn interval_of(at: i64) -> i64 {
    at.div_euclid(INTERVAL)
}

fn encode(value: AssetPrice, source_time: Time) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..8].copy_from_slice(&value.0.to_be_bytes());
    bytes[8..].copy_from_slice(&source_time.micros().to_be_bytes());
    bytes
}

fn decode(bytes: &[u8], at: i64) -> Option<StoredAssetPrice> {
    let bytes: &[u8; RECORD_BYTES] = bytes.try_into().ok()?;
    let [value, source_time] = [0, 1].map(|place| i64::from_be_bytes(bytes.as_chunks().0[place]));
    let (value, source_time, at) = (AssetPrice(value), Time::from_micros(source_time), Time::from_micros(at));
    Some(StoredAssetPrice { value, source_time, at })
}

/// The writing side.
#[derive(Debug, Default)]
pub(super) struct AssetPricesWriter {
    /// The last interval of each asset with a stored price.
    last: HashMap<Text, i64, RandomState>,
}

impl AssetPricesWriter {
    pub(super) fn price(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        symbol: &Text,
        (value, source_time): (AssetPrice, Time),
    ) -> Result<(), HistoryError> {
        let interval = interval_of(at.micros());
        let last = match self.last.get(symbol) {
            Some(last) => Some(*last),
            None => last_interval(&store.version(), symbol)?,
        };
        if last == Some(interval) {
            return Ok(());
        }
        self.last.insert(symbol.clone(), interval);
        // A request records one price. Its sequence rises even after all older records were dropped.
        store.append(Log::AssetPrices as usize, seq, at.micros(), &encode(value, source_time));
        store.add(Index::Lists as usize, list_key::asset_prices(asset_of(symbol)), seq);
        Ok(())
    }

    /// Bounds the memory. Called after a commit: prices that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.last.len() > CACHED_MAX {
            self.last.clear();
        }
    }
}

/// The interval of the last stored price; none if there is none, or if it was dropped.
fn last_interval(version: &Version, symbol: &str) -> Result<Option<i64>, HistoryError> {
    let list = lists::list(version, list_key::asset_prices(asset_of(symbol)))?;
    let Some(last) = list.len().checked_sub(1) else { return Ok(None) };
    let Some(number) = list.value(last)? else { return Ok(None) };
    Ok(version.record(Log::AssetPrices as usize, number)?.map(|record| interval_of(record.at)))
}

/// Prices, oldest first.
pub(super) fn prices(
    version: &Version,
    range: &AssetPriceRange,
) -> Result<Vec<StoredAssetPrice>, HistoryError> {
    let oldest = version.mark().at.saturating_sub(KEPT.micros());
    let first_at = |at: i64| {
        let first = version.first_at(Log::AssetPrices as usize, at)?;
        Ok::<_, HistoryError>(first.map_or(u64::MAX, |record| record.number))
    };
    let numbers = first_at(range.from.micros().max(oldest))?..first_at(range.to.micros().saturating_add(1))?;
    let list = lists::list(version, list_key::asset_prices(asset_of(&range.symbol)))?;
    let (start, end) = (list.below(numbers.start)?, list.below(numbers.end)?);
    let count = end.saturating_sub(start);
    let step = count.div_ceil(range.count_max.max(1) as u64).max(1);
    let mut found = Vec::new();
    // Counted from the end, so that the last one stays.
    for place in (0..count).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let number = list.value(end - 1 - place)?.ok_or(HistoryError::Missing("an entry of a list"))?;
        let record = version.record(Log::AssetPrices as usize, number)?;
        let price = record.and_then(|record| decode(&record.bytes, record.at));
        found.push(price.ok_or(HistoryError::Missing("a price of an asset"))?);
    }
    found.reverse();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_as_written() {
        let (value, source_time) = (AssetPrice(96_250_500_000), Time::from_micros(-7));
        let bytes = encode(value, source_time);
        let at = Time::from_micros(5);
        assert_eq!(decode(&bytes, 5), Some(StoredAssetPrice { value, source_time, at }));
        assert_eq!(decode(&bytes[1..], 5), None);
    }
}
