//! A user's account: positions, wallets, activities, profit and loss.

use std::sync::Arc;

use api::query::{AccountValueQuery, ActivitiesQuery, PnlQuery, PortfolioQuery, StatementQuery};
use api::timestamp::Timestamp;
use axum::extract::{Request, State};
use exchange::id::EventId;

use crate::app::App;
use crate::history::RetiredName;
use crate::http::charging::OwnerBucket;
use crate::http::{Answered, ok};
use crate::reading::history_failure;
use crate::view;
use crate::view::pages::window;
use crate::view::words::ToExchange;

/// The price of an account's value over time: it reads movements and candles of many markets.
const VALUE_TOKENS: u32 = 5;

pub(super) async fn portfolio(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = PortfolioQuery::parse(request.uri().query().unwrap_or_default())?;
    ok(&app.reading().portfolio(reader.user, &query))
}

pub(super) async fn wallet_assets(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let assets = view::wallet(&app.reading().read_state(), reader.user);
    ok(&assets)
}

pub(super) async fn list_activities(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = ActivitiesQuery::parse(request.uri().query().unwrap_or_default())?;
    let window = window(query.pages(), query.after.as_deref())?;
    let user = app.reading().read_state().directory().user(reader.user).id;
    let group = query.group.map(view::activity::group);
    let history = app.reading().history_now().await?;
    let mut page = history.activities(user, group, window).await.map_err(history_failure)?;
    let rows = app.reading().with_records(user, std::mem::take(&mut page.rows)).await?;
    let markets = rows.iter().map(|row| RetiredName::Market(view::activity::market_of(row))).collect();
    let activities = view::activity::activities(
        &app.reading().with_retired(markets).await?,
        &page.with(rows),
        query.pages(),
    );
    ok(&activities)
}

pub(super) async fn statement(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.private_reader(&request)?;
    let query = StatementQuery::parse(request.uri().query().unwrap_or_default())?;
    let window = window(query.pages(), query.after.as_deref())?;
    let user = app.reading().read_state().directory().user(reader.user).id;
    let history = app.reading().history_now().await?;
    let currency = query.currency.to_exchange();
    let page = history.statement(user, currency, window).await.map_err(history_failure)?;
    let markets = page.rows.iter().filter_map(|row| row.cause.market()).map(RetiredName::Market).collect();
    let known = app.reading().with_retired(markets).await?;
    ok(&view::statement::statement(&known, user, &page, (currency, query.pages())))
}

pub(super) async fn account_value(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.private_reader(&request)?;
    let query = AccountValueQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_items(reader.bucket_owner, OwnerBucket::Read, 1, VALUE_TOKENS)?;
    ok(&app.reading().account_value(reader.user, &query, app.now()).await?)
}

pub(super) async fn pnl(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = PnlQuery::parse(request.uri().query().unwrap_or_default())?;
    let user = app.reading().read_state().directory().user(reader.user).id;
    let span = view::pnl::span(user, &query, Timestamp::from_micros(app.now().micros()));
    let found =
        app.reading().history_now().await?.results(span, query.breakdown).await.map_err(history_failure)?;
    let events: Vec<EventId> = found.events.iter().map(|result| result.event).collect();
    let titles = app.reading().find_titles(&events).await?;
    ok(&view::pnl::pnl(&titles, &found, &query))
}
