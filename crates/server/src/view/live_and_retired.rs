//! Events and markets wherever they are: in memory, or retired and rebuilt from history. `reading/retired.rs`
//! finds them.

use std::ops::Deref;

use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::index::{EventIndex, MarketIndex};
use exchange::order::Outcome;
use exchange::{Exchange, Shelf};

use crate::measured_lock::ReadGuard;

/// A view of memory plus the retired events that were requested.
#[derive(Debug)]
pub struct LiveAndRetired<'a> {
    pub live: Live<'a>,
    shelf: Shelf,
}

/// The exchange in memory: a read lock, or a plain reference.
#[derive(Debug)]
pub enum Live<'a> {
    Locked(ReadGuard<'a, Exchange>),
    Borrowed(&'a Exchange),
}

impl Deref for Live<'_> {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        match self {
            Live::Locked(exchange) => exchange,
            Live::Borrowed(exchange) => exchange,
        }
    }
}

impl<'a> LiveAndRetired<'a> {
    /// Combines an exchange with a shelf of retired events.
    pub fn new(exchange: &'a Exchange, shelf: Shelf) -> LiveAndRetired<'a> {
        LiveAndRetired { live: Live::Borrowed(exchange), shelf }
    }

    /// Combines the live state with a shelf of retired events.
    pub(crate) fn locked(exchange: ReadGuard<'a, Exchange>, shelf: Shelf) -> LiveAndRetired<'a> {
        LiveAndRetired { live: Live::Locked(exchange), shelf }
    }

    /// The retired events, without the lock on memory.
    pub(crate) fn into_shelf(self) -> Shelf {
        self.shelf
    }
}

impl LiveAndRetired<'_> {
    /// The event, and the exchange (memory or shelf) that has it.
    pub fn event(&self, id: EventId) -> Option<(&Exchange, EventIndex)> {
        self.first(|exchange| exchange.catalogue().find_event(id))
    }

    pub fn market(&self, id: MarketId) -> Option<(&Exchange, MarketIndex)> {
        self.first(|exchange| exchange.catalogue().find_market(id))
    }

    pub fn outcome(&self, id: OutcomeId) -> Option<(&Exchange, (MarketIndex, Outcome))> {
        self.first(|exchange| exchange.catalogue().find_outcome(id))
    }

    /// The exchange (memory or shelf) that has the market of a past trade.
    pub fn exchange_of(&self, market: MarketId) -> &Exchange {
        self.market(market).expect("a traded market is in memory or on the shelf").0
    }

    /// Searches memory first, then the shelf.
    pub fn first<T>(&self, find: impl Fn(&Exchange) -> Option<T>) -> Option<(&Exchange, T)> {
        let live: &Exchange = &self.live;
        let shelf: &Exchange = &self.shelf;
        [live, shelf].into_iter().find_map(|exchange| Some((exchange, find(exchange)?)))
    }
}
