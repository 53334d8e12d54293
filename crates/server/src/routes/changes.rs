//! Changes of a market or of the caller's account, for clients without a WebSocket.

use std::sync::Arc;

use api::error::ErrorBody;
use api::json::Decimals;
use api::query::{ChangesQuery, MarketChangesQuery};
use api::response::{AccountChangeList, MarketChangeList};

use super::paths::market_id;
use crate::access::Access;
use crate::app::Condition;
use crate::edge::answer::Written;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::{Reading, note_sequence};
use crate::streams::{ChangesPage, NoChanges, Streams};
use crate::view::words::ToExchange;

pub(super) struct ChangeEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) streams: Arc<Streams>,
    pub(super) access: Arc<Access>,
    pub(super) condition: Arc<Condition>,
}

impl ChangeEndpoints {
    pub(super) fn market_changes(
        &self,
        call: &Call<'_>,
        query: MarketChangesQuery,
    ) -> Result<Next<Written<MarketChangeList>>, Failure> {
        let market = market_id(call.path(0))?;
        let (reading, streams, condition) =
            (self.reading.clone(), self.streams.clone(), self.condition.clone());
        let meter = call.meter.clone();
        Ok(Next::later(async move {
            reading.require_public_market(market).await?;
            let shelf = reading.shelf_of(vec![RetiredName::Market(market)]).await?;
            let (currency, page) = (query.currency.to_exchange(), query.page());
            let is_over = || condition.is_draining();
            let found = streams.market_changes(market, currency, &shelf, &page, is_over).await;
            let found = found.map_err(refusal)?;
            // The number of rows is known only now; the response has not been written yet.
            meter.charge_rows(found.len())?;
            Ok(answer(found, meter.decimals()))
        }))
    }

    pub(super) fn account_changes(
        &self,
        call: &Call<'_>,
        query: ChangesQuery,
    ) -> Result<Next<Written<AccountChangeList>>, Failure> {
        let caller = call.caller();
        let user = self.reading.state().directory().user(caller.user).id;
        let (streams, access, condition) =
            (self.streams.clone(), self.access.clone(), self.condition.clone());
        let (now, decimals) = (call.meter.unix_seconds(), call.meter.decimals());
        Ok(Next::later(async move {
            let found = streams.account_changes(user, &query, || condition.is_draining()).await;
            // The key may have been revoked while the request waited.
            if !access.is_valid(caller.actor) {
                let message = "X-Public-Key is not a key of an active account";
                return Err(ErrorBody::unauthorized(message, "unknown_key", now).into());
            }
            found.map(|page| answer(page, decimals)).map_err(refusal)
        }))
    }
}

fn answer<A>(page: ChangesPage, decimals: Decimals) -> Written<A> {
    note_sequence(page.head);
    Written::new(page.into_json(decimals))
}

fn refusal(reason: NoChanges) -> Failure {
    match reason {
        NoChanges::NoSubject => ErrorBody::not_found("Market not found").into(),
        NoChanges::Behind => ErrorBody::unavailable("The streams are too far behind", 1).into(),
    }
}
