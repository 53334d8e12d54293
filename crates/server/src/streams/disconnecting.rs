//! Cancels a user's resting orders when an armed connection ends. Arming and ending are commands, so both survive a
//! crash.
//!
//! The end is submitted after the command that armed the connection, even if the outcome of arming is unknown: an end
//! without arming cancels nothing. The next start ends the connections that were lost with a process (`end_lost`).
//! Where nodes share a log, each node ends only its own connections, recognised by its mark in the connection's id.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use exchange::command::{CancelOnDisconnect, Command, EndConnection, Request};
use exchange::id::{ConnectionId, UserId};
use exchange::identity::Actor;
use tokio::runtime::Handle;

use super::access::{ProvenCaller, StreamCaller};
use crate::app::App;
use crate::node_mark::NodeMark;
use crate::pipeline::sequencer::{Sequencer, SubmitError};
use crate::pipeline::state::Shared;
use crate::view;

/// The pause before a refused end is submitted again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);
/// Ends submitted together at a start; fewer than the sequencer's queue holds.
const ENDS_AT_ONCE: usize = 1_000;

/// A connection and the users for whom it may be armed. Dropping it ends it, for a task that was cancelled.
#[derive(Debug)]
pub(super) struct ArmedConnection {
    app: Arc<App>,
    connection: ConnectionId,
    callers: HashMap<UserId, StreamCaller>,
}

impl ArmedConnection {
    pub(super) fn new(app: Arc<App>) -> ArmedConnection {
        let connection = app.streams().mark.new_connection();
        ArmedConnection { app, connection, callers: HashMap::new() }
    }

    pub(super) fn callers(&self) -> impl Iterator<Item = &StreamCaller> {
        self.callers.values()
    }

    /// Arms or disarms the connection for a user. Returns after the exchange has decided.
    pub(super) async fn set(&mut self, proven: ProvenCaller, enabled: bool) -> Result<(), String> {
        self.charge(&proven)?;
        let caller = proven.caller();
        let command =
            Command::CancelOnDisconnect(CancelOnDisconnect { connection: self.connection, enabled });
        let request = Request { actor: proven.actor(), idempotency: None, command };
        // Recorded before the await: if this task is cancelled meanwhile, the end is still submitted after the arming.
        let before = if enabled { self.callers.insert(caller.user, caller) } else { None };
        let decided = match self.app.writing().sequencer().submit(request).await {
            Ok(answer) => {
                answer.result.map_err(|reject| view::refusal(&reject, self.app.now().micros()).message)
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

    /// Charges a write to the key, or to the user's web sessions.
    fn charge(&self, proven: &ProvenCaller) -> Result<(), String> {
        let taken = self.app.limits().write.take(proven.bucket_owner(), 1, self.app.now_micros());
        taken
            .map(drop)
            .map_err(|refused| format!("Rate limit exceeded: try again in {} s", refused.retry_after_seconds))
    }

    /// Ends the connection.
    pub(super) async fn end(&mut self) {
        for (user, _) in std::mem::take(&mut self.callers) {
            end(self.app.writing().sequencer(), user, self.connection).await;
        }
    }
}

impl Drop for ArmedConnection {
    fn drop(&mut self) {
        if self.callers.is_empty() {
            return;
        }
        // Without a runtime the process is about to exit, and the next start ends the connection.
        let Ok(runtime) = Handle::try_current() else { return };
        let (app, connection, callers) =
            (self.app.clone(), self.connection, std::mem::take(&mut self.callers));
        runtime.spawn(async move {
            for user in callers.into_keys() {
                end(app.writing().sequencer(), user, connection).await;
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
            Err(SubmitError::Busy | SubmitError::LogUnavailable | SubmitError::WrongClock) => {
                tokio::time::sleep(TRY_AGAIN_AFTER).await
            }
            Err(error @ (SubmitError::Stopping | SubmitError::Unknown | SubmitError::NewerRules)) => {
                tracing::warn!(%user, %error, "cannot end an armed connection; the next start ends it");
                return;
            }
        }
    }
}

/// Ends every connection of this node that is armed in the state, and returns their number. Called at a start: the
/// connections were lost with the previous process.
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
