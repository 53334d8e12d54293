//! `EditEvent`: changes texts, dates and terms of a draft. Once opened, an event cannot be edited: people traded on it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::require;
use crate::catalogue::{EventDetails, Status};
use crate::change::Change;
use crate::command::MarketEdit;
use crate::exchange::Exchange;
use crate::id::EventId;
use crate::index::{EventIndex, MarketIndex};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct EditEvent {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub details: EventDetails,
    #[n(2)]
    pub markets: Vec<MarketEdit>,
    /// The sequence of the last edit that these details were made over; 0 for a draft that was never edited. From rules 4
    /// on.
    #[n(3)]
    pub over: Option<u64>,
}

impl Exchange {
    pub(crate) fn edit_event(&mut self, _: Caller, command: &EditEvent) -> Result<Reply, Reject> {
        let &EditEvent { event, ref details, ref markets, over } = command;
        details.check(self.now)?;
        check_edits(markets)?;
        let index = self.catalogue.find_event(event).ok_or(Reject::EventNotFound)?;
        let edited = self.find_edited(index, markets)?;
        let last = self.catalogue.event(index).edited_at.unwrap_or(0);
        if over.is_some_and(|over| over != last) {
            return Err(Reject::EditedMeanwhile);
        }

        let edited_at = self.since(4).then_some(self.seq);
        let found = self.catalogue.event_mut(index);
        (found.details, found.edited_at) = (details.clone(), edited_at);
        for (market, edit) in edited.into_iter().zip(markets) {
            self.catalogue.set_market_details(market, edit.details.clone());
        }
        self.changes.push(Change::EventEdited { event });
        Ok(Reply::Done)
    }

    /// Finds the named markets: drafts of this event.
    fn find_edited(&self, event: EventIndex, markets: &[MarketEdit]) -> Result<Vec<MarketIndex>, Reject> {
        let mut edited = Vec::new();
        for edit in markets {
            let market = self.catalogue.find_market(edit.market);
            let own = market.filter(|market| self.catalogue.market(*market).event == event);
            edited.push(own.ok_or(Reject::MarketNotFound)?);
            self.check_prop(&edit.details)?;
        }
        let is_draft = |market: &MarketIndex| self.catalogue.market(*market).status == Status::Draft;
        if self.catalogue.event(event).status != Status::Draft || !edited.iter().all(is_draft) {
            return Err(Reject::NotDraft);
        }
        Ok(edited)
    }
}

fn check_edits(markets: &[MarketEdit]) -> Result<(), Reject> {
    for (place, edit) in markets.iter().enumerate() {
        let earlier = &markets[..place];
        require(
            earlier.iter().all(|other| other.market != edit.market),
            "markets",
            "names each market once",
        )?;
        edit.details.check()?;
    }
    Ok(())
}
