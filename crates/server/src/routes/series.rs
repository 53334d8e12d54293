//! Series, and the recent events of one.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::SeriesQuery;
use axum::extract::{Path, Request, State};
use http::HeaderMap;

use crate::app::App;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_tagged};
use crate::view;

pub(super) async fn list_series(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = SeriesQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let series = view::series::series_list(&app.reading().read_state(), &query);
    ok_tagged(request.headers(), Freshness::Slow, &series)
}

pub(super) async fn list_lean_events(
    State(app): State<Arc<App>>,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Answered {
    let wanted = view::series::recent_events(&app.reading().read_state(), &slug);
    let wanted = wanted.ok_or_else(|| ErrorBody::not_found("Series not found"))?;
    let found = app.find_events(&wanted).await?;
    let events = view::series::lean_events(&app.reading().with_page_events(&found).await?, &found);
    // A new event opens on the second: a cached response would still show the previous one.
    ok_tagged(&headers, Freshness::Live, &events)
}
