//! Trades in order books.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Price, Shares};
use crate::terms::{Currency, MatchType, OutcomeSide, Side};
use crate::timestamp::Timestamp;

/// One match of a taker with a maker. Outcome and price are the taker's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trade {
    pub id: Uuid,
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
    pub price: Price,
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
    pub taker_price: Price,
    pub maker_price: Price,
    pub currency: Currency,
}

/// A page of trades, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trades {
    pub data: Vec<Trade>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last trade; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
