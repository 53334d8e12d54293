//! Finds events and markets in memory or in history.
//!
//! A name is looked up in memory first. If it is missing there, history is queried, once history has everything that
//! memory had retired at that point. A name found in neither does not exist.

use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::{Exchange, Shelf};

use super::{Reading, history_failure};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::view::live_and_retired::LiveAndRetired;

fn has(exchange: &Exchange, name: &RetiredName) -> bool {
    let catalogue = exchange.catalogue();
    match name {
        RetiredName::Event(id) => catalogue.find_event(*id).is_some(),
        RetiredName::Slug(slug) => catalogue.find_event_by_slug(slug).is_some(),
        RetiredName::Market(id) => catalogue.find_market(*id).is_some(),
        RetiredName::Outcome(id) => catalogue.find_outcome(*id).is_some(),
    }
}

/// Names that memory lacks and history must be queried for.
struct MissingNames {
    names: Vec<RetiredName>,
    /// The sequence that history must have reached.
    seq: u64,
}

impl Reading {
    /// Finds the names, in memory or in history. The read lock is taken last, so anything found in memory stays there
    /// while the lock is held. Never hold it across an await.
    pub(crate) async fn with_retired(&self, names: Vec<RetiredName>) -> Result<LiveAndRetired<'_>, Failure> {
        self.with_retired_from(names, Vec::new()).await
    }

    /// Like `with_retired`, with retired events that the caller already has.
    pub(crate) async fn with_retired_from(
        &self,
        names: Vec<RetiredName>,
        mut retired: Vec<Arc<RetiredEvent>>,
    ) -> Result<LiveAndRetired<'_>, Failure> {
        let mut queried = Vec::new();
        loop {
            let missing = match self.find_names(&names, &queried, self.shelve(&retired)) {
                Ok(known) => return Ok(known),
                Err(missing) => missing,
            };
            self.history.wait_for(missing.seq).await.map_err(history_failure)?;
            retired.extend(self.history.retired(missing.names.clone()).await.map_err(history_failure)?);
            // An event that retires after this lookup was in memory during it; the next iteration finds it missing and
            // queries it.
            queried.extend(missing.names);
        }
    }

    fn find_names(
        &self,
        names: &[RetiredName],
        queried: &[RetiredName],
        shelf: Shelf,
    ) -> Result<LiveAndRetired<'_>, MissingNames> {
        let live = self.read_state();
        let is_missing =
            |name: &&RetiredName| !has(&live, name) && !has(&shelf, name) && !queried.contains(name);
        let mut missing: Vec<RetiredName> = names.iter().filter(is_missing).cloned().collect();
        missing.dedup();
        if missing.is_empty() || live.catalogue().retired_count() == 0 {
            return Ok(LiveAndRetired::locked(live, shelf));
        }
        Err(MissingNames { names: missing, seq: live.catalogue().last_retired_at() })
    }

    /// Rebuilds retired events. Only their links are copied under the lock.
    pub(super) fn shelve(&self, retired: &[Arc<RetiredEvent>]) -> Shelf {
        if retired.is_empty() {
            return Shelf::empty();
        }
        let retired = retired.iter().map(|record| &**record);
        let frame = self.state().frame_shelf(retired.clone());
        frame.with(retired)
    }

    /// The retired events among `names`, without keeping a lock on memory.
    pub(crate) async fn shelf_of(&self, names: Vec<RetiredName>) -> Result<Shelf, Failure> {
        Ok(self.with_retired(names).await?.into_shelf())
    }
}
