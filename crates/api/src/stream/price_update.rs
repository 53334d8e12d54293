//! `price_update`: the prices of an event's markets, and how event and markets stand.

use serde::Serialize;
use uuid::Uuid;

use super::words::StreamEventType;
use crate::decimal::UnitPrice;
use crate::terms::{Engine, OutcomeSide, Status};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PriceUpdateData {
    pub id: Uuid,
    pub slug: String,
    pub title: String,
    pub status: Status,
    #[serde(rename = "type")]
    pub event_type: StreamEventType,
    pub markets: Vec<PriceUpdateMarket>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub resolved_outcome: Option<OutcomeSide>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomePrices {
    #[serde(rename = "YES")]
    pub yes: UnitPrice,
    #[serde(rename = "NO")]
    pub no: UnitPrice,
}
