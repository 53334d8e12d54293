//! `asset_price`: a price from a feed.

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::decimal::AssetPrice;

/// A price that a feed brought.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct AssetPriceData {
    pub symbol: String,
    pub price: AssetPrice,
    /// When the source saw it, in Unix milliseconds.
    pub timestamp: i64,
}
