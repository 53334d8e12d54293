//! The recipe of the channel `changes`: applies snapshots, deltas and heartbeats to a local copy, and notices gaps.
//!
//! Nothing here touches a socket. `Room::accept` takes one message and returns the update for the caller.
//! `Room::needs_restart` is set when a change was missed; the stream then subscribes again without a sequence.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::models::{ChangedOrder, Fill, Trade};
use crate::trust::{Liveness, Trust};

/// The kind of a step of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// The copy was replaced.
    Snapshot,
    /// One request changed the copy.
    Delta,
    /// Nothing has changed up to `head`.
    Heartbeat,
    /// The copy is not to be trusted until the next update of another kind.
    Untrusted,
}

/// One step of a stream. The local copy already includes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Update {
    /// What happened.
    pub kind: UpdateKind,
    /// The room, such as `changes:MARKET:USD`.
    pub room: String,
    /// The last request that the copy includes.
    pub sequence: u64,
    /// Up to this request nothing else has changed.
    pub head: u64,
    /// Milliseconds since 1970, by the exchange's journal; 0 for `Untrusted`.
    pub timestamp: i64,
    /// Why the copy is not to be trusted; empty otherwise.
    pub reason: String,
    /// The trades of a market's delta.
    pub trades: Vec<Trade>,
    /// Every state that your orders reached in an account's delta, in order; in a snapshot the open orders.
    pub orders: Vec<ChangedOrder>,
    /// Your sides of the trades of an account's delta.
    pub fills: Vec<Fill>,
}

/// The parts of a change that callers get in the update.
#[derive(Debug, Default)]
pub(crate) struct Details {
    pub(crate) trades: Vec<Trade>,
    pub(crate) orders: Vec<ChangedOrder>,
    pub(crate) fills: Vec<Fill>,
}

/// A local copy of a thing that the exchange changes.
pub(crate) trait LocalCopy {
    type Data: DeserializeOwned;

    /// As of the last step.
    fn trust(&self) -> &Trust;
    fn trust_mut(&mut self) -> &mut Trust;
    /// The connection that the copy comes from.
    fn liveness_mut(&mut self) -> &mut Liveness;
    /// Discards the state.
    fn clear(&mut self);
    /// Applies the data of a snapshot or a delta.
    fn apply(&mut self, data: Self::Data) -> Details;
}

/// A message of a room.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeMessage<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    pub(crate) room: &'a str,
    pub(crate) sequence: u64,
    pub(crate) previous_sequence: Option<u64>,
    pub(crate) head: Option<u64>,
    pub(crate) timestamp: i64,
    #[serde(borrow)]
    pub(crate) data: Option<&'a RawValue>,
}

/// A message that cannot be read: the connection carries something else.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) String);

/// One subscription and the copy that it keeps current.
#[derive(Debug)]
pub(crate) struct Room<C> {
    pub(crate) name: String,
    pub(crate) copy: C,
    has_state: bool,
    needs_restart: bool,
    /// The caller has the update that says that the copy is not to be trusted.
    is_reported: bool,
}

impl<C: LocalCopy> Room<C> {
    pub(crate) fn new(name: String, copy: C) -> Room<C> {
        Room { name, copy, has_state: false, needs_restart: false, is_reported: false }
    }

    /// Whether a change was missed: only a snapshot helps.
    pub(crate) fn needs_restart(&self) -> bool {
        self.needs_restart
    }

    /// The sequence to continue from; none to start over.
    pub(crate) fn resume_from(&self) -> Option<u64> {
        let trust = self.copy.trust();
        (self.has_state && !self.needs_restart).then(|| trust.sequence.max(trust.head))
    }

    /// Applies one message of this room. None: the copy already has it, or waits for a snapshot.
    pub(crate) fn accept(&mut self, message: &ChangeMessage<'_>) -> Result<Option<Update>, Unreadable> {
        let accepted = match message.kind {
            "snapshot" => self.accept_snapshot(message).map(Some),
            _ if self.needs_restart || !self.has_state => Ok(None),
            "delta" => self.accept_delta(message),
            _ => self.accept_heartbeat(message),
        };
        if accepted.is_err() {
            self.needs_restart = true;
        }
        accepted
    }

