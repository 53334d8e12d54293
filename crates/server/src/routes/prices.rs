//! Prices over time: the history of an event's markets, and candles of one market.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{CandlesQuery, PriceHistoryQuery};
use axum::extract::{Path, Request, State};

use super::paths::{event_id, market_id};
use crate::app::App;
use crate::history::{CandleRange, RetiredName};
use crate::http::{Answered, ok};
use crate::reading::history_failure;
use crate::view;

pub(super) async fn price_history(
    State(app): State<Arc<App>>,
    Path(event): Path<String>,
    request: Request,
) -> Answered {
    let event = event_id(&event)?;
    let query = PriceHistoryQuery::parse(request.uri().query().unwrap_or_default())?;
    let question = {
        let known = app.reading().with_retired(vec![RetiredName::Event(event)]).await?;
        let found = known.first(|exchange| view::event::find(exchange, event));
        let (exchange, index) = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
        view::price_history::plan(exchange, index, &query, app.now())
    };
    let question = question.ok_or_else(|| ErrorBody::not_found("Market not found in this event"))?;
    app.charge_rows(question.ranges.iter().map(CandleRange::spans_max).sum())?;
    let history = app.reading().history_now().await?;
    let found = history.candles(question.ranges.clone()).await.map_err(history_failure)?;
    app.settle_rows(found.iter().map(|found| found.candles.len()).sum());
    ok(&question.answer(&found, &query))
}

pub(super) async fn candles(
    State(app): State<Arc<App>>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let market = market_id(&market)?;
    let query = CandlesQuery::parse(request.uri().query().unwrap_or_default())?;
    app.reading().require_public_market(market).await?;
    let range = view::candle::range(market, &query, app.now());
    app.charge_rows(range.spans_max())?;
    let found = app.reading().history_now().await?.candles(vec![range]).await.map_err(history_failure)?;
    app.settle_rows(found.iter().map(|found| found.candles.len()).sum());
    ok(&view::candle::candles(market, &query, &found.into_iter().next().unwrap_or_default()))
}
