//! Messages about the connection itself. Only the heartbeat carries a sequence: the others are responses, not data.

use uuid::Uuid;

use super::TextOrNumber;
use crate::json::WriteJson;

/// An answer to a client's message, with the id of that message if it had one.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
pub struct Answer<'a, T> {
    #[serde(flatten)]
    pub message: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a TextOrNumber>,
}

/// The first message on every connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "connected", rename_all = "camelCase")]
pub struct Connected {
    status: &'static str,
    client_id: Uuid,
    message: &'static str,
    /// Unix milliseconds, as in all of these.
    timestamp: i64,
}

impl Connected {
    pub const fn new(client_id: Uuid, timestamp: i64) -> Connected {
        let message = "Successfully connected to WebSocket server";
        Connected { status: "connected", client_id, message, timestamp }
    }
}

/// A room was entered.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "subscribed")]
pub struct Subscribed<'a> {
    room: &'a str,
    message: String,
    timestamp: i64,
}

impl<'a> Subscribed<'a> {
    pub fn new(room: &'a str, timestamp: i64) -> Subscribed<'a> {
        Subscribed { room, message: format!("Subscribed to: {room}"), timestamp }
    }
}

/// A room was left.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "unsubscribed")]
pub struct Unsubscribed<'a> {
    room: &'a str,
    message: String,
    timestamp: i64,
}

impl<'a> Unsubscribed<'a> {
    pub fn new(room: &'a str, timestamp: i64) -> Unsubscribed<'a> {
        Unsubscribed { room, message: format!("Unsubscribed from: {room}"), timestamp }
    }
}

/// Nothing has happened in a room for a while: how far it is, and how far that is known.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "heartbeat")]
pub struct Heartbeat<'a> {
    pub room: &'a str,
    /// Of the room's last message.
    pub sequence: u64,
    /// Up to here nothing else has changed.
    pub head: u64,
    pub timestamp: i64,
}

/// The end of the connection cancels everything that rests, or no longer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "cancelOnDisconnect")]
pub struct CancelOnDisconnect {
    pub enabled: bool,
    pub timestamp: i64,
}

/// The answer to a `ping`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "pong")]
pub struct Pong {
    pub timestamp: i64,
}

/// A message was not understood or not allowed, or one room of it cannot be entered. The connection stays open.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
#[serde(tag = "type", rename = "error")]
pub struct ErrorMessage<'a> {
    data: ErrorData<'a>,
    /// The room that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<&'a str>,
    timestamp: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
struct ErrorData<'a> {
    message: &'a str,
}

impl<'a> ErrorMessage<'a> {
    pub const fn new(message: &'a str, room: Option<&'a str>, timestamp: i64) -> ErrorMessage<'a> {
        ErrorMessage { data: ErrorData { message }, room, timestamp }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn written(message: &impl WriteJson) -> String {
        String::from_utf8(json::to_vec(message)).expect("UTF-8")
    }

    #[test]
    fn control_messages_are_written_as_public_clients_read_them() {
        let (client_id, timestamp) = (Uuid::nil(), 1_700_000_000_000);
        assert_eq!(
            written(&Connected::new(client_id, timestamp)),
            r#"{"type":"connected","status":"connected","clientId":"00000000-0000-0000-0000-000000000000","message":"Successfully connected to WebSocket server","timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&Subscribed::new("prices:1", timestamp)),
            r#"{"type":"subscribed","room":"prices:1","message":"Subscribed to: prices:1","timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&Unsubscribed::new("prices:1", timestamp)),
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
            written(&ErrorMessage::new("no", None, timestamp)),
            r#"{"type":"error","data":{"message":"no"},"timestamp":1700000000000}"#
        );
        assert_eq!(
            written(&ErrorMessage::new("no", Some("prices:1"), timestamp)),
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
