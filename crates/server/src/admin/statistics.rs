//! Totals of the venue over time, from history.

use std::sync::Arc;

use api::admin::query::StatisticsQuery;
use axum::extract::{Request, State};
use http::HeaderMap;

use super::answers;
use crate::app::App;
use crate::history::{RetiredName, StatisticsSpan};
use crate::http::caching::{Freshness, ok_tagged};
use crate::http::{Answered, ok};
use crate::reading::history_failure;
use crate::routes::solvency::latest;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn statistics(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = StatisticsQuery::parse(request.uri().query().unwrap_or_default())?;
    let bounds = query.bounds(app.now().to_api())?;
    let span = StatisticsSpan {
        currency: query.currency.to_exchange(),
        bounds: bounds.iter().map(|bound| bound.to_exchange()).collect(),
    };
    let found = app.reading().history_now().await?.statistics(span).await.map_err(history_failure)?;
    let names = found.pools.iter().map(|pool| RetiredName::Market(pool.market)).collect();
    let known = app.reading().with_retired(names).await?;
    ok(&answers::statistics(&known, &query, &bounds, &found))
}

/// The proof of solvency, as the public may read it too.
pub(super) async fn solvency(State(app): State<Arc<App>>, headers: HeaderMap) -> Answered {
    let published = latest(app.reading()).await?;
    ok_tagged(&headers, Freshness::Live, &published.solvency)
}
