//! Rooms over a connection: subscribes, applies, and subscribes again after a loss or a gap.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::connection::{Connection, Report, WITH_HEARTBEATS};
use super::room::{ChangeMessage, LocalCopy, Room, Unreadable, Update, UpdateKind};
use crate::credentials::Credentials;
use crate::error::{Error, Result};
use crate::transport::unix_seconds;

/// Connections in a row that carry a refusal or an unreadable message before the stream gives up.
const REFUSALS_MAX: u32 = 3;
/// A connection that worked for this long ends a row of refusals.
const STEADY: Duration = Duration::from_secs(60);

/// The key of an account's stream, and whether its end cancels all orders.
#[derive(Debug)]
pub(super) struct Owner {
    pub(super) credentials: Credentials,
    pub(super) is_arming: bool,
    /// The exchange has confirmed it for this connection.
    pub(super) is_armed: bool,
}

/// Rooms of one connection.
#[derive(Debug)]
pub(super) struct Following<C> {
    url: String,
    pub(super) connection: Option<Connection>,
    pub(super) rooms: Vec<Room<C>>,
    /// The fields of each room's subscription.
    subjects: Vec<Map<String, Value>>,
    pub(super) owner: Option<Owner>,
    setbacks: Setbacks,
    /// Updates of one report that the caller has not taken yet.
    waiting: VecDeque<Update>,
}

/// Connections in a row that this stream had to end.
#[derive(Debug, Default)]
struct Setbacks {
    /// All of them: they set the wait before the next.
    restarts: u32,
    /// Those that a repetition will not cure, by all appearances.
    refusals: u32,
    /// Since when the present connection has had all that was asked of it.
    working_since: Option<Instant>,
}

/// A message that is no change.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Control {
    #[serde(rename = "type")]
    kind: String,
    client_id: Option<String>,
    enabled: Option<bool>,
    data: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    message: Option<String>,
}

impl<C: LocalCopy> Following<C> {
    pub(super) fn new(
        url: String,
        rooms: Vec<(Room<C>, Map<String, Value>)>,
        owner: Option<Owner>,
    ) -> Following<C> {
        let (rooms, subjects) = rooms.into_iter().unzip();
        let (setbacks, waiting) = (Setbacks::default(), VecDeque::new());
        Following { url, connection: None, rooms, subjects, owner, setbacks, waiting }
    }

    /// The next update. Safe to cancel.
    pub(super) async fn next(&mut self) -> Result<Update> {
        loop {
            if let Some(update) = self.waiting.pop_front() {
                return Ok(update);
            }
            let url = &self.url;
            let start = || Connection::start(url.clone(), WITH_HEARTBEATS);
            let connection = self.connection.get_or_insert_with(start);
            match connection.next().await {
                Report::Opened => {
                    let liveness = connection.liveness();
                    for room in &mut self.rooms {
                        *room.copy.liveness_mut() = liveness.clone();
                    }
                }
                Report::Text(text) => self.take(&text)?,
                Report::Lost { reason, .. } => {
                    // It worked, and ended for another reason than a refusal.
                    if self.setbacks.working_since.is_some() {
                        self.setbacks = Setbacks::default();
                    }
                    self.distrust(&reason);
                }
                Report::Refused(reason) => {
                    self.end(&reason);
                    return Err(Error::StreamRefused(reason));
                }
            }
        }
    }

    /// Ends the connection. The next step opens another and resumes.
    pub(super) fn close(&mut self) {
        self.end("the stream was closed");
    }

    /// Ends the connection without an update: the caller knows.
    fn end(&mut self, reason: &str) {
        self.connection = None;
        self.setbacks = Setbacks::default();
        if let Some(owner) = &mut self.owner {
            owner.is_armed = false;
        }
        for room in &mut self.rooms {
            room.close(reason);
        }
        self.waiting.clear();
    }

    fn take(&mut self, text: &str) -> Result<()> {
        if let Ok(message) = serde_json::from_str::<ChangeMessage<'_>>(text)
            && matches!(message.kind, "snapshot" | "delta" | "heartbeat")
        {
            return self.accept(&message);
        }
        match serde_json::from_str::<Control>(text) {
            Ok(control) => self.control(control),
            Err(error) => self.misread(format!("a message that is not of the exchange: {error}")),
        }
    }

