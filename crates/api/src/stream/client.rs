//! What a client sends. Everything may be missing: which fields are needed depends on the type and the channel, and whoever
//! reads the message says which one it misses.

use serde::Deserialize;
use utoipa::ToSchema;

/// One message of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientMessage {
    /// `subscribe`, `unsubscribe`, `cancelOnDisconnect` or `ping`.
    #[serde(rename = "type")]
    pub message_type: Option<String>,
    pub channel: Option<String>,
    pub event_id: Option<String>,
    pub market_id: Option<String>,
    pub market_ids: Option<Vec<String>>,
    pub symbols: Option<Vec<String>>,
    pub currency: Option<String>,
    /// What an `unsubscribe` is about, as the subscription's answer named it.
    pub room: Option<String>,
    pub user_id: Option<String>,
    /// What a `cancelOnDisconnect` sets.
    pub enabled: Option<bool>,
    pub auth: Option<Auth>,
    /// The last sequence that the client has of the rooms it subscribes to.
    pub resume_from: Option<u64>,
}

/// Who sends it, on the endpoint that asks for this. A session comes before a key if both are there.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Auth {
    /// The public half of an API key.
    pub api_key: Option<String>,
    /// The token of a session.
    pub access_token: Option<String>,
    pub device_id: Option<String>,
}

/// Neither half of a credential belongs into a log.
impl std::fmt::Debug for Auth {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Auth(…)")
    }
}
