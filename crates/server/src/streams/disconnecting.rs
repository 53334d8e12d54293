//! Connections whose end cancels what their users have resting. Arming and ending are commands, so both survive a crash.
//!
//! The end is handed in behind whatever armed the connection, also when nobody knows yet whether that was taken: an end
//! that finds nothing armed cancels nothing. What died with a process is ended by the next start (`end_lost`); where several
//! nodes share a log, each ends its own alone, which it knows by its mark in the connection's id.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use exchange::command::{CancelOnDisconnect, Command, EndConnection, Request};
use exchange::id::{ConnectionId, UserId};
use exchange::identity::Actor;
use tokio::runtime::Handle;
use uuid::Uuid;

use super::access::{Caller, Proven};
use crate::app::App;
use crate::folder::write_whole;
use crate::sequencer::{Sequencer, SubmitError};
use crate::state::Shared;
use crate::view;

/// Until a full queue is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);
/// Ends in a row at a start; fewer than a queue holds.
const ENDS_AT_ONCE: usize = 1_000;

/// Whose connection it is, where several nodes share a log: the upper half of its id. Zero where there is only one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeMark(u64);

impl NodeMark {
    /// The mark that is kept in a folder, made at the first start on it.
    pub fn kept_in(folder: &Path) -> io::Result<NodeMark> {
        let file = folder.join("node.id");
        match fs::read_to_string(&file) {
            Ok(text) => u64::from_str_radix(text.trim(), 16).map(NodeMark).map_err(|_| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    "node.id is not a number: remove it, a start makes another",
                )
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mark = Uuid::new_v4().as_u64_pair().1 | 1;
                write_whole(&file, format!("{mark:016x}\n").as_bytes())?;
                Ok(NodeMark(mark))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }

    fn new_connection(self) -> ConnectionId {
        ConnectionId::new(Uuid::from_u64_pair(self.0, Uuid::new_v4().as_u64_pair().1).as_u128())
    }

    /// Those of a log that was one node's before it was shared are nobody's, so anybody's.
    fn owns(self, connection: ConnectionId) -> bool {
        let mark = Uuid::from_u128(connection.as_u128()).as_u64_pair().0;
        self.0 == 0 || mark == self.0 || mark == 0
    }
}

/// One connection, and in whose names it may be armed. Dropping it ends it, for a task that did not come to its end.
#[derive(Debug)]
pub(super) struct Armed {
    app: Arc<App>,
    connection: ConnectionId,
    callers: HashMap<UserId, Caller>,
}

impl Armed {
    pub(super) fn new(app: Arc<App>) -> Armed {
        let connection = app.streams.mark.new_connection();
        Armed { app, connection, callers: HashMap::new() }
    }

    pub(super) fn callers(&self) -> impl Iterator<Item = &Caller> {
        self.callers.values()
    }

    /// Arms it in a user's name, or disarms it. When this returns the exchange has decided.
    pub(super) async fn set(&mut self, proven: Proven, enabled: bool) -> Result<(), String> {
        self.charge(&proven)?;
        let caller = proven.caller();
        let command =
            Command::CancelOnDisconnect(CancelOnDisconnect { connection: self.connection, enabled });
        let request = Request { actor: proven.actor(), idempotency: None, command };
        // Before anybody waits: if this task is dropped while it does, the end still comes behind the arming.
        let before = if enabled { self.callers.insert(caller.user, caller) } else { None };
        let decided = match self.app.sequencer.submit(request).await {
            Ok(answer) => {
                answer.result.map_err(|reject| view::refusal(&reject, self.app.now_micros()).message)
            }
            Err(SubmitError::Unknown) => return Err(SubmitError::Unknown.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match (enabled, decided.is_ok(), before) {
            (true, true, _) | (false, false, _) => {}
            (true, false, Some(before)) => {
                self.callers.insert(caller.user, before);
            }
            (true, false, None) | (false, true, _) => {
                self.callers.remove(&caller.user);
            }
        }
        decided.map(drop)
    }

    /// A write like any other of the key, or of the user's pages.
    fn charge(&self, proven: &Proven) -> Result<(), String> {
        let taken = self.app.limits.write.take(proven.spender(), 1, self.app.now_micros());
        taken
            .map(drop)
            .map_err(|refused| format!("Rate limit exceeded: try again in {} s", refused.retry_after_seconds))
    }

    /// The connection is over.
    pub(super) async fn end(&mut self) {
        for (user, _) in std::mem::take(&mut self.callers) {
            end(&self.app.sequencer, user, self.connection).await;
        }
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        if self.callers.is_empty() {
            return;
        }
        // Without a runtime the process is at its end, and the next start does it.
        let Ok(runtime) = Handle::try_current() else { return };
        let (app, connection, callers) =
            (self.app.clone(), self.connection, std::mem::take(&mut self.callers));
        runtime.spawn(async move {
            for user in callers.into_keys() {
                end(&app.sequencer, user, connection).await;
            }
        });
    }
}

fn ending(user: UserId, connection: ConnectionId) -> Request {
    let command = Command::EndConnection(EndConnection { user, connection });
    Request { actor: Actor::System, idempotency: None, command }
}

async fn end(sequencer: &Sequencer, user: UserId, connection: ConnectionId) {
    loop {
        match sequencer.submit(ending(user, connection)).await {
            Ok(_) => return,
            Err(SubmitError::Busy | SubmitError::Away | SubmitError::WrongClock) => {
                tokio::time::sleep(TRY_AGAIN_AFTER).await
            }
            Err(error @ (SubmitError::Stopping | SubmitError::Unknown | SubmitError::NewerRules)) => {
                tracing::warn!(%user, %error, "the next start ends an armed connection");
                return;
            }
        }
    }
}

/// Ends every connection of this node that is armed in the state, and says how many there were. For a start: whoever was
/// connected lost the connection with the process that had it.
pub(crate) fn end_lost(mark: NodeMark, shared: &Shared, sequencer: &Sequencer) -> Result<usize, SubmitError> {
    let armed: Vec<Request> = {
        let exchange = shared.read();
        let users = exchange.directory().users();
        let lost = users.flat_map(|(_, user)| user.connections.iter().map(|one| (user.id, *one)));
        lost.filter(|(_, one)| mark.owns(*one)).map(|(user, one)| ending(user, one)).collect()
    };
    let all = armed.len();
    armed.chunks(ENDS_AT_ONCE).try_for_each(|some| sequencer.submit_at_start(some.to_vec()).map(drop))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_knows_its_own_connections_again_and_those_of_no_other() {
        let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let mark = NodeMark::kept_in(one.path()).expect("a mark");
        assert_eq!(NodeMark::kept_in(one.path()).expect("the same mark"), mark);
        let neighbour = NodeMark::kept_in(other.path()).expect("another mark");
        let (ours, theirs) = (mark.new_connection(), neighbour.new_connection());
        assert!(mark.owns(ours) && !mark.owns(theirs));
        let alone = NodeMark::default();
        assert!(alone.owns(ours) && mark.owns(alone.new_connection()));
        fs::write(one.path().join("node.id"), "mine").expect("a file");
        assert!(NodeMark::kept_in(one.path()).is_err());
    }
}