    fn control(&mut self, control: Control) -> Result<()> {
        match control.kind.as_str() {
            "connected" => self.begin(&control.client_id.unwrap_or_default())?,
            "cancelOnDisconnect" => {
                if let Some(owner) = &mut self.owner {
                    owner.is_armed = control.enabled == Some(true);
                }
                self.note_work();
            }
            "error" => {
                let words = control.data.and_then(|data| data.message);
                self.be_refused(words.unwrap_or_else(|| "refused".to_owned()))?;
            }
            // A change without one of its fields.
            kind @ ("snapshot" | "delta" | "heartbeat") => {
                return self.misread(format!("a {kind} without room, sequence or timestamp"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends the first messages of a new connection.
    fn begin(&mut self, client_id: &str) -> Result<()> {
        if let Some(owner) = self.owner.as_mut() {
            owner.is_armed = false;
            if owner.is_arming {
                let message = arming(&owner.credentials, client_id)?;
                self.send(&message);
            }
        }
        for index in 0..self.rooms.len() {
            self.subscribe(index);
        }
        Ok(())
    }

    fn subscribe(&self, index: usize) {
        let mut message = self.subjects[index].clone();
        message.insert("type".to_owned(), "subscribe".into());
        message.insert("channel".to_owned(), "changes".into());
        if let Some(sequence) = self.rooms[index].resume_from() {
            message.insert("resumeFrom".to_owned(), sequence.into());
        }
        self.send(&Value::Object(message));
    }

    fn accept(&mut self, message: &ChangeMessage<'_>) -> Result<()> {
        // An account's connection has one room, and its name contains the user's id.
        let is_its = |room: &Room<C>| self.owner.is_some() || room.name == message.room;
        let Some(index) = self.rooms.iter().position(is_its) else { return Ok(()) };
        let room = &mut self.rooms[index];
        let was_broken = room.needs_restart();
        let update = match room.accept(message) {
            Ok(update) => update,
            Err(Unreadable(reason)) => return self.misread(reason),
        };
        // Once: each subscription starts the room over.
        if self.rooms[index].needs_restart() && !was_broken {
            self.subscribe(index);
        }
        if update.as_ref().is_some_and(|update| update.kind != UpdateKind::Untrusted) {
            self.note_work();
        }
        self.waiting.extend(update);
        Ok(())
    }

    /// Notes that the connection works, once it carries every room and, if asked for, the exchange's promise to cancel.
    /// One room of several is not enough: the refusal of another would be repeated without a pause.
    fn note_work(&mut self) {
        let is_complete = self.rooms.iter().all(|room| room.copy.trust().is_trusted)
            && self.owner.as_ref().is_none_or(|owner| owner.is_armed || !owner.is_arming);
        if let Some(connection) = &self.connection
            && is_complete
            && self.setbacks.working_since.is_none()
        {
            self.setbacks.working_since = Some(Instant::now());
            connection.is_working();
        }
    }

    /// A refusal of the exchange: tries again, and gives up if it does not pass.
    fn be_refused(&mut self, words: String) -> Result<()> {
        if is_transient(&words) {
            self.restart(words);
            return Ok(());
        }
        self.fail(words.clone(), Error::StreamRefused(words))
    }

    /// A message that cannot be read: tries again, and gives up if it stays so.
    fn misread(&mut self, cause: String) -> Result<()> {
        let error = Error::Unreadable { request: format!("a stream of {}", self.url), cause: cause.clone() };
        self.fail(cause, error)
    }

    fn fail(&mut self, reason: String, error: Error) -> Result<()> {
        self.restart(reason.clone());
        self.setbacks.refusals += 1;
        if self.setbacks.refusals < REFUSALS_MAX {
            return Ok(());
        }
        self.end(&reason);
        Err(error)
    }

    /// Marks every copy as not to be trusted.
    fn distrust(&mut self, reason: &str) {
        if let Some(owner) = &mut self.owner {
            owner.is_armed = false;
        }
        for room in &mut self.rooms {
            self.waiting.extend(room.distrust(reason));
        }
    }

    /// Ends the connection; the task opens another.
    fn restart(&mut self, reason: String) {
        if self.setbacks.working_since.take().is_some_and(|since| since.elapsed() >= STEADY) {
            self.setbacks = Setbacks::default();
        }
        self.setbacks.restarts += 1;
        self.distrust(&reason);
        if let Some(connection) = &mut self.connection {
            connection.restart(reason, self.setbacks.restarts);
        }
    }

    fn send(&self, message: &Value) {
        if let Some(connection) = &self.connection {
            connection.send(message.to_string());
        }
    }
}

/// Whether a later try may pass. Errors of streams have no code: these are the exchange's sentences for a history that
/// lags and for too many messages.
fn is_transient(words: &str) -> bool {
    words.ends_with("try again") || words.starts_with("Rate limit exceeded")
}

/// The signed message that makes the exchange cancel all orders when this connection ends.
fn arming(credentials: &Credentials, client_id: &str) -> Result<Value> {
    let timestamp = unix_seconds();
    let signature = credentials.sign_cancel_on_disconnect(&timestamp, true, client_id).ok_or_else(|| {
        Error::Usage("cancel_on_disconnect needs a signature: give a secret key to the client".to_owned())
    })?;
    let api_key = credentials.public_key();
    Ok(serde_json::json!({
        "type": "cancelOnDisconnect",
        "enabled": true,
        "auth": {"apiKey": api_key, "timestamp": timestamp, "signature": signature},
    }))
}
