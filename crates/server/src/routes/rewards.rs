//! Rewards for liquidity and rebates for makers. The exchange pays neither yet, so all four lists are empty.

use std::sync::Arc;

use api::query::RewardsQuery;
use api::response::{ActiveLiquidityRewards, ActiveMakerRebates, LiquidityRewards, MakerRebates, Pagination};
use axum::extract::{Request, State};

use crate::app::App;
use crate::http::{Answered, Failure, ok};

pub(super) async fn list_liquidity_rewards(State(app): State<Arc<App>>, request: Request) -> Answered {
    ok(&LiquidityRewards { data: Vec::new(), pagination: empty_page(&app, &request)? })
}

pub(super) async fn list_active_liquidity_rewards(State(app): State<Arc<App>>, request: Request) -> Answered {
    app.reader(request.headers())?;
    ok(&ActiveLiquidityRewards { data: Vec::new() })
}

pub(super) async fn list_maker_rebates(State(app): State<Arc<App>>, request: Request) -> Answered {
    ok(&MakerRebates { data: Vec::new(), pagination: empty_page(&app, &request)? })
}

pub(super) async fn list_active_maker_rebates(State(app): State<Arc<App>>, request: Request) -> Answered {
    app.reader(request.headers())?;
    ok(&ActiveMakerRebates { data: Vec::new() })
}

fn empty_page(app: &App, request: &Request) -> Result<Pagination, Failure> {
    app.reader(request.headers())?;
    let query = RewardsQuery::parse(request.uri().query().unwrap_or_default())?;
    Ok(Pagination::new(query.pages(), 0))
}
