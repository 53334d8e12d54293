//! `suspend_user`: shuts an account out, or lets it in again.
//!
//! A suspended user's sessions end; keys stay and are refused until the suspension is lifted. What rests on
//! the books stays there, and money may still be credited and debited.

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn suspend_user(&mut self, user: UserId, suspended: bool) -> Result<Reply, Reject> {
        let index = self.directory.find(user).ok_or(Reject::UserNotFound)?;
        if index == UserIndex::HOUSE {
            return Err(Reject::NotAllowed);
        }
        if suspended {
            self.directory.remove_all_sessions(index);
            self.arm_ageing();
        }
        if self.directory.user(index).disabled != suspended {
            self.directory.user_mut(index).disabled = suspended;
            self.changes.push(Change::AccessChanged { user });
        }
        Ok(Reply::Done)
    }
}
