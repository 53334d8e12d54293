//! The ticker of an outcome.

use std::sync::Arc;

use api::error::ErrorBody;
use api::identifier;
use api::query::TickerQuery;
use api::response::Ticker;
use exchange::id::MarketId;

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::{Reading, history_failure};
use crate::view;
use crate::view::ticker::NoTicker;

pub(super) struct TickerEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl TickerEndpoints {
    pub(super) fn get_ticker(&self, call: &Call<'_>, query: TickerQuery) -> Result<Next<Ticker>, Failure> {
        // A malformed id names no market.
        let id = identifier::parse(call.path(0)).map_err(|_| refusal(NoTicker::MarketNotFound))?;
        let (market, now, reading) = (MarketId::new(id.as_u128()), call.now, self.reading.clone());
        Ok(Next::later(async move {
            let needed = {
                let known = reading.with_retired(vec![RetiredName::Market(market)]).await?;
                let exchange = known.market(market).ok_or_else(|| refusal(NoTicker::MarketNotFound))?.0;
                view::ticker::minutes_needed(exchange, market, &query, now).map_err(refusal)?
            };
            let minutes = match needed {
                Some(range) => {
                    reading.history_now().await?.candles(vec![range]).await.map_err(history_failure)?
                }
                None => Vec::new(),
            };
            let known = reading.with_retired(vec![RetiredName::Market(market)]).await?;
            let exchange = known.market(market).ok_or_else(|| refusal(NoTicker::MarketNotFound))?.0;
            let ticker = view::ticker(exchange, market, &query, now, minutes.first());
            ticker.map_err(|reason| refusal(reason).into())
        }))
    }
}

fn refusal(reason: NoTicker) -> ErrorBody {
    match reason {
        NoTicker::MarketNotFound => ErrorBody::not_found("Market not found"),
        NoTicker::OutcomeElsewhere => ErrorBody::bad_request("outcomeId: is not an outcome of this market"),
        NoTicker::NotOnABook => ErrorBody::bad_request("This market trades against a pool: it has no ticker"),
    }
}
