//! `set_watchlist`: adds an event to a user's watchlist, or removes it. Idempotent.

use minicbor::{Decode, Encode};

use crate::catalogue::Status;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::EventId;
use crate::identity::WATCHLIST_MAX;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SetWatchlist {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub watched: bool,
    /// The node found the event in history. If unset, an event that is not in memory is treated as unknown.
    #[n(2)]
    pub is_retired: bool,
}

impl Exchange {
    pub(crate) fn set_watchlist(&mut self, user: UserIndex, command: &SetWatchlist) -> Result<Reply, Reject> {
        let SetWatchlist { event, watched, is_retired } = *command;
        let index = self.catalogue.find_event(event);
        // Drafts are not public.
        let is_public = index.is_some_and(|index| self.catalogue.event(index).status != Status::Draft);
        let record = self.directory.user_mut(user);
        let is_watched = record.watchlist.contains(&event);
        // A watched event has existed, and may have been retired since.
        let has_left = index.is_none() && (is_retired || is_watched);
        if !is_public && !has_left {
            return Err(Reject::EventNotFound);
        }
        if watched && !is_watched && record.watchlist.len() >= WATCHLIST_MAX {
            return Err(Reject::WatchlistFull);
        }
        if watched == is_watched {
            return Ok(Reply::Done);
        }
        if watched {
            record.watchlist.insert(event);
        } else {
            record.watchlist.remove(&event);
        }
        self.changes.push(Change::WatchlistChanged { user: record.id, event, watched });
        Ok(Reply::Done)
    }
}
