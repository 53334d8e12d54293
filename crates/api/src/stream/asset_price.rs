//! `asset_price`: a price that a feed brought.

use serde::Serialize;

use crate::decimal::AssetPrice;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AssetPriceData {
    pub symbol: String,
    pub price: AssetPrice,
    /// When the source saw it, in Unix milliseconds.
    pub timestamp: i64,
}
