//! `price_update`: the prices of an event's markets, and the statuses of event and markets.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::words::StreamEventType;
use crate::decimal::UnitPrice;
use crate::terms::{Engine, OutcomeSide, Status};

/// An event and the prices of its markets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PriceUpdateData {
    pub id: Uuid,
    pub slug: String,
    pub title: String,
    pub status: Status,
    #[serde(rename = "type")]
    pub event_type: StreamEventType,
    pub markets: Vec<PriceUpdateMarket>,
}

/// A market with its prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceUpdateMarket {
    pub id: Uuid,
    pub question: String,
    /// Their labels, YES first.
    pub outcomes: [String; 2],
    pub engine: Engine,
    pub prices: OutcomePrices,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_outcome: Option<OutcomeSide>,
}

/// The price of each outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OutcomePrices {
    #[serde(rename = "YES")]
    pub yes: UnitPrice,
    #[serde(rename = "NO")]
    pub no: UnitPrice,
}
