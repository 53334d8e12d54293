//! Series, and prices pushed by operators.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::Timestamp;
use crate::admin::Amounts;
use crate::decimal::{AssetPrice, Percent};
use crate::json::WriteJson;
use crate::terms;

/// Something that makes an event at every interval.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSeries {
    #[schema(example = "crypto-btc-1h")]
    pub slug: String,
    pub display_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub category: terms::SeriesCategory,
    pub interval: terms::IntervalType,
    #[schema(example = "BTC")]
    pub asset_symbol: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    pub engine: terms::Engine,
    pub currencies: Vec<terms::Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// In percent: 2 is 2 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_percentage: Option<Percent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_order_amount: Option<Amounts>,
    /// AMM: what the house puts into each new pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<Amounts>,
    /// Whose prices count: none for anyone's, one, or two that must agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<String>>,
    /// How far two sources may be apart, in millionths of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance_ppm: Option<u32>,
}

/// A price of an asset.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushPrice {
    pub value: AssetPrice,
    /// Who says so; `push` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was so; now if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_time: Option<Timestamp>,
}
