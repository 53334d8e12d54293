//! Trades in order books and with pools.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, Engine, MatchType, OutcomeSide, Side};
use crate::timestamp::Timestamp;

/// One match of a taker with a maker, or of a taker with a pool. Outcome and price are the taker's.
///
/// The maker of a pool is the house: `makerOrderId` is the nil UUID, the other keys of the maker repeat the taker's, and
/// the prices are the average before the fee.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trade {
    pub id: Uuid,
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
    pub price: UnitPrice,
    pub size: Shares,
    pub created_at: Timestamp,

    pub taker_user_id: Uuid,
    pub maker_user_id: Uuid,
    pub taker_order_id: Uuid,
    pub maker_order_id: Uuid,
    pub taker_fee: Money,
    pub taker_outcome_id: Uuid,
    pub maker_outcome_id: Uuid,
    pub match_type: MatchType,
    pub taker_side: Side,
    pub taker_price: UnitPrice,
    pub maker_price: UnitPrice,
    pub currency: Currency,
    pub engine: Engine,
}

/// A page of trades, newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trades {
    pub data: Vec<Trade>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last trade; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
