//! Series, feeds and the last price of each asset.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::admin::Amounts;
use crate::decimal::{AssetPrice, Percent};
use crate::json::WriteJson;
use crate::terms;
use crate::timestamp::OptionalDate;

/// All series, in the order of their slugs.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct SeriesRows {
    pub series: Vec<SeriesState>,
}

/// Something that makes an event at every interval.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesState {
    pub series_id: Uuid,
    pub slug: String,
    pub display_name: String,
    pub category: terms::SeriesCategory,
    pub interval: terms::IntervalType,
    pub asset_symbol: String,
    pub engine: terms::Engine,
    pub currencies: Vec<terms::Currency>,
    pub paused: bool,
    pub fee_percentage: Percent,
    pub seed: Amounts,
    pub created_at: Timestamp,
    /// When the next event begins.
    pub next_start: Timestamp,
    /// Whose prices count; empty for anyone's.
    pub sources: Vec<String>,
    /// How far two sources may be apart, in millionths of the first.
    pub tolerance_ppm: u32,
    /// Alerts for an operator, the newest first.
    pub alerts: Vec<Alert>,
}

/// An interval that did not begin or end by itself.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Alert {
    /// The boundary that it is about.
    pub at: Timestamp,
    #[schema(inline)]
    pub reason: terms::SeriesAlert,
}

/// The feeds of this node, and what was last heard of each asset, from whomever.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Assets {
    pub feeds: Vec<FeedState>,
    pub assets: Vec<AssetState>,
}

/// How a feed is.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedState {
    pub name: String,
    #[schema(example = "http")]
    pub kind: String,
    pub symbol: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_value: Option<AssetPrice>,
    /// When it was last recorded.
    pub last_success: OptionalDate,
    /// Why the last round failed; left out while all is well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Rounds that failed since the start.
    pub failures: u64,
}

/// The last price of an asset.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssetState {
    pub symbol: String,
    pub value: AssetPrice,
    pub source: String,
    pub source_time: Timestamp,
    pub recorded_at: Timestamp,
}
