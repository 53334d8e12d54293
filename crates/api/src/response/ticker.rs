//! The last 24 hours of one outcome.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Price, PriceChange, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, OutcomeSide};
use crate::timestamp::Timestamp;

/// Prices now and over 24 hours. A number is 0 when there is nothing to tell.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ticker {
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
    pub last_price: Price,
    pub best_bid: Price,
    pub best_ask: Price,
    pub mid_price: UnitPrice,
    /// Never below 0.
    pub spread: Price,
    /// In shares.
    pub volume24h: Shares,
    pub high24h: Price,
    pub low24h: Price,
    pub price_change24h: PriceChange,
    #[schema(example = 247)]
    pub trade_count24h: u64,
    pub timestamp: Timestamp,

    pub outcome_id: Uuid,
    pub currency: Currency,
}
