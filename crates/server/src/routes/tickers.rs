//! The ticker of an outcome.

use std::sync::Arc;

use api::error::ErrorBody;
use api::identifier;
use api::query::TickerQuery;
use api::response::Ticker;
use axum::extract::{Path, Request, State};
use exchange::id::MarketId;

use crate::app::App;
use crate::history::RetiredName;
use crate::http::{Answered, Failure, ok};
use crate::reading::history_failure;
use crate::view;
use crate::view::ticker::NoTicker;

pub(super) async fn get_ticker(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    ok(&find_ticker(&app, &id, request.uri().query()).await?)
}

pub(super) async fn find_ticker(app: &App, id: &str, query: Option<&str>) -> Result<Ticker, Failure> {
    // A malformed id names no market.
    let id = identifier::parse(id).map_err(|_| refusal(NoTicker::MarketNotFound))?;
    let query = TickerQuery::parse(query.unwrap_or_default())?;
    let market = MarketId::new(id.as_u128());
    let now = app.now();
    let needed = {
        let known = app.reading().with_retired(vec![RetiredName::Market(market)]).await?;
        let exchange = known.market(market).ok_or_else(|| refusal(NoTicker::MarketNotFound))?.0;
        view::ticker::minutes_needed(exchange, market, &query, now).map_err(refusal)?
    };
    let minutes = match needed {
        Some(range) => {
            app.reading().history_now().await?.candles(vec![range]).await.map_err(history_failure)?
        }
        None => Vec::new(),
    };
    let ticker = {
        let known = app.reading().with_retired(vec![RetiredName::Market(market)]).await?;
        let exchange = known.market(market).ok_or_else(|| refusal(NoTicker::MarketNotFound))?.0;
        view::ticker(exchange, market, &query, now, minutes.first())
    };
    Ok(ticker.map_err(refusal)?)
}

fn refusal(reason: NoTicker) -> ErrorBody {
    match reason {
        NoTicker::MarketNotFound => ErrorBody::not_found("Market not found"),
        NoTicker::OutcomeElsewhere => ErrorBody::bad_request("outcomeId: is not an outcome of this market"),
        NoTicker::NotOnABook => ErrorBody::bad_request("This market trades against a pool: it has no ticker"),
    }
}
