//! `CreateEvent`: a draft with its markets, each listed in both currencies.
//!
//! Series and games make their events through the same two steps: `check_new_event`, then `make_event`.

use crate::authority::Caller;
use crate::catalogue::checks::{invalid, require};
use crate::catalogue::{
    Engine, Event, EventLink, Listing, Market, MarketDetails, NewEvent, NewMarket, Status, Venue,
};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::index::{EventIndex, MarketIndex};
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn create_event(&mut self, _: Caller, new: &NewEvent) -> Result<Reply, Reject> {
        if let EventLink::Series { .. } = new.link {
            return Err(invalid("link", "is no series: a series makes its events itself"));
        }
        self.check_new_event(new)?;
        self.make_event(new.clone());
        Ok(Reply::Done)
    }

    /// Whether this event could be made now.
    pub(crate) fn check_new_event(&self, new: &NewEvent) -> Result<(), Reject> {
        new.check(self.now)?;
        if let EventLink::Game { game, .. } = new.link
            && !self.catalogue.sports.games.contains_key(&game)
        {
            return Err(Reject::GameNotFound);
        }
        new.markets.iter().try_for_each(|market| self.check_prop(&market.details))?;
        if self.catalogue.find_event(new.id).is_some() || self.names_a_market_twice(&new.markets) {
            return Err(Reject::DuplicateId);
        }
        match self.catalogue.find_event_by_slug(&new.slug) {
            Some(_) => Err(Reject::DuplicateSlug),
            None => Ok(()),
        }
    }

    fn names_a_market_twice(&self, markets: &[NewMarket]) -> bool {
        let mut ids: Vec<_> = markets.iter().map(|market| market.id).collect();
        ids.sort_unstable();
        ids.windows(2).any(|pair| pair[0] == pair[1])
            || ids.iter().any(|market| self.catalogue.find_market(*market).is_some())
    }

    /// A prop's line is a real one, and its team is known.
    pub(crate) fn check_prop(&self, details: &MarketDetails) -> Result<(), Reject> {
        let Some(prop) = details.prop else { return Ok(()) };
        let line = prop.line.unwrap_or_default();
        require((0..=100_000).contains(&line), "prop line", "lies between 0 and 1000")?;
        match prop.team {
            Some(team) if !self.catalogue.sports.teams.contains_key(&team) => Err(Reject::TeamNotFound),
            _ => Ok(()),
        }
    }

    /// Puts a checked event into the catalogue, as a draft.
    pub(crate) fn make_event(&mut self, new: NewEvent) -> EventIndex {
        let first = self.catalogue.markets.len();
        let event = self.catalogue.add_event(Event {
            id: new.id,
            slug: new.slug,
            kind: new.kind,
            engine: new.engine,
            currencies: new.currencies,
            details: new.details,
            link: new.link,
            status: Status::Draft,
            markets: (first..first + new.markets.len()).map(MarketIndex::from_slot).collect(),
            created_at: self.now,
            resolved_at: None,
            threshold: None,
            close_value: None,
            open_samples: Vec::new(),
            close_samples: Vec::new(),
            is_result_proposed: false,
            resolutions: Vec::new(),
        });
        for NewMarket { id, details } in new.markets {
            let market = Market { id, event, status: Status::Draft, details, settlement: None };
            let listing = || Listing::new(new_venue(new.engine));
            self.catalogue.add_market(market, [listing(), listing()]);
            self.ledger.add_market();
        }
        self.changes.push(Change::EventCreated { event: new.id });
        event
    }
}

fn new_venue(engine: Engine) -> Venue {
    match engine {
        Engine::Clob => Venue::Book(Box::default()),
        Engine::Amm => Venue::Pool(None),
    }
}
