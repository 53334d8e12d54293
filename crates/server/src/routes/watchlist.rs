//! Watching events.

use std::sync::Arc;

use api::response::Watched;
use exchange::command::{Command, SetWatchlist};

use super::paths::event_id;
use crate::edge::answer::{Answer, Written};
use crate::edge::{Authorised, Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::Reading;
use crate::writing::Writing;

pub(super) struct WatchlistEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) writing: Arc<Writing>,
}

impl WatchlistEndpoints {
    pub(super) fn watch_event(&self, call: &Call<'_>) -> Result<Next<Written<Watched>>, Failure> {
        self.set(call, true)
    }

    pub(super) fn unwatch_event(&self, call: &Call<'_>) -> Result<Next<Written<Watched>>, Failure> {
        self.set(call, false)
    }

    fn set(&self, call: &Call<'_>, watched: bool) -> Result<Next<Written<Watched>>, Failure> {
        let event = event_id(call.path(0))?;
        let command = move |is_retired| Command::SetWatchlist(SetWatchlist { event, watched, is_retired });
        let ended = {
            let exchange = self.reading.state();
            let catalogue = exchange.catalogue();
            catalogue.find_event(event).map(|index| catalogue.event(index).status.is_final())
        };
        // An ended event may leave memory before the command applies.
        if let Some(ended) = ended {
            return Ok(Next::Write(1, command(ended)));
        }
        // The exchange has forgotten retired events, so history says whether there was such an event.
        let decimals = call.meter.decimals();
        let (reading, writing, authorised) = (self.reading.clone(), self.writing.clone(), call.authorised());
        Ok(Next::later(async move {
            let shelf = reading.shelf_of(vec![RetiredName::Event(event)]).await?;
            let is_retired = shelf.catalogue().find_event(event).is_some();
            let Authorised { caller, idempotency, .. } = authorised;
            let open =
                writing.begin(caller.user, caller.actor, idempotency, command(is_retired), decimals)?;
            writing.carry_out(open).await.map(Answer::of_write)
        }))
    }
}
