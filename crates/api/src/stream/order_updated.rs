//! `order_updated`: the current state of a user's order, and the cause of the message. Its times are whole Unix
//! seconds.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::words::{StreamOrderCause, StreamOrderStatus};
use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, OrderType, Side, TimeInForce};

/// How one of your orders stands now.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderUpdatedData {
    pub order_id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub order: UserOrder,
    pub timestamp: i64,
    pub cause: StreamOrderCause,
}

/// In the order's own outcome and side, also where it met one of the other outcome.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserOrder {
    pub id: Uuid,
    pub user_id: Uuid,
    pub market_id: Uuid,
    pub outcome_id: Uuid,
    pub outcome_label: String,
    pub side: Side,
    /// The limit price; of an order against a pool the average; 0 for a MARKET order on a book.
    pub price: UnitPrice,
    pub quantity: Shares,
    pub filled_quantity: Shares,
    /// The resting size; 0 when the order is closed.
    pub remaining_quantity: Shares,
    /// 0 when nothing has filled.
    pub avg_fill_price: UnitPrice,
    pub status: StreamOrderStatus,
    pub time_in_force: TimeInForce,
    pub created_at: i64,
    pub updated_at: i64,
    pub order_type: OrderType,
    pub currency: Currency,
    pub fee: Money,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub client_order_id: Option<String>,
}
