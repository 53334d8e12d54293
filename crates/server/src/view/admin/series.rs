//! Series, and their assets.

use api::admin::response::{Alert, AssetState, SeriesState};
use exchange::Exchange;
use exchange::catalogue::{RaisedAlert, Series};

use super::amounts;
use crate::view::words::ToApi;

pub fn series_state(series: &Series) -> SeriesState {
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
        seed: amounts(&terms.seed),
        created_at: series.created_at.to_api(),
        next_start: series.next_start.to_api(),
        sources: terms.sources.iter().map(ToString::to_string).collect(),
        tolerance_ppm: terms.tolerance_ppm,
        alerts: series.alerts.iter().rev().map(alert).collect(),
    }
}

fn alert(raised: &RaisedAlert) -> Alert {
    Alert { at: raised.at.to_api(), reason: raised.reason.to_api() }
}

/// The latest price of each asset.
pub fn assets(exchange: &Exchange) -> Vec<AssetState> {
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
    last.collect()
}
