//! `CreateEvent`: creates a draft with its markets, each listed in both currencies.
//!
//! Series and games create their events with the same two steps: `check_new_event`, then `make_event`.

use crate::authority::Caller;
use crate::catalogue::checks::{invalid, require};
use crate::catalogue::{
    Engine, Event, EventLink, Listing, Market, MarketDetails, NewEvent, NewMarket, Status, Venue,
};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::index::{EventIndex, MarketIndex};
use crate::numbers::Currency;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn create_event(&mut self, _: Caller, new: &NewEvent) -> Result<Reply, Reject> {
        if let EventLink::Series { .. } = new.link {
            return Err(invalid("link", "is no series: a series makes its events itself"));
        }
        self.check_not_reserved(new)?;
        self.check_new_event(new)?;
        self.make_event(new.clone());
        Ok(Reply::Done)
    }

    /// Names of series events are reserved, also those of retired ones, which memory does not keep.
    fn check_not_reserved(&self, new: &NewEvent) -> Result<(), Reject> {
        let of_series = |slug: &str, start: &str| {
            let is_start = !start.is_empty() && start.bytes().all(|byte| byte.is_ascii_digit());
            is_start && self.catalogue.find_series_by_slug(slug).is_some()
        };
        let is_taken = new.slug.rsplit_once('-').is_some_and(|(slug, start)| of_series(slug, start));
        require(!is_taken, "slug", "is no series' slug with digits behind it: those are its events'")?;
        let are_given = !new.id.is_derived() && new.markets.iter().all(|market| !market.id.is_derived());
        require(are_given, "id", "is no version 8 UUID: those are derived from others")
    }

    /// Whether this event could be created now.
    pub(crate) fn check_new_event(&self, new: &NewEvent) -> Result<(), Reject> {
        new.check(self.now)?;
        if let EventLink::Game { game, .. } = new.link
            && !self.catalogue.sports.games.contains_key(&game)
        {
            return Err(Reject::GameNotFound);
        }
        new.markets.iter().try_for_each(|market| self.check_prop(&market.details))?;
        let retired = &self.catalogue.retired;
        let is_known = self.catalogue.find_event(new.id).is_some() || retired.has_id(new.id);
        if is_known || self.names_a_market_twice(&new.markets) {
            return Err(Reject::DuplicateId);
        }
        if self.catalogue.find_event_by_slug(&new.slug).is_some() || retired.has_slug(&new.slug) {
            return Err(Reject::DuplicateSlug);
        }
        Ok(())
    }

    fn names_a_market_twice(&self, markets: &[NewMarket]) -> bool {
        let mut ids: Vec<_> = markets.iter().map(|market| market.id).collect();
        ids.sort_unstable();
        ids.windows(2).any(|pair| pair[0] == pair[1])
            || ids.iter().any(|market| self.catalogue.find_market(*market).is_some())
    }

    /// Checks that a prop's line is valid and its team exists.
    pub(crate) fn check_prop(&self, details: &MarketDetails) -> Result<(), Reject> {
        let Some(prop) = details.prop else { return Ok(()) };
        let line = prop.line.unwrap_or_default();
        require((0..=100_000).contains(&line), "prop line", "lies between 0 and 1000")?;
        match prop.team {
            Some(team) if !self.catalogue.sports.teams.contains_key(&team) => Err(Reject::TeamNotFound),
            _ => Ok(()),
        }
    }

    /// Adds a checked event to the catalogue, as a draft.
    pub(crate) fn make_event(&mut self, new: NewEvent) -> EventIndex {
        let first = self.catalogue.next_market().slot();
        let serial = self.catalogue.next_event_serial;
        self.catalogue.next_event_serial += 1;
        if let EventLink::Game { game, .. } = new.link {
            self.catalogue.ended_games.remove(game);
            self.arm_retirement();
        }
        let event = self.catalogue.add_event(Event {
            id: new.id,
            serial,
            slug: new.slug,
            kind: new.kind,
            engine: new.engine,
            currencies: new.currencies.clone(),
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
            edited_at: None,
            never_opened: false,
        });
        for NewMarket { id, details } in new.markets {
            let market =
                Market { id, event, status: Status::Draft, details, settlement: None, announced: None };
            let venue = |currency| match new.currencies.contains(&currency) {
                true => new_venue(new.engine),
                false => Venue::Idle,
            };
            self.catalogue.add_market(market, Currency::ALL.map(|currency| Listing::new(venue(currency))));
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
