//! Order books, one per requested outcome.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Money, Price, Shares};
use crate::json::WriteJson;
use crate::terms::Side;
use crate::timestamp::Timestamp;

/// The resting orders of one outcome.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Book {
    pub market_id: Uuid,
    pub outcome_id: Uuid,
    pub timestamp: Timestamp,
    /// The highest first.
    pub bids: Vec<BookLevel>,
    /// The lowest first.
    pub asks: Vec<BookLevel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_traded_price: Option<Price>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_traded_side: Option<Side>,
}

/// All orders at one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[schema(example = json!({"price": 0.7, "quantity": 200, "total": 140}))]
pub struct BookLevel {
    pub price: Price,
    pub quantity: Shares,
    /// Price × quantity in money.
    pub total: Money,
}
