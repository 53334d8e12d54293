//! Executed trades of order books, and on request of pools.

use std::sync::Arc;

use api::query::TradesQuery;
use api::response::Trades;

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::{Page, RetiredName};
use crate::reading::{Reading, history_failure};
use crate::view;
use crate::view::pages::window;
use crate::view::words::ToExchange;

pub(super) struct TradeEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl TradeEndpoints {
    pub(super) fn list_trades(&self, call: &Call<'_>, query: TradesQuery) -> Result<Next<Trades>, Failure> {
        call.meter.charge_rows(query.pages().size as usize)?;
        let window = window(query.pages(), query.after.as_deref())?;
        let outcome = query.outcome_id.map(|id| RetiredName::Outcome(id.to_exchange()));
        let reading = self.reading.clone();
        Ok(Next::later(async move {
            let filter = {
                let known = reading.with_retired(outcome.into_iter().collect()).await?;
                view::trade::filter(&known, &query)
            };
            let page = match filter {
                Some(filter) => {
                    reading.history_now().await?.trades(filter, window).await.map_err(history_failure)?
                }
                None => Page::empty(),
            };
            Ok(view::trade::trades(page, query.pages()))
        }))
    }
}
