//! `buy_order` and `sell_order`: a fill, from the perspective of one party.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::words::StreamEventType;
use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, Engine, OrderType, OutcomeSide, Side};
use crate::timestamp::Timestamp;

/// A fill, from the side of one party.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct TradeOrderData {
    pub user: TradeUser,
    pub order: TradeOrder,
    pub event: TradeEvent,
    pub market: TradeMarket,
}

/// Whose order it is.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TradeUser {
    pub id: Uuid,
    pub tag: Option<String>,
    pub image_url: Option<String>,
}

/// A fill, in the terms of the order that it filled.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TradeOrder {
    pub id: Uuid,
    /// Price × quantity in money, without the fee.
    pub amount: Money,
    pub quantity: Shares,
    pub price: UnitPrice,
    /// Always `FILLED`: this much of it is.
    pub status: &'static str,
    #[serde(rename = "type")]
    pub side: Side,
    pub outcome: OutcomeSide,
    pub outcome_label: String,
    pub currency: Currency,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub engine: Engine,
    pub order_type: OrderType,
}

/// The event of its market.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TradeEvent {
    pub id: Uuid,
    pub slug: String,
    pub title: String,
    #[serde(rename = "type")]
    pub event_type: StreamEventType,
    pub created_at: Timestamp,
    pub image_url: Option<String>,
}

/// Its market.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TradeMarket {
    pub id: Uuid,
    pub title: String,
    pub image_url: Option<String>,
}
