//! Quotes: the result that a trade would have now.

use std::sync::Arc;

use api::request;
use api::response::Quote;
use exchange::reject::Reject;

use super::paths::order_path;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::Reading;
use crate::view;
use crate::writing::Writing;

pub(super) struct QuoteEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) writing: Arc<Writing>,
}

impl QuoteEndpoints {
    pub(super) fn quote(&self, call: &Call<'_>, quote: request::Quote) -> Result<Next<Quote>, Failure> {
        let path = order_path(call.path(0), call.path(1))?;
        let asked = view::command::quote(call.viewer()?, path, &quote);
        // The rules refuse it themselves where they stopped orders; they know nothing of a clock.
        if asked.terms.is_some() && self.writing.is_cancel_only() {
            return Err(self.writing.refuse(&Reject::CancelOnly));
        }
        let quoted = view::quote(&self.reading.read_state(), &asked);
        if !matches!(quoted, Err(Reject::OutcomeNotFound | Reject::EventNotFound | Reject::MarketNotFound)) {
            return quoted.map(Next::from).map_err(|reject| self.writing.refuse(&reject));
        }
        let (reading, writing) = (self.reading.clone(), self.writing.clone());
        Ok(Next::later(async move {
            let names = vec![RetiredName::Outcome(asked.outcome), RetiredName::Event(path.event)];
            let known = reading.with_retired(names).await?;
            let quoted = match known.outcome(asked.outcome) {
                Some((exchange, _)) => view::quote(exchange, &asked),
                None => quoted,
            };
            quoted.map_err(|reject| writing.refuse(&reject))
        }))
    }
}
