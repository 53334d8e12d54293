//! Events and markets wherever they are: in memory, or retired and put together again out of history.
//!
//! A name is looked up in memory first. What is not there is asked of history once it has all that memory had retired by
//! then, so a name that neither has names nothing.

use std::ops::Deref;
use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::index::{EventIndex, MarketIndex};
use exchange::order::Outcome;
use exchange::{Exchange, Shelf};
use parking_lot::RwLockReadGuard;

use crate::app::App;
use crate::history::RetiredName;
use crate::http::Failure;
use crate::reads::history_failure;

/// A look at memory, and beside it the retired events that were asked for.
#[derive(Debug)]
pub struct Known<'a> {
    pub live: Live<'a>,
    shelf: Shelf,
}

/// The exchange in memory, looked at or at hand.
#[derive(Debug)]
pub enum Live<'a> {
    Look(RwLockReadGuard<'a, Exchange>),
    Here(&'a Exchange),
}

impl Deref for Live<'_> {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        match self {
            Live::Look(exchange) => exchange,
            Live::Here(exchange) => exchange,
        }
    }
}

impl<'a> Known<'a> {
    /// An exchange that is at hand, with retired events beside it.
    pub fn new(exchange: &'a Exchange, shelf: Shelf) -> Known<'a> {
        Known { live: Live::Here(exchange), shelf }
    }
}

impl Known<'_> {
    /// Whichever has the event.
    pub fn event(&self, id: EventId) -> Option<(&Exchange, EventIndex)> {
        self.first(|exchange| exchange.catalogue().find_event(id))
    }

    pub fn market(&self, id: MarketId) -> Option<(&Exchange, MarketIndex)> {
        self.first(|exchange| exchange.catalogue().find_market(id))
    }

    pub fn outcome(&self, id: OutcomeId) -> Option<(&Exchange, (MarketIndex, Outcome))> {
        self.first(|exchange| exchange.catalogue().find_outcome(id))
    }

    /// Where a market that something was traded in is.
    pub fn home(&self, market: MarketId) -> &Exchange {
        self.market(market).expect("what was traded in is in memory or on the shelf").0
    }

    /// Memory if something is found there, else the shelf.
    pub fn first<T>(&self, find: impl Fn(&Exchange) -> Option<T>) -> Option<(&Exchange, T)> {
        let live: &Exchange = &self.live;
        let shelf: &Exchange = &self.shelf;
        [live, shelf].into_iter().find_map(|exchange| Some((exchange, find(exchange)?)))
    }
}

fn has(exchange: &Exchange, name: &RetiredName) -> bool {
    let catalogue = exchange.catalogue();
    match name {
        RetiredName::Event(id) => catalogue.find_event(*id).is_some(),
        RetiredName::Slug(slug) => catalogue.find_event_by_slug(slug).is_some(),
        RetiredName::Market(id) => catalogue.find_market(*id).is_some(),
        RetiredName::Outcome(id) => catalogue.find_outcome(*id).is_some(),
    }
}

/// What a look at memory has left to ask of history.
struct Missing {
    names: Vec<RetiredName>,
    /// How far history must be.
    seq: u64,
}

impl App {
    /// Finds what is named, in memory or in history. The look at memory is the last thing that happens, so what is found in
    /// it is there as long as it is held; never hold it across an await.
    pub(crate) async fn known(&self, names: Vec<RetiredName>) -> Result<Known<'_>, Failure> {
        self.known_with(names, Vec::new()).await
    }

    /// The same with retired events that are at hand already.
    pub(crate) async fn known_with(
        &self,
        names: Vec<RetiredName>,
        mut retired: Vec<Arc<RetiredEvent>>,
    ) -> Result<Known<'_>, Failure> {
        let mut asked = Vec::new();
        loop {
            let missing = match self.look_for(&names, &asked, &retired) {
                Ok(known) => return Ok(known),
                Err(missing) => missing,
            };
            self.history.reach(missing.seq).await.map_err(history_failure)?;
            retired.extend(self.history.retired(missing.names.clone()).await.map_err(history_failure)?);
            // What retires after this look was in memory before it, and is asked for when it is missed.
            asked.extend(missing.names);
        }
    }

    fn look_for(
        &self,
        names: &[RetiredName],
        asked: &[RetiredName],
        retired: &[Arc<RetiredEvent>],
    ) -> Result<Known<'_>, Missing> {
        let live = self.look();
        let shelf = live.shelve(retired.iter().map(|record| &**record));
        let is_missing =
            |name: &&RetiredName| !has(&live, name) && !has(&shelf, name) && !asked.contains(name);
        let mut missing: Vec<RetiredName> = names.iter().filter(is_missing).cloned().collect();
        missing.dedup();
        if missing.is_empty() || live.catalogue().retired_count() == 0 {
            return Ok(Known { live: Live::Look(live), shelf });
        }
        Err(Missing { names: missing, seq: live.catalogue().last_retired_at() })
    }

    /// The retired events among what is named, put together without a look that has to be given up.
    pub(crate) async fn shelf_of(&self, names: Vec<RetiredName>) -> Result<Shelf, Failure> {
        Ok(self.known(names).await?.shelf)
    }
}
