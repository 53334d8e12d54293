//! Retirement: an event that ended longer ago than the policy's limit leaves memory. The reported change contains
//! everything that a reader could see; from then on the event is read from history.
//!
//! One timer is set for the event that ended first. The limit is positive, so no request retires an event that it ended
//! itself: any market that a request reports can be looked up afterwards, or is in `EventRetired`.

use std::sync::Arc;

use crate::catalogue::{EventLink, RetiredEvent, RetiredListing, RetiredMarket};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::index::{EventIndex, ListingIndex};
use crate::numbers::{Currency, Money};
use crate::time::{Span, Time};
use crate::timers::TimerKind;

/// Events retired per request. After the limit was shortened, later requests retire the rest.
const RETIRED_AT_ONCE: usize = 100;

impl Exchange {
    /// When an event ended: when its last market was settled. `None` until then.
    pub(crate) fn ended_at(&self, index: EventIndex) -> Option<Time> {
        let event = self.catalogue.event(index);
        let settled_at = |market: &_| self.catalogue.market(*market).settlement.map(|settled| settled.at);
        let times: Option<Vec<Time>> = event.markets.iter().map(settled_at).collect();
        times?.into_iter().max().filter(|_| event.status.is_final())
    }

    fn retirement_age(&self) -> Span {
        Span::seconds(self.governance.policy.retire_after_seconds.into())
    }

    /// Sets the timer to the next retirement, unless it is set to that already.
    pub(crate) fn arm_retirement(&mut self) {
        let age = self.retirement_age();
        let event = self.catalogue.ended.first().map(|(ended_at, _)| *ended_at);
        let game = self.catalogue.ended_games.first().map(|(since, _)| since);
        let earliest = [event, game].into_iter().flatten().min().map(|ended_at| ended_at + age);
        if earliest == self.retirement_at {
            return;
        }
        if let Some(armed) = self.retirement_at {
            self.timers.clear(armed, TimerKind::Retirement, 0);
        }
        if let Some(due) = earliest {
            self.timers.set(due, TimerKind::Retirement, 0);
        }
        self.retirement_at = earliest;
    }

    /// Lists all ended events and sets the timer, after a start.
    pub(crate) fn list_ended_events(&mut self) {
        let ended = self.catalogue.events().filter_map(|(index, _)| Some((self.ended_at(index)?, index)));
        self.catalogue.ended = ended.collect();
        self.retirement_at = None;
        self.arm_retirement();
    }

    /// Retires due events, earliest end first, and sets the timer again.
    pub(crate) fn retire_ended_events(&mut self) {
        let due = self.now - self.retirement_age();
        for _ in 0..RETIRED_AT_ONCE {
            match self.catalogue.ended.first().copied() {
                Some((ended_at, event)) if ended_at <= due => self.retire_event(event),
                _ => break,
            }
        }
        self.retire_ended_games(due);
        self.arm_retirement();
    }

    fn retire_event(&mut self, index: EventIndex) {
        self.catalogue.ended.pop_first();
        let (link, markets) = {
            let event = self.catalogue.event(index);
            (event.link, event.markets.clone())
        };
        for market in markets {
            for currency in Currency::ALL {
                let listing = ListingIndex::new(market, currency);
                let is_empty = self.ledger.collateral(listing) == Money::ZERO
                    && self.catalogue.listing(listing).is_given_back();
                assert!(is_empty, "a retired listing holds nothing");
            }
            self.ledger.remove_market(market);
        }
        // A paused series waits for the end of its current event, which an operator may have ended long before.
        let (series, game) = match link {
            EventLink::Series { series, .. } => (Some(series), None),
            EventLink::Game { game, .. } => (None, Some(game).filter(|_| self.since(4))),
            EventLink::None => (None, None),
        };
        if let Some(series) = series {
            self.clear_series_timers(series);
        }
        let (mut event, markets) = self.catalogue.remove_event(index);
        event.markets = Vec::new();
        match series {
            Some(series) => self.arm_series(series),
            None => self.catalogue.retired.take(&event),
        }
        self.catalogue.retired.count += 1;
        self.catalogue.retired.last_seq = self.seq;
        let markets = markets.into_iter().map(|(mut market, listings)| {
            market.event = EventIndex::NONE;
            RetiredMarket { market, listings: listings.map(RetiredListing::of) }
        });
        let record = game.and_then(|game| self.catalogue.sports.games.get(&game).cloned());
        let retired = RetiredEvent { event, markets: markets.collect(), game: record };
        self.changes.push(Change::EventRetired(Arc::new(retired)));
        if let Some(game) = game {
            self.list_ended_game(game, false);
        }
    }
}
