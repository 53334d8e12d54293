//! What a user has: positions and money.

use std::sync::Arc;

use api::query::PortfolioQuery;
use axum::extract::{Request, State};

use crate::app::App;
use crate::http::{Answered, ok};
use crate::view;

pub(super) async fn portfolio(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = PortfolioQuery::parse(request.uri().query().unwrap_or_default())?;
    let portfolio = view::portfolio(&app.shared.read(), reader.user, &query);
    ok(&portfolio)
}

pub(super) async fn wallet_assets(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let assets = view::wallet(&app.shared.read(), reader.user);
    ok(&assets)
}
