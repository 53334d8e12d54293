//! A shelf: retired events restored for reading, with the read interface of an exchange.

use core::ops::Deref;
use std::sync::Arc;

use crate::catalogue::{EventLink, RetiredEvent};
use crate::exchange::Exchange;
use crate::governance::Decided;
use crate::id::{GameId, MarketId};
use crate::index::{MarketIndex, UserIndex};
use crate::numbers::{Currency, Money};
use crate::order::NewOrder;
use crate::reject::Reject;

/// An exchange that contains only retired events, the series that they refer to, and all games and teams. It has no users.
#[derive(Debug)]
pub struct Shelf(Exchange);

impl Deref for Shelf {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.0
    }
}

impl Shelf {
    pub fn empty() -> Shelf {
        Shelf(Exchange::empty())
    }

    /// Adds retired events. Their links were copied by `frame_shelf`.
    pub fn with<'a>(mut self, retired: impl IntoIterator<Item = &'a RetiredEvent>) -> Shelf {
        for record in retired {
            if self.0.catalogue.find_event(record.event.id).is_none() {
                self.0.put_retired(record);
            }
        }
        self
    }

    /// The refusal of an order for a retired market: as given by the rules while the market was in memory.
    pub fn refuse_order(&self, new: &NewOrder) -> Reject {
        self.0.check_order(UserIndex::NOBODY, new).err().unwrap_or(Reject::MarketNotOpen)
    }

    /// The refusal of a mint or burn in a retired market.
    pub fn refuse_sets(&self, market: MarketId, currency: Currency, amount: Money) -> Reject {
        self.0.check_sets(market, currency, amount).err().unwrap_or(Reject::MarketNotOpen)
    }
}

impl Exchange {
    /// Restores retired events as this exchange showed them before. Names of series, games and teams are the current
    /// ones; a game that has left memory too is as it was when its event left.
    pub fn shelve<'a>(&self, retired: impl IntoIterator<Item = &'a RetiredEvent> + Clone) -> Shelf {
        self.frame_shelf(retired.clone()).with(retired)
    }

    /// A shelf without the events: everything that these retired events need of this exchange. The longer part of the
    /// work, `Shelf::with`, does not need it any more.
    pub fn frame_shelf<'a>(&self, retired: impl IntoIterator<Item = &'a RetiredEvent>) -> Shelf {
        let mut shelf = Exchange::empty();
        (shelf.seq, shelf.now, shelf.rules_version) = (self.seq, self.now, self.rules_version);
        shelf.governance.policy = self.governance.policy;
        shelf.catalogue.sports = self.catalogue.sports.clone();
        for record in retired {
            self.copy_link(&mut shelf, record.event.link);
        }
        Shelf(shelf)
    }

    fn put_retired(&mut self, record: &RetiredEvent) {
        let first = self.catalogue.next_market().slot();
        let mut event = record.event.clone();
        event.markets = (first..first + record.markets.len()).map(MarketIndex::from_slot).collect();
        let index = self.catalogue.add_event(event);
        if let Some(game) = &record.game
            && !self.catalogue.sports.games.contains_key(&game.id)
        {
            Arc::make_mut(&mut self.catalogue.sports).restore_game(game);
        }
        for retired in &record.markets {
            let mut market = retired.market.clone();
            market.event = index;
            let [usd, ngn] = &retired.listings;
            self.catalogue.add_market(market, [usd.to_listing(), ngn.to_listing()]);
            self.ledger.add_market();
        }
    }

    fn copy_link(&self, shelf: &mut Exchange, link: EventLink) {
        match link {
            EventLink::None => {}
            EventLink::Series { series, .. } => {
                if let Some(found) = self.catalogue.series.get(&series) {
                    shelf.catalogue.series.entry(series).or_insert_with(|| found.clone());
                }
            }
            EventLink::Game { game, .. } => self.copy_proposals(shelf, game),
        }
    }

    /// Copies a proposed result of a game, which is shown with the game's events.
    fn copy_proposals(&self, shelf: &mut Exchange, id: GameId) {
        for proposal in self.governance.proposals.on(Decided::Game(id)) {
            shelf.governance.proposals.insert(proposal.clone());
        }
    }
}
