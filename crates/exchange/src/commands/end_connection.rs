//! `EndConnection`: the node reports that a connection has ended. If it was armed, all resting orders of its user are
//! cancelled. Idempotent: only the first report finds the connection armed.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::{ConnectionId, UserId};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct EndConnection {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub connection: ConnectionId,
}

impl Exchange {
    pub(crate) fn end_connection(&mut self, _: Caller, command: &EndConnection) -> Result<Reply, Reject> {
        let EndConnection { user, connection } = *command;
        let user = self.directory.find(user).ok_or(Reject::UserNotFound)?;
        if self.directory.user_mut(user).connections.remove(&connection) {
            self.close_all_orders(user, OrderCause::Disconnected);
        }
        Ok(Reply::Done)
    }
}
