//! Messages about the connection itself. Only the heartbeat carries a sequence: the others are responses, not data.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use uuid::Uuid;

use super::TextOrNumber;

/// An answer to a client's message, with the id of that message if it had one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer<'a, T> {
    #[serde(flatten)]
    pub message: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a TextOrNumber>,
}

/// The first message on every connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connected {
    pub client_id: Uuid,
    /// Unix milliseconds, as in all of these.
    pub timestamp: i64,
}

impl Serialize for Connected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_struct("Connected", 5)?;
        message.serialize_field("type", "connected")?;
        message.serialize_field("status", "connected")?;
        message.serialize_field("clientId", &self.client_id)?;
        message.serialize_field("message", "Successfully connected to WebSocket server")?;
        message.serialize_field("timestamp", &self.timestamp)?;
        message.end()
    }
}

/// A room was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribed<'a> {
    pub room: &'a str,
    pub timestamp: i64,
}

impl Serialize for Subscribed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        acknowledge(serializer, "subscribed", self.room, "Subscribed to", self.timestamp)
    }
}

/// A room was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsubscribed<'a> {
    pub room: &'a str,
    pub timestamp: i64,
}

impl Serialize for Unsubscribed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        acknowledge(serializer, "unsubscribed", self.room, "Unsubscribed from", self.timestamp)
    }
}

fn acknowledge<S: Serializer>(
    serializer: S,
    message_type: &str,
    room: &str,
    done: &str,
    timestamp: i64,
) -> Result<S::Ok, S::Error> {
    let mut message = serializer.serialize_struct("Acknowledgement", 4)?;
    message.serialize_field("type", message_type)?;
    message.serialize_field("room", room)?;
    message.serialize_field("message", &format_args!("{done}: {room}"))?;
    message.serialize_field("timestamp", &timestamp)?;
    message.end()
}

/// Nothing has happened in a room for a while: how far it is, and how far that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat<'a> {
    pub room: &'a str,
    /// Of the room's last message.
    pub sequence: u64,
    /// Up to here nothing else has changed.
    pub head: u64,
    pub timestamp: i64,
}

impl Serialize for Heartbeat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_struct("Heartbeat", 5)?;
        message.serialize_field("type", "heartbeat")?;
        message.serialize_field("room", self.room)?;
        message.serialize_field("sequence", &self.sequence)?;
        message.serialize_field("head", &self.head)?;
        message.serialize_field("timestamp", &self.timestamp)?;
        message.end()
    }
}

/// The end of the connection cancels everything that rests, or no longer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelOnDisconnect {
    pub enabled: bool,
    pub timestamp: i64,
}

impl Serialize for CancelOnDisconnect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_struct("CancelOnDisconnect", 3)?;
        message.serialize_field("type", "cancelOnDisconnect")?;
        message.serialize_field("enabled", &self.enabled)?;
        message.serialize_field("timestamp", &self.timestamp)?;
        message.end()
    }
}

/// The answer to a `ping`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pong {
    pub timestamp: i64,
}

impl Serialize for Pong {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_struct("Pong", 2)?;
        message.serialize_field("type", "pong")?;
        message.serialize_field("timestamp", &self.timestamp)?;
        message.end()
    }
}

/// A message was not understood or not allowed, or one room of it cannot be entered. The connection stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorMessage<'a> {
    pub message: &'a str,
    /// The room that it is about, where it is about one.
    pub room: Option<&'a str>,
    pub timestamp: i64,
}

impl Serialize for ErrorMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data<'a> {
            message: &'a str,
        }
        let mut message =
            serializer.serialize_struct("ErrorMessage", 3 + usize::from(self.room.is_some()))?;
        message.serialize_field("type", "error")?;
        message.serialize_field("data", &Data { message: self.message })?;
        if let Some(room) = self.room {
            message.serialize_field("room", room)?;
        }
        message.serialize_field("timestamp", &self.timestamp)?;
        message.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(message: &impl Serialize) -> String {
        serde_json::to_string(message).expect("JSON")
    }

    #[test]
    fn control_messages_are_written_as_public_clients_read_them() {
        let (client_id, timestamp) = (Uuid::nil(), 1_700_000_000_000);
        assert_eq!(
            written(&Connected { client_id, timestamp }),
            r#"{"type":"connected","status":"connected","clientId":"00000000-0000-0000-0000-000000000000","message":"Successfully connected to WebSocket server","timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&Subscribed { room: "prices:1", timestamp }),
            r#"{"type":"subscribed","room":"prices:1","message":"Subscribed to: prices:1","timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&Unsubscribed { room: "prices:1", timestamp }),
            r#"{"type":"unsubscribed","room":"prices:1","message":"Unsubscribed from: prices:1","timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&Heartbeat { room: "changes:1", sequence: 3, head: 5, timestamp }),
            r#"{"type":"heartbeat","room":"changes:1","sequence":3,"head":5,"timestamp":1700000000000}"#
        );
        assert_eq!(written(&Pong { timestamp }), r#"{"type":"pong","timestamp":1700000000000}"#);
        assert_eq!(
            written(&CancelOnDisconnect { enabled: true, timestamp }),
            r#"{"type":"cancelOnDisconnect","enabled":true,"timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&ErrorMessage { message: "no", room: None, timestamp }),
            r#"{"type":"error","data":{"message":"no"},"timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&ErrorMessage { message: "no", room: Some("prices:1"), timestamp }),
            r#"{"type":"error","data":{"message":"no"},"room":"prices:1","timestamp":1700000000000}"#
        );
    }

    #[test]
    fn an_answer_carries_the_id_of_its_message_as_it_came() {
        for (id, expected) in [
            ("7", r#"{"type":"pong","timestamp":1,"id":7}"#),
            ("-1.5", r#"{"type":"pong","timestamp":1,"id":-1.5}"#),
            (r#""a""#, r#"{"type":"pong","timestamp":1,"id":"a"}"#),
        ] {
            let id: TextOrNumber = serde_json::from_str(id).expect("an id");
            assert_eq!(written(&Answer { message: Pong { timestamp: 1 }, id: Some(&id) }), expected);
        }
        let without = Answer { message: Pong { timestamp: 1 }, id: None };
        assert_eq!(written(&without), r#"{"type":"pong","timestamp":1}"#);
    }
}
