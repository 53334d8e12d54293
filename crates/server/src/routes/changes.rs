//! Changes of a market or of the caller's account, for clients without a WebSocket.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{ChangesQuery, MarketChangesQuery};
use axum::extract::{Path, Request, State};

use super::paths::market_id;
use crate::app::App;
use crate::history::RetiredName;
use crate::http::charged::decimals;
use crate::http::{Answered, Failure, json_bytes};
use crate::reading::note_sequence;
use crate::streams::{ChangesPage, NoChanges};
use crate::view::words::ToExchange;

pub(super) async fn market_changes(
    State(app): State<Arc<App>>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let market = market_id(&market)?;
    let query = MarketChangesQuery::parse(request.uri().query().unwrap_or_default())?;
    app.reading().require_public_market(market).await?;
    let shelf = app.reading().shelf_of(vec![RetiredName::Market(market)]).await?;
    let (currency, page) = (query.currency.to_exchange(), query.page());
    let found = app.streams().market_changes(market, currency, &shelf, &page, || app.is_draining()).await;
    let found = found.map_err(refusal)?;
    // The number of rows is known only now; the response has not been written yet.
    app.charge_rows(found.len())?;
    answer(found)
}

pub(super) async fn account_changes(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = ChangesQuery::parse(request.uri().query().unwrap_or_default())?;
    let user = app.reading().state().directory().user(reader.user).id;
    let found = app.streams().account_changes(user, &query, || app.is_draining()).await;
    // The key may have been revoked while the request waited.
    app.viewer(request.headers())?;
    answer(found.map_err(refusal)?)
}

fn answer(page: ChangesPage) -> Answered {
    note_sequence(page.head);
    Ok(json_bytes(200, page.into_json(decimals())))
}

fn refusal(reason: NoChanges) -> Failure {
    match reason {
        NoChanges::NoSubject => ErrorBody::not_found("Market not found").into(),
        NoChanges::Behind => ErrorBody::unavailable("The streams are too far behind", 1).into(),
    }
}
