//! Executed trades of order books, and on request of pools.

use std::sync::Arc;

use api::query::TradesQuery;
use axum::extract::{Request, State};

use crate::app::App;
use crate::history::RetiredName;
use crate::http::{Answered, ok};
use crate::reading::history_failure;
use crate::view;
use crate::view::pages::window;
use crate::view::words::ToExchange;

pub(super) async fn list_trades(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = TradesQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let window = window(query.pages(), query.after.as_deref())?;
    let outcome = query.outcome_id.map(|id| RetiredName::Outcome(id.to_exchange()));
    let filter =
        view::trade::filter(&app.reading().with_retired(outcome.into_iter().collect()).await?, &query);
    let page = match filter {
        Some(filter) => {
            app.reading().history_now().await?.trades(filter, window).await.map_err(history_failure)?
        }
        None => crate::history::Page::empty(),
    };
    ok(&view::trade::trades(page, query.pages()))
}
