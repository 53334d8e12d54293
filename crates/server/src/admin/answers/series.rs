//! Series, and their assets.

use api::Timestamp;
use api::decimal::{AssetPrice, Percent};
use api::terms;
use api::timestamp::OptionalDate;
use exchange::Exchange;
use exchange::catalogue::{RaisedAlert, Series};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::requests::Amounts;
use crate::feeds::FeedStatus;
use crate::view::words::ToApi;

/// All series, in the order of their slugs.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeriesRows {
    pub series: Vec<SeriesState>,
}

/// Something that makes an event at every interval.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesState {
    series_id: Uuid,
    slug: String,
    display_name: String,
    category: terms::SeriesCategory,
    interval: terms::IntervalType,
    asset_symbol: String,
    engine: terms::Engine,
    currencies: Vec<terms::Currency>,
    paused: bool,
    fee_percentage: Percent,
    seed: Amounts,
    created_at: Timestamp,
    /// When the next event begins.
    next_start: Timestamp,
    /// Whose prices count; empty for anyone's.
    sources: Vec<String>,
    /// How far two sources may be apart, in millionths of the first.
    tolerance_ppm: u32,
    /// Alerts for an operator, the newest first.
    alerts: Vec<Alert>,
}

/// An interval that did not begin or end by itself.
#[derive(Debug, Serialize, ToSchema)]
struct Alert {
    /// The boundary that it is about.
    at: Timestamp,
    #[schema(inline)]
    reason: terms::SeriesAlert,
}

impl SeriesState {
    pub fn of(series: &Series) -> SeriesState {
        let terms = &series.terms;
        SeriesState {
            series_id: terms.id.to_api(),
            slug: terms.slug.to_string(),
            display_name: terms.display_name.to_string(),
            category: terms.category.to_api(),
            interval: terms.interval.to_api(),
            asset_symbol: terms.asset_symbol.to_string(),
            engine: terms.engine.to_api(),
            currencies: terms.currencies.iter().map(|currency| currency.to_api()).collect(),
            paused: series.paused,
            fee_percentage: terms.market.fee_rate.to_api(),
            seed: Amounts::of(&terms.seed),
            created_at: series.created_at.to_api(),
            next_start: series.next_start.to_api(),
            sources: terms.sources.iter().map(ToString::to_string).collect(),
            tolerance_ppm: terms.tolerance_ppm,
            alerts: series.alerts.iter().rev().map(Alert::of).collect(),
        }
    }
}

impl Alert {
    fn of(raised: &RaisedAlert) -> Alert {
        Alert { at: raised.at.to_api(), reason: raised.reason.to_api() }
    }
}

/// The feeds of this node, and what was last heard of each asset, from whomever.
#[derive(Debug, Serialize, ToSchema)]
pub struct Assets {
    feeds: Vec<FeedState>,
    assets: Vec<AssetState>,
}

/// How a feed is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FeedState {
    name: String,
    #[schema(example = "http")]
    kind: String,
    symbol: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_value: Option<AssetPrice>,
    /// When it was last recorded.
    last_success: OptionalDate,
    /// Why the last round failed; left out while all is well.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    /// Rounds that failed since the start.
    failures: u64,
}

impl FeedState {
    fn of(status: FeedStatus) -> FeedState {
        FeedState {
            name: status.name.to_string(),
            kind: status.kind.to_string(),
            symbol: status.symbol.to_string(),
            last_value: status.last_value.map(ToApi::to_api),
            last_success: status.last_success.to_api(),
            last_error: status.last_error,
            failures: status.failures,
        }
    }
}

/// The last price of an asset.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AssetState {
    symbol: String,
    value: AssetPrice,
    source: String,
    source_time: Timestamp,
    recorded_at: Timestamp,
}

impl Assets {
    pub fn of(exchange: &Exchange, feeds: Vec<FeedStatus>) -> Assets {
        let last = exchange.catalogue().assets().iter().filter_map(|(symbol, samples)| {
            let sample = samples.last()?;
            Some(AssetState {
                symbol: symbol.to_string(),
                value: sample.value.to_api(),
                source: sample.source.to_string(),
                source_time: sample.source_time.to_api(),
                recorded_at: sample.at.to_api(),
            })
        });
        Assets { feeds: feeds.into_iter().map(FeedState::of).collect(), assets: last.collect() }
    }
}
