//! Rooms over a connection: subscribes, applies, and subscribes again after a loss or a gap.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::connection::{Connection, Report, SILENCE};
use super::room::{ChangeMessage, LocalCopy, Room, Unreadable, Update, UpdateKind};
use crate::credentials::Credentials;
use crate::error::{Error, Result};
use crate::transport::unix_seconds;

/// Connections in a row whose subscription is refused before the stream gives up.
const REFUSALS_MAX: u32 = 3;

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
    connection: Option<Connection>,
    pub(super) rooms: Vec<Room<C>>,
    /// The fields of each room's subscription.
    subjects: Vec<Map<String, Value>>,
    pub(super) owner: Option<Owner>,
    refusals: u32,
    /// Updates of one report that the caller has not taken yet.
    waiting: VecDeque<Update>,
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
        Following { url, connection: None, rooms, subjects, owner, refusals: 0, waiting: VecDeque::new() }
    }

    /// The next update. Safe to cancel.
    pub(super) async fn next(&mut self) -> Result<Update> {
        loop {
            if let Some(update) = self.waiting.pop_front() {
                return Ok(update);
            }
            let url = &self.url;
            let connection = self.connection.get_or_insert_with(|| Connection::start(url.clone(), SILENCE));
            match connection.next().await {
                Report::Opened => {}
                Report::Text(text) => self.take(&text)?,
                Report::Lost { reason, .. } => self.distrust(&reason),
                Report::Refused(reason) => {
                    self.distrust(&reason);
                    return Err(Error::StreamRefused(reason));
                }
            }
        }
    }

    /// Ends the connection. The next step opens another and resumes.
    pub(super) fn close(&mut self) {
        self.connection = None;
        self.distrust("the stream was closed");
        self.waiting.clear();
    }

    fn take(&mut self, text: &str) -> Result<()> {
        if let Ok(message) = serde_json::from_str::<ChangeMessage<'_>>(text)
            && matches!(message.kind, "snapshot" | "delta" | "heartbeat")
        {
            self.accept(&message);
            return Ok(());
        }
        match serde_json::from_str::<Control>(text) {
            Ok(control) => self.control(control),
            Err(error) => {
                self.restart(format!("a message that is not of the exchange: {error}"));
                Ok(())
            }
        }
    }

    fn control(&mut self, control: Control) -> Result<()> {
        match control.kind.as_str() {
            "connected" => self.begin(&control.client_id.unwrap_or_default())?,
            "cancelOnDisconnect" => {
                if let Some(owner) = &mut self.owner {
                    owner.is_armed = control.enabled == Some(true);
                }
            }
            "error" => {
                let words =
                    control.data.and_then(|data| data.message).unwrap_or_else(|| "refused".to_owned());
                self.refusals += 1;
                if self.refusals >= REFUSALS_MAX {
                    self.distrust(&words);
                    self.connection = None;
                    return Err(Error::StreamRefused(words));
                }
                self.restart(words);
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

    fn accept(&mut self, message: &ChangeMessage<'_>) {
        // An account's connection has one room, and its name contains the user's id.
        let is_its = |room: &Room<C>| self.owner.is_some() || room.name == message.room;
        let Some(index) = self.rooms.iter().position(is_its) else { return };
        let room = &mut self.rooms[index];
        let was_broken = room.needs_restart();
        let update = match room.accept(message) {
            Ok(update) => update,
            Err(Unreadable(reason)) => return self.restart(reason),
        };
        // Once: each subscription starts the room over.
        if self.rooms[index].needs_restart() && !was_broken {
            self.subscribe(index);
        }
        if update.as_ref().is_some_and(|update| update.kind != UpdateKind::Untrusted) {
            self.refusals = 0;
            if let Some(connection) = &self.connection {
                connection.is_working();
            }
        }
        self.waiting.extend(update);
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

    fn restart(&mut self, reason: String) {
        self.distrust(&reason);
        if let Some(connection) = &self.connection {
            connection.restart(reason);
        }
    }

    fn send(&self, message: &Value) {
        if let Some(connection) = &self.connection {
            connection.send(message.to_string());
        }
    }
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
