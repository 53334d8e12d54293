//! Events: a row of a list, a short form with ids for the next step, and all details.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::ProposalState;
use crate::Timestamp;
use crate::admin::Amounts;
use crate::decimal::{Money, Percent, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::response::{EventResolution, Pagination};
use crate::terms;
use crate::timestamp::OptionalDate;

/// A page of events, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct EventList {
    pub events: Vec<EventRow>,
    pub pagination: Pagination,
}

/// An event in a list.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventRow {
    pub event_id: Uuid,
    pub slug: String,
    pub title: String,
    pub status: terms::Status,
    #[serde(rename = "type")]
    pub event_type: terms::EventType,
    pub engine: terms::Engine,
    pub category: String,
    pub markets: usize,
    pub closing_date: OptionalDate,
}

/// An event with what is needed to go on with it.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventState {
    pub event_id: Uuid,
    pub slug: String,
    pub status: terms::Status,
    pub markets: Vec<MarketState>,
}

/// Several events at once.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct EventStates {
    pub events: Vec<EventState>,
}

/// A market with what is needed to go on with it.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketState {
    pub market_id: Uuid,
    pub title: String,
    pub status: terms::Status,
    pub outcome1_id: Uuid,
    pub outcome2_id: Uuid,
    /// Of YES; the first currency of the event.
    pub yes_price: UnitPrice,
}

/// All there is to know of an event, a draft included.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail {
    pub event_id: Uuid,
    pub slug: String,
    pub title: String,
    pub status: terms::Status,
    #[serde(rename = "type")]
    pub event_type: terms::EventType,
    pub engine: terms::Engine,
    pub currencies: Vec<terms::Currency>,
    pub category: String,
    pub subcategory: String,
    pub description: String,
    pub resolution_source: String,
    pub additional_context: String,
    pub image_url: String,
    pub hashtags: Vec<String>,
    pub country_codes: Vec<String>,
    pub created_at: Timestamp,
    pub opening_date: OptionalDate,
    pub closing_date: OptionalDate,
    pub resolution_date: OptionalDate,
    pub markets: Vec<MarketDetail>,
    /// The proposal that waits to be finalised or withdrawn, with names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalState>,
    /// As the public sees it.
    pub resolution: EventResolution,
}

/// All there is to know of a market.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketDetail {
    pub market_id: Uuid,
    pub title: String,
    pub status: terms::Status,
    pub outcome1_id: Uuid,
    pub outcome2_id: Uuid,
    pub yes_label: String,
    pub no_label: String,
    pub rules: String,
    pub image_url: String,
    pub fee_percentage: Percent,
    pub minimum_order_amount: Amounts,
    /// The terms that will apply to orders to come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announced_terms: Option<AnnouncedTerms>,
    pub listings: Vec<ListingDetail>,
}

/// Terms that were announced.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AnnouncedMarketTerms)]
pub struct AnnouncedTerms {
    pub fee_percentage: Percent,
    pub minimum_order_amount: Amounts,
    pub from: Timestamp,
}

/// A market in one currency.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListingDetail {
    pub currency: terms::Currency,
    pub yes_price: UnitPrice,
    pub collateral: Money,
    pub volume: Money,
    /// The pool's shares; a book has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_yes: Option<Shares>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_no: Option<Shares>,
}

/// A stored picture. An event or a market that has one of these addresses within a week keeps it.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedPicture {
    /// At most 640 pixels on its longer side.
    #[schema(example = "/pictures/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg")]
    pub image_url: String,
    /// The middle of it, 128 × 128 pixels.
    pub image128_url: String,
    /// Of the larger one, in pixels.
    pub width: u32,
    pub height: u32,
}
