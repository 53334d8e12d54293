//! Prices of an asset over time.

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::decimal::AssetPrice;
use crate::timestamp::Timestamp;

/// Prices of an asset, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct AssetPrices {
    #[schema(example = "BTCUSDT")]
    pub symbol: String,
    pub prices: Vec<RecordedPrice>,
}

/// A price of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedPrice {
    pub price: AssetPrice,
    /// When the exchange recorded it.
    pub recorded_at: Timestamp,
    /// When its source observed it.
    pub source_time: Timestamp,
}
