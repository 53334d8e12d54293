//! Prices over time: the history of an event's markets, candles of one market, and prices of an asset.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{AssetPricesQuery, CandlesQuery, PriceHistoryQuery};
use axum::extract::{Path, Request, State};
use exchange::text::Text;

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
    let most: usize = question.ranges.iter().map(CandleRange::spans_max).sum();
    app.charge_rows(most)?;
    let history = app.reading().history_now().await?;
    let found = history.candles(question.ranges.clone()).await.map_err(history_failure)?;
    app.settle_rows(most, found.iter().map(|found| found.candles.len()).sum());
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
    let most = range.spans_max();
    app.charge_rows(most)?;
    let found = app.reading().history_now().await?.candles(vec![range]).await.map_err(history_failure)?;
    app.settle_rows(most, found.iter().map(|found| found.candles.len()).sum());
    ok(&view::candle::candles(market, &query, &found.into_iter().next().unwrap_or_default()))
}

pub(super) async fn asset_prices(
    State(app): State<Arc<App>>,
    Path(symbol): Path<String>,
    request: Request,
) -> Answered {
    let query = AssetPricesQuery::parse(request.uri().query().unwrap_or_default())?;
    let symbol = Text::from(symbol);
    let range = view::asset_price::range(&symbol, &query, app.now());
    let most = view::asset_price::count_max(&range);
    app.charge_rows(most)?;
    let last = {
        let exchange = app.reading().read_state();
        if !app.feeds().is_priced(&exchange, &symbol) {
            return Err(ErrorBody::not_found("Asset not found").into());
        }
        view::asset_price::last(&exchange, &range)
    };
    let history = app.reading().history_now().await?;
    let stored = history.asset_prices(range).await.map_err(history_failure)?;
    app.settle_rows(most, stored.len());
    ok(&view::asset_price::asset_prices(&symbol, &stored, last))
}