    /// Marks the copy as not to be trusted. The first time since the copy was trusted, or since the beginning, it returns
    /// an update.
    pub(crate) fn distrust(&mut self, reason: &str) -> Option<Update> {
        let was_reported = self.is_reported;
        self.close(reason);
        self.is_reported = true;
        (!was_reported).then(|| self.update(UpdateKind::Untrusted, 0, Details::default()))
    }

    /// Marks the copy as not to be trusted, at the caller's wish. The next loss is an update again.
    pub(crate) fn close(&mut self, reason: &str) {
        let trust = self.copy.trust_mut();
        trust.is_trusted = false;
        reason.clone_into(&mut trust.reason);
        self.is_reported = false;
    }

    fn accept_snapshot(&mut self, message: &ChangeMessage<'_>) -> Result<Update, Unreadable> {
        let data = read(message)?;
        self.copy.clear();
        let details = self.copy.apply(data);
        (self.has_state, self.needs_restart) = (true, false);
        let (sequence, timestamp) = (message.sequence, message.timestamp);
        Ok(self.trusted(UpdateKind::Snapshot, timestamp, sequence, sequence, details))
    }

    fn accept_delta(&mut self, message: &ChangeMessage<'_>) -> Result<Option<Update>, Unreadable> {
        let (trust, sequence) = (self.copy.trust(), message.sequence);
        if sequence <= trust.sequence {
            return Ok(None);
        }
        let missing = || Unreadable("a delta without previousSequence".to_owned());
        let previous = message.previous_sequence.ok_or_else(missing)?;
        // A heartbeat said that nothing changed up to `head`: a change below it means that one of both is wrong.
        if previous > trust.sequence.max(trust.head) || sequence <= trust.head {
            return Ok(self.missed(&format!("the change before {sequence} did not arrive")));
        }
        let data = read(message)?;
        let details = self.copy.apply(data);
        Ok(Some(self.trusted(UpdateKind::Delta, message.timestamp, sequence, sequence, details)))
    }

    fn accept_heartbeat(&mut self, message: &ChangeMessage<'_>) -> Result<Option<Update>, Unreadable> {
        let (trust, sequence) = (self.copy.trust(), message.sequence);
        let mine = trust.sequence;
        if sequence > mine.max(trust.head) {
            return Ok(self.missed(&format!("the change {sequence} did not arrive")));
        }
        let head = message.head.ok_or_else(|| Unreadable("a heartbeat without head".to_owned()))?;
        let details = Details::default();
        Ok(Some(self.trusted(UpdateKind::Heartbeat, message.timestamp, mine, head, details)))
    }

    fn missed(&mut self, reason: &str) -> Option<Update> {
        self.needs_restart = true;
        self.distrust(reason)
    }

    fn trusted(
        &mut self,
        kind: UpdateKind,
        timestamp: i64,
        sequence: u64,
        head: u64,
        details: Details,
    ) -> Update {
        self.is_reported = false;
        *self.copy.trust_mut() =
            Trust { sequence, head: sequence.max(head), is_trusted: true, reason: String::new() };
        self.update(kind, timestamp, details)
    }

    fn update(&self, kind: UpdateKind, timestamp: i64, details: Details) -> Update {
        let Trust { sequence, head, reason, .. } = self.copy.trust().clone();
        let Details { trades, orders, fills } = details;
        Update { kind, room: self.name.clone(), sequence, head, timestamp, reason, trades, orders, fills }
    }
}

fn read<T: DeserializeOwned>(message: &ChangeMessage<'_>) -> Result<T, Unreadable> {
    let data = message.data.map_or("null", RawValue::get);
    serde_json::from_str(data).map_err(|error| Unreadable(format!("a message that cannot be read: {error}")))
}
