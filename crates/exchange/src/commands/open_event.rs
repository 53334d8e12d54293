//! `OpenEvent`: opens all draft markets for trading and sets the closing timer.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::require;
use crate::catalogue::{Action, Engine, EventLink};
use crate::command::Target;
use crate::exchange::Exchange;
use crate::id::EventId;
use crate::index::{EventIndex, ListingIndex, MarketIndex};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OpenEvent {
    #[n(0)]
    pub event: EventId,
}

impl Exchange {
    pub(crate) fn open_event(&mut self, _: Caller, command: &OpenEvent) -> Result<Reply, Reject> {
        let OpenEvent { event } = *command;
        let (event, markets) = self.find_targets(Target::Event(event), Action::Open)?;
        let closing_date = self.catalogue.event(event).details.closing_date;
        require(closing_date.is_none_or(|date| date > self.now), "closing_date", "lies in the future")?;
        if self.since(4)
            && let EventLink::Game { game, .. } = self.catalogue.event(event).link
            && self
                .catalogue
                .sports
                .games
                .get(&game)
                .is_some_and(|game| game.has_begun() || game.start <= self.now)
        {
            return Err(Reject::GameOver);
        }
        if self.catalogue.event(event).engine == Engine::Amm && !self.pools_are_seeded(event, &markets) {
            return Err(Reject::PoolNotSeeded);
        }
        self.move_markets(event, &markets, Action::Open);
        Ok(Reply::Done)
    }

    fn pools_are_seeded(&self, event: EventIndex, markets: &[MarketIndex]) -> bool {
        let currencies = &self.catalogue.event(event).currencies;
        let seeded = |listing| self.catalogue.listing(listing).pool().is_some();
        markets
            .iter()
            .all(|market| currencies.iter().all(|currency| seeded(ListingIndex::new(*market, *currency))))
    }
}
