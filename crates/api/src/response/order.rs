//! Orders of both engines, and the responses to placing and cancelling.
//!
//! `type` is the time in force of a CLOB order and the order type of an AMM order, on every route.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Price, Shares, UnitPrice};
use crate::terms::{Currency, Engine, OrderStatus, OrderType, OutcomeSide, Side, StpMode, TimeInForce};
use crate::timestamp::{OptionalDate, Timestamp};

/// An order in an order book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClobOrder {
    pub id: Uuid,
    pub market_id: Uuid,
    pub user_id: Uuid,
    pub outcome: OutcomeSide,
    pub side: Side,
    pub order_type: OrderType,
    /// The time in force.
    #[serde(rename = "type")]
    pub applied_time_in_force: TimeInForce,
    pub status: OrderStatus,
    /// The requested amount.
    pub amount: Money,
    /// The limit price; 0 for a MARKET order.
    pub price: Price,
    pub size: Shares,
    pub filled_size: Shares,
    /// The resting size; 0 when the order is closed.
    pub remaining_size: Shares,
    /// Without the fee; 0 when nothing has filled.
    pub avg_fill_price: UnitPrice,
    pub fee: Money,
    pub post_only: bool,
    pub stp_mode: StpMode,
    /// Shares that filled.
    pub quantity: Shares,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,

    pub event_id: Uuid,
    pub outcome_id: Uuid,
    #[schema(example = "Up")]
    pub outcome_label: String,
    pub currency: Currency,
    pub time_in_force: TimeInForce,
    pub expires_at: OptionalDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "mm-001")]
    pub client_order_id: Option<String>,
}

/// An order that traded against a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmmOrder {
    pub id: Uuid,
    pub outcome: OutcomeSide,
    pub side: Side,
    /// The order type.
    #[serde(rename = "type")]
    pub applied_order_type: OrderType,
    pub status: OrderStatus,
    /// The amount by which the wallet changed.
    pub amount: Money,
    /// The average, without the fee.
    pub price: UnitPrice,
    /// Shares that changed hands.
    pub quantity: Shares,
    pub currency: Currency,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,

    pub event_id: Uuid,
    pub market_id: Uuid,
    pub user_id: Uuid,
    pub outcome_id: Uuid,
    #[schema(example = "Up")]
    pub outcome_label: String,
    pub order_type: OrderType,
    pub size: Shares,
    pub filled_size: Shares,
    /// Always 0.
    pub remaining_size: Shares,
    pub avg_fill_price: UnitPrice,
    pub fee: Money,
    pub post_only: bool,
    /// Always SKIP.
    pub stp_mode: StpMode,
    pub time_in_force: TimeInForce,
    pub expires_at: OptionalDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub client_order_id: Option<String>,
}

/// An order of either engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Order {
    Clob(ClobOrder),
    Amm(AmmOrder),
}

impl Order {
    pub const fn engine(&self) -> Engine {
        match self {
            Order::Clob(_) => Engine::Clob,
            Order::Amm(_) => Engine::Amm,
        }
    }
}

/// An order that was placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlaceOrderResponse {
    pub engine: Engine,
    pub order: Order,
}

impl From<Order> for PlaceOrderResponse {
    fn from(order: Order) -> PlaceOrderResponse {
        PlaceOrderResponse { engine: order.engine(), order }
    }
}

/// A page of orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Orders {
    pub orders: Vec<Order>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last order; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// An order that was cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CancelOrderResponse {
    #[schema(example = "Order cancelled")]
    pub message: String,
    pub order: ClobOrder,
}

impl From<ClobOrder> for CancelOrderResponse {
    fn from(order: ClobOrder) -> CancelOrderResponse {
        CancelOrderResponse { message: "Order cancelled".to_owned(), order }
    }
}

/// The setting of the dead man's switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelAfterResponse {
    /// When everything that rests is cancelled; empty while the switch is off.
    pub cancel_at: OptionalDate,
}

/// All orders that were cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CancelAllResponse {
    #[schema(example = "Orders cancelled")]
    pub message: String,
    pub orders: Vec<ClobOrder>,
    pub total: u64,
}

impl From<Vec<ClobOrder>> for CancelAllResponse {
    fn from(orders: Vec<ClobOrder>) -> CancelAllResponse {
        CancelAllResponse { message: "Orders cancelled".to_owned(), total: orders.len() as u64, orders }
    }
}
