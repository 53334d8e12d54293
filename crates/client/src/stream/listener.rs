//! Channels without changes: prices, activity, whole books, orders, prices of assets.

use std::time::Duration;

use api::terms::Currency;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::connection::{Connection, Report, WITHOUT_HEARTBEATS};
use super::market::websocket;
use crate::credentials::{Credentials, USER_STREAM};
use crate::error::{Error, Result};

/// The address of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// `activity`, `prices`, `orderbook`, `games`.
    Markets,
    /// `orders`; needs a key.
    User,
    /// `asset_prices`.
    Realtime,
}

impl Endpoint {
    fn path(self) -> &'static str {
        match self {
            Endpoint::Markets => "/ws/v1/markets",
            Endpoint::User => USER_STREAM,
            Endpoint::Realtime => "/ws/v1/realtime",
        }
    }
}

/// A channel and its subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscription(Map<String, Value>);

impl Subscription {
    /// Any channel. `with` adds its subject.
    pub fn new(channel: &str) -> Subscription {
        Subscription(Map::new()).with("type", json!("subscribe")).with("channel", json!(channel))
    }

    /// Prices and states of an event's markets.
    pub fn prices(event_id: Uuid) -> Subscription {
        Subscription::new("prices").with("eventId", json!(event_id))
    }

    /// Fills in one market.
    pub fn activity(event_id: Uuid, market_id: Uuid) -> Subscription {
        Subscription::new("activity").with("eventId", json!(event_id)).with("marketId", json!(market_id))
    }

    /// Whole books of a market. `Market::follow` is better for programs that trade.
    pub fn orderbook(market_id: Uuid, currency: Currency) -> Subscription {
        Subscription::new("orderbook").with("marketIds", json!([market_id])).with("currency", json!(currency))
    }

    /// Your orders in a market.
    pub fn orders(market_id: Uuid) -> Subscription {
        Subscription::new("orders").with("marketIds", json!([market_id]))
    }

    /// Prices of assets, such as BTCUSDT.
    pub fn asset_prices(symbols: &[&str]) -> Subscription {
        Subscription::new("asset_prices").with("symbols", json!(symbols))
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Subscription {
        self.0.insert(name.to_owned(), value);
        self
    }
}

/// A message of a channel, such as `price_update`.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Such as `price_update`.
    pub kind: String,
    /// The room; empty if the message names none.
    pub room: String,
    /// The request that caused it; 0 if the message names none.
    pub sequence: u64,
    /// Milliseconds since 1970.
    pub timestamp: i64,
    /// The content as plain JSON: its numbers may be floats.
    pub data: Value,
}

/// A step of a listener.
#[derive(Clone, Debug, PartialEq)]
pub enum ListenerEvent {
    /// All subscriptions are acknowledged: from here on no message is missed.
    Connected,
    /// The connection ended; another is opened after `wait`. Messages in between are missed.
    Lost {
        /// Why.
        reason: String,
        /// How long until the next try.
        wait: Duration,
    },
    /// The exchange refused a subscription or a message.
    Refused(String),
    /// A message.
    Message(Message),
}

/// Messages of channels over one connection. Made by `Client::listen`.
#[derive(Debug)]
pub struct Listener {
    url: String,
    subscriptions: Vec<Subscription>,
    connection: Option<Connection>,
    /// Subscriptions that are not acknowledged yet.
    missing: usize,
    /// Connections in a row that carried a message of something else.
    misread: u32,
}

#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    room: String,
    #[serde(default)]
    sequence: u64,
    #[serde(default)]
    timestamp: i64,
    data: Option<Value>,
}

impl Listener {
    pub(crate) fn new(
        base_url: &str,
        endpoint: Endpoint,
        subscriptions: Vec<Subscription>,
        credentials: Option<&Credentials>,
    ) -> Listener {
        let authenticate = |subscription: Subscription| match (endpoint, credentials) {
            (Endpoint::User, Some(key)) => subscription.with("auth", json!({"apiKey": key.public_key()})),
            _ => subscription,
        };
        Listener {
            url: format!("{}{}", websocket(base_url), endpoint.path()),
            subscriptions: subscriptions.into_iter().map(authenticate).collect(),
            connection: None,
            missing: 0,
            misread: 0,
        }
    }

    /// The next step. Ends only with an error: the exchange refused the stream. Safe to cancel.
    pub async fn next(&mut self) -> Result<ListenerEvent> {
        loop {
            let url = &self.url;
            let start = || Connection::start(url.clone(), WITHOUT_HEARTBEATS);
            let connection = self.connection.get_or_insert_with(start);
            match connection.next().await {
                Report::Opened => {
                    self.missing = self.subscriptions.len();
                    for Subscription(fields) in &self.subscriptions {
                        connection.send(Value::Object(fields.clone()).to_string());
                    }
                }
                Report::Lost { reason, wait } => return Ok(ListenerEvent::Lost { reason, wait }),
                Report::Refused(reason) => {
                    // The next step connects again, and tells the reason again.
                    self.connection = None;
                    return Err(Error::StreamRefused(reason));
                }
                Report::Text(text) => {
                    if let Some(heard) = self.take(&text) {
                        return Ok(heard);
                    }
                }
            }
        }
    }

    fn take(&mut self, text: &str) -> Option<ListenerEvent> {
        let connection = self.connection.as_mut()?;
        let Ok(raw) = serde_json::from_str::<Raw>(text) else {
            self.misread += 1;
            connection.restart("a message that is not of the exchange".to_owned(), self.misread);
            return None;
        };
        let Raw { kind, room, sequence, timestamp, data } = raw;
        match (kind.as_str(), data) {
            ("subscribed", _) if self.missing > 0 => {
                self.missing -= 1;
                (self.missing == 0).then(|| {
                    connection.is_working();
                    self.misread = 0;
                    ListenerEvent::Connected
                })
            }
            ("error", data) => {
                let words = data.and_then(|data| data["message"].as_str().map(str::to_owned));
                Some(ListenerEvent::Refused(words.unwrap_or_else(|| "refused".to_owned())))
            }
            (_, Some(data)) => {
                connection.is_working();
                let kind = kind.clone();
                Some(ListenerEvent::Message(Message { kind, room, sequence, timestamp, data }))
            }
            (_, None) => None,
        }
    }
}
