//! Series and their recent events.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::json::WriteJson;
use crate::terms::{IntervalType, SeriesCategory};
use crate::timestamp::OptionalDate;

/// Something that makes an event at every interval. It cannot be traded itself.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    pub id: Uuid,
    #[schema(example = "crypto-btc-1h")]
    pub slug: String,
    #[schema(example = "Bitcoin hourly")]
    pub display_name: String,
    pub description: String,
    pub category: SeriesCategory,
    pub interval_type: IntervalType,
    #[schema(example = "BTC")]
    pub asset_symbol: String,
    #[schema(example = "CRYPTO_PRICE_UP_DOWN_HOURLY")]
    pub automation_type: String,
    pub icon_url: String,
}

/// A page of series.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct SeriesList {
    pub series: Vec<Series>,
    pub pagination: Pagination,
}

/// An event of a series with little more than its times.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeanEvent {
    pub id: Uuid,
    pub title: String,
    pub opening_date: OptionalDate,
    pub closing_date: OptionalDate,
    pub resolution_date: OptionalDate,
}
