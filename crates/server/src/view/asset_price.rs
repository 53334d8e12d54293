//! Prices of an asset over time, from history and from memory.

use api::query::AssetPricesQuery;
use api::response::{AssetPrices, RecordedPrice};
use exchange::Exchange;
use exchange::catalogue::Sample;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::words::{ToApi, ToExchange};
use crate::history::{AssetPriceRange, StoredAssetPrice};

/// Prices in one response.
const COUNT_MAX: usize = 1_000;
/// The span without `from`.
const SPAN: Span = Span::hours(1);
/// History has one price in as many microseconds.
const INTERVAL: i64 = 10_000_000;

/// The range to read from history.
pub fn range(symbol: &Text, query: &AssetPricesQuery, now: Time) -> AssetPriceRange {
    let to = query.to.map_or(now, ToExchange::to_exchange);
    let from = query.from.map_or(to - SPAN, ToExchange::to_exchange);
    AssetPriceRange { symbol: symbol.clone(), from, to, count_max: COUNT_MAX }
}

/// An upper bound on the number of prices.
pub fn count_max(range: &AssetPriceRange) -> usize {
    let micros = i128::from(range.to.micros()) - i128::from(range.from.micros());
    let intervals = micros.max(0) / i128::from(INTERVAL) + 2;
    usize::try_from(intervals).unwrap_or(usize::MAX).min(range.count_max)
}

/// The last price, if it is within the range.
pub fn last(exchange: &Exchange, range: &AssetPriceRange) -> Option<StoredAssetPrice> {
    let Sample { value, source_time, at, .. } = exchange.catalogue().assets().get(&range.symbol)?.last()?;
    let is_within = (range.from..=range.to).contains(at);
    is_within.then_some(StoredAssetPrice { value: *value, source_time: *source_time, at: *at })
}

/// `last` follows the stored prices, unless history has it already.
pub fn asset_prices(
    symbol: &str,
    stored: &[StoredAssetPrice],
    last: Option<StoredAssetPrice>,
) -> AssetPrices {
    let newer = last.filter(|last| stored.last().is_none_or(|stored| stored.at < last.at));
    let shown = |price: &StoredAssetPrice| RecordedPrice {
        price: price.value.to_api(),
        recorded_at: price.at.to_api(),
        source_time: price.source_time.to_api(),
    };
    AssetPrices { symbol: symbol.to_owned(), prices: stored.iter().chain(&newer).map(shown).collect() }
}
