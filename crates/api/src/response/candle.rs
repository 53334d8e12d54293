//! Open, high, low and close over fixed spans.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{CandleInterval, Currency, OutcomeSide};
use crate::timestamp::Timestamp;

/// One span. Spans without a trade are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Candle {
    /// When the span begins.
    pub start: Timestamp,
    pub open: UnitPrice,
    pub high: UnitPrice,
    pub low: UnitPrice,
    pub close: UnitPrice,
    /// In shares.
    pub volume: Shares,
    /// Trades.
    pub count: u64,
}

/// The candles of one outcome, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candles {
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
    pub currency: Currency,
    pub interval: CandleInterval,
    pub candles: Vec<Candle>,
}
