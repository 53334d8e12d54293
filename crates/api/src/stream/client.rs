//! Client messages. Every key is optional here: the required ones depend on the type and the channel, and the server
//! names a missing one.

use std::fmt;

use crate::json::WriteJson;
use crate::schema::ToSchema;
use serde::Deserialize;

/// One message of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientMessage {
    /// `subscribe`, `unsubscribe`, `cancelOnDisconnect` or `ping`.
    #[serde(rename = "type")]
    pub message_type: Option<String>,
    /// Chosen by the client and repeated in every answer to this message: a number, or a text of up to 64 characters.
    #[schema(inline)]
    pub id: Option<TextOrNumber>,
    pub channel: Option<String>,
    pub event_id: Option<String>,
    /// Up to 50 events at once.
    pub event_ids: Option<Vec<String>>,
    pub market_id: Option<String>,
    /// Up to 10 markets at once.
    pub market_ids: Option<Vec<String>>,
    /// Up to 50 games at once.
    pub game_ids: Option<Vec<String>>,
    /// Up to 50 symbols at once.
    pub symbols: Option<Vec<String>>,
    pub currency: Option<String>,
    /// The room to `unsubscribe` from, as the subscription's answer named it.
    pub room: Option<String>,
    pub user_id: Option<String>,
    /// The setting of a `cancelOnDisconnect`.
    pub enabled: Option<bool>,
    pub auth: Option<Auth>,
    /// The last sequence that the client has of the rooms it subscribes to.
    pub resume_from: Option<u64>,
}

/// The sender, on the endpoint that asks for it. A session comes before a key if both are there. A public key alone only
/// reads; `cancelOnDisconnect` needs a session or a signature.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Auth {
    /// The public half of an API key.
    pub api_key: Option<String>,
    /// Unix seconds of the signature, at most 300 from the server's time.
    #[schema(inline)]
    pub timestamp: Option<TextOrNumber>,
    /// Base64 of the HMAC-SHA256 by the key's secret over `{timestamp}.WS./ws/v1/user.{bodyHash}`, where `bodyHash` is the
    /// lower-case hex SHA-256 of `cancelOnDisconnect.{enabled}.{clientId}` and `clientId` is the one in this connection's
    /// `connected` message.
    pub signature: Option<String>,
    /// The token of a session.
    pub access_token: Option<String>,
    pub device_id: Option<String>,
}

/// Credentials must not appear in a log.
impl fmt::Debug for Auth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Auth(…)")
    }
}

/// A JSON string or number, kept as it came.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, WriteJson)]
#[serde(untagged, expecting = "must be a text or a number")]
pub enum TextOrNumber {
    Number(serde_json::Number),
    Text(String),
}

impl fmt::Display for TextOrNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextOrNumber::Number(number) => number.fmt(formatter),
            TextOrNumber::Text(text) => text.fmt(formatter),
        }
    }
}
