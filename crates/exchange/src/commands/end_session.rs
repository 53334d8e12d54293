//! `end_session`: logs out. Ends only the session of the request.

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::SessionId;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn end_session(&mut self, (user, session): (UserIndex, SessionId)) -> Result<Reply, Reject> {
        self.directory.remove_session(user, session);
        self.arm_ageing();
        self.changes.push(Change::AccessChanged { user: self.directory.user(user).id });
        Ok(Reply::Done)
    }
}
