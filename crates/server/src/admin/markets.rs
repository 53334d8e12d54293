//! Markets: the house's money for a pool, and the outcome.

use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use axum::Extension;
use axum::extract::{Path, Request, State};
use exchange::command::Command;
use exchange::id::MarketId;

use super::access::Operating;
use super::answers::EventState;
use super::requests::{ResolveMarket, SeedPool};
use crate::app::App;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, ok};
use crate::view::words::ToExchange;

pub(super) async fn seed_pool(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let market = market_id(&market)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let SeedPool { currency, amount, price } = read(&body)?;
    let (currency, amount, price) = (currency.to_exchange(), amount.to_exchange(), price.to_exchange());
    decide(&app, operating, market, Command::SeedPool { market, currency, amount, price }).await
}

pub(super) async fn resolve_market(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let market = market_id(&market)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let ResolveMarket { outcome } = read(&body)?;
    let outcome = outcome.to_exchange();
    decide(&app, operating, market, Command::ResolveMarket { market, outcome }).await
}

/// Answers with the whole event: in a combined one the siblings may have changed too.
async fn decide(app: &App, operating: Operating, market: MarketId, command: Command) -> Answered {
    app.reply(app.submit(operating.actor(), None, command).await?)?;
    let state = EventState::find_by_market(&app.shared.read(), market);
    ok(&state.ok_or_else(|| Failure::from(ErrorBody::internal()))?)
}

fn market_id(text: &str) -> Result<MarketId, Failure> {
    let id = api::identifier::parse(text).map_err(|_| ErrorBody::not_found("Market not found"))?;
    Ok(id.to_exchange())
}
