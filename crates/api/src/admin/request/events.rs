//! Events and their markets: created as drafts, edited, funded, and traded on changed terms.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::Timestamp;
use crate::admin::Amounts;
use crate::decimal::{Money, Percent, Price, UnitPrice};
use crate::json::WriteJson;
use crate::terms;

/// A draft.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvent {
    #[schema(example = "rain-in-lagos-on-sunday")]
    pub slug: String,
    pub title: String,
    #[serde(rename = "type")]
    pub event_type: terms::EventType,
    pub engine: terms::Engine,
    pub currencies: Vec<terms::Currency>,
    pub category: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subcategory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image128_url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hashtags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub country_codes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_date: Option<Timestamp>,
    /// When trading stops by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_date: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_date: Option<Timestamp>,
    pub markets: Vec<CreateMarket>,
}

/// A market of a draft.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateMarket {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image128_url: Option<String>,
    /// In percent: 2 is 2 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_percentage: Option<Percent>,
    /// The smallest order; what is left out stays at the general minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_order_amount: Option<Amounts>,
}

/// Changes to a draft; fields that are left out stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditEvent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subcategory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image128_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashtags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_codes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_date: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_date: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_date: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub markets: Vec<EditMarket>,
}

/// Changes to a market of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditMarket {
    /// An id, or `slug` or `slug:2`.
    pub market: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image128_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_percentage: Option<Percent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_order_amount: Option<Amounts>,
}

/// The house's money for a pool, and the price it begins with.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct SeedPool {
    pub currency: terms::Currency,
    pub amount: Money,
    /// Of YES.
    pub price: Price,
}

/// More of the house's money for a pool, at the price it has.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrowPool {
    pub currency: terms::Currency,
    pub amount: Money,
    /// The lowest price of YES at which the pool is to grow; a cent below the price at the time of the request if it is left
    /// out. A proposal keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price_min: Option<UnitPrice>,
    /// The highest, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price_max: Option<UnitPrice>,
}

/// The fee and the minimums of orders to come; what is left out stays.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetTerms {
    /// In percent: 2 is 2 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_percentage: Option<Percent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_order_amount: Option<Amounts>,
}

/// A note about news on an event.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddNews {
    /// 1 to 100 characters.
    #[schema(max_length = 100, example = "Rate decision published")]
    pub title: String,
    /// An address that begins with `https://`.
    #[schema(max_length = 500, example = "https://example.org/rates")]
    pub link: String,
    /// When the news came out; without it: now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Timestamp>,
}
