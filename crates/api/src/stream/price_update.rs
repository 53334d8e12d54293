//! `price_update`: the prices of an event's markets, announced terms, and the statuses of event and markets.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::words::StreamEventType;
use crate::decimal::UnitPrice;
use crate::json::WriteJson;
use crate::response::AnnouncedTerms;
use crate::terms::{Currency, Engine, OutcomeSide, Status};

/// An event and the prices of its markets.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceUpdateMarket {
    pub id: Uuid,
    pub question: String,
    /// Their labels, YES first.
    pub outcomes: [String; 2],
    pub engine: Engine,
    pub prices: OutcomePrices,
    /// The prices in each currency of the event.
    pub listings: Vec<ListingPrices>,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_outcome: Option<OutcomeSide>,
}

/// The prices of a market in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListingPrices {
    pub currency: Currency,
    pub prices: OutcomePrices,
    /// What a share costs now, before the fee; 0 if it cannot be bought.
    pub buy_prices: OutcomePrices,
    /// The fee and the minimum that will apply to orders to come in this currency, as the event's market shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub announced_terms: Option<AnnouncedTerms>,
}

/// The price of each outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct OutcomePrices {
    #[serde(rename = "YES")]
    pub yes: UnitPrice,
    #[serde(rename = "NO")]
    pub no: UnitPrice,
}
