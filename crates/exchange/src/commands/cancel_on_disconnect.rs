//! `CancelOnDisconnect`: arms a connection, so that its end cancels all resting orders of the caller, or disarms it.
//!
//! Armed connections are part of the state: if the node dies with a connection, the next start finds it
//! (`end_connection`).

use minicbor::{Decode, Encode};

use crate::exchange::Exchange;
use crate::id::ConnectionId;
use crate::identity::CONNECTIONS_MAX;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelOnDisconnect {
    #[n(0)]
    pub connection: ConnectionId,
    #[n(1)]
    pub enabled: bool,
}

impl Exchange {
    /// Idempotent.
    pub(crate) fn cancel_on_disconnect(
        &mut self,
        user: UserIndex,
        command: &CancelOnDisconnect,
    ) -> Result<Reply, Reject> {
        let CancelOnDisconnect { connection, enabled } = *command;
        let armed = &mut *self.directory.user_mut(user).connections;
        if !enabled {
            armed.remove(&connection);
        } else if armed.len() < CONNECTIONS_MAX || armed.contains(&connection) {
            armed.insert(connection);
        } else {
            return Err(Reject::TooManyConnections);
        }
        Ok(Reply::Done)
    }
}
