//! Orders of both engines, and the responses to placing and cancelling.
//!
//! `type` is the time in force of a CLOB order and the order type of an AMM order, on every route.

use std::borrow::Cow;

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Price, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, Engine, OrderStatus, OrderType, OutcomeSide, Side, StpMode, TimeInForce};
use crate::timestamp::{OptionalDate, Timestamp};

/// An order in an order book.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClobOrder<'a> {
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
    pub outcome_label: Cow<'a, str>,
    pub currency: Currency,
    pub time_in_force: TimeInForce,
    pub expires_at: OptionalDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "mm-001")]
    pub client_order_id: Option<Cow<'a, str>>,
}

/// An order that traded against a pool.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmmOrder<'a> {
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
    pub outcome_label: Cow<'a, str>,
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
    pub client_order_id: Option<Cow<'a, str>>,
}

/// An order of either engine.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(untagged)]
pub enum Order<'a> {
    Clob(ClobOrder<'a>),
    Amm(AmmOrder<'a>),
}

impl Order<'_> {
    pub const fn engine(&self) -> Engine {
        match self {
            Order::Clob(_) => Engine::Clob,
            Order::Amm(_) => Engine::Amm,
        }
    }
}

/// An order that was placed.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct PlaceOrderResponse<'a> {
    pub engine: Engine,
    pub order: Order<'a>,
}

impl<'a> From<Order<'a>> for PlaceOrderResponse<'a> {
    fn from(order: Order<'a>) -> PlaceOrderResponse<'a> {
        PlaceOrderResponse { engine: order.engine(), order }
    }
}

/// A page of orders.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Orders<'a> {
    pub orders: Vec<Order<'a>>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last order; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// An order that was cancelled.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct CancelOrderResponse<'a> {
    #[schema(example = "Order cancelled")]
    pub message: &'static str,
    pub order: ClobOrder<'a>,
}

impl<'a> From<ClobOrder<'a>> for CancelOrderResponse<'a> {
    fn from(order: ClobOrder<'a>) -> CancelOrderResponse<'a> {
        CancelOrderResponse { message: "Order cancelled", order }
    }
}

/// The setting of the dead man's switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelAfterResponse {
    /// When everything that rests is cancelled; empty while the switch is off.
    pub cancel_at: OptionalDate,
}

/// All orders that were cancelled.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct CancelAllResponse<'a> {
    #[schema(example = "Orders cancelled")]
    pub message: &'static str,
    pub orders: Vec<ClobOrder<'a>>,
    pub total: u64,
}

impl<'a> From<Vec<ClobOrder<'a>>> for CancelAllResponse<'a> {
    fn from(orders: Vec<ClobOrder<'a>>) -> CancelAllResponse<'a> {
        CancelAllResponse { message: "Orders cancelled", total: orders.len() as u64, orders }
    }
}
