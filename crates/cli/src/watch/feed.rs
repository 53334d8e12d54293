//! The connections: one to the public stream and, with a key, one to the owner's. Each reconnects by itself with increasing
//! delays, and reports that.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::target::{Target, printable};

const WAIT_MIN: Duration = Duration::from_millis(500);
const WAIT_MAX: Duration = Duration::from_secs(15);
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// Silence before a ping, and again before the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(15);

/// Which of the two connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    Market,
    Own,
}

/// A message to the display.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Note {
    Connected(Endpoint),
    /// The reason, and the delay before the next attempt.
    Lost(Endpoint, String, Duration),
    Message(Value),
    /// The open orders when the owner's stream began. Later changes arrive as messages.
    OpenOrders(Vec<Value>),
}

/// The receiver has been dropped.
struct Gone;

pub(super) fn start(target: &Target, notes: &Sender<Note>) {
    tokio::spawn(keep(Endpoint::Market, target.clone(), notes.clone()));
    if target.public_key.is_some() {
        tokio::spawn(keep(Endpoint::Own, target.clone(), notes.clone()));
    }
}

/// Reconnects until the receiver is dropped.
async fn keep(endpoint: Endpoint, target: Target, notes: Sender<Note>) {
    let mut wait = WAIT_MIN;
    loop {
        let began = Instant::now();
        let Ok(why) = follow(endpoint, &target, &notes).await else { return };
        // A connection that lasted was healthy: reset the delay.
        if began.elapsed() > WAIT_MAX {
            wait = WAIT_MIN;
        }
        if notes.send(Note::Lost(endpoint, why, wait)).await.is_err() {
            return;
        }
        sleep(wait).await;
        wait = (wait * 2).min(WAIT_MAX);
    }
}

/// Runs one connection and returns why it ended.
async fn follow(endpoint: Endpoint, target: &Target, notes: &Sender<Note>) -> Result<String, Gone> {
    let path = match endpoint {
        Endpoint::Market => "/ws/v1/markets",
        Endpoint::Own => "/ws/v1/user",
    };
    let mut socket = match timeout(CONNECT_MAX, connect_async(target.stream(path))).await {
        Ok(Ok((socket, _))) => socket,
        Ok(Err(error)) => return Ok(error.to_string()),
        Err(_) => return Ok("no answer".to_owned()),
    };
    let wanted = subscriptions(endpoint, target);
    let mut missing = wanted.len();
    for message in wanted {
        if let Err(error) = socket.send(Message::text(message.to_string())).await {
            return Ok(error.to_string());
        }
    }
    let mut is_asked = false;
    loop {
        let received = match timeout(SILENCE, socket.next()).await {
            Ok(received) => received,
            Err(_) if is_asked => return Ok("timed out".to_owned()),
            Err(_) => {
                is_asked = true;
                let _ = socket.send(Message::text(ping(endpoint, target).to_string())).await;
                continue;
            }
        };
        is_asked = false;
        match received {
            Some(Ok(Message::Text(text))) => {
                let Ok(message) = serde_json::from_str::<Value>(&text) else { continue };
                if message["type"] == "subscribed" {
                    missing = missing.saturating_sub(1);
                    if missing == 0 {
                        begin(endpoint, target, notes).await?;
                    }
                } else {
                    notes.send(Note::Message(message)).await.map_err(|_| Gone)?;
                }
            }
            Some(Ok(Message::Close(frame))) => {
                let reason = frame.map(|frame| printable(&frame.reason)).unwrap_or_default();
                return Ok(if reason.is_empty() { "it was closed".to_owned() } else { reason });
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Ok(error.to_string()),
            None => return Ok("it ended".to_owned()),
        }
    }
}

/// All subscriptions are acknowledged: from here on no message is missed.
async fn begin(endpoint: Endpoint, target: &Target, notes: &Sender<Note>) -> Result<(), Gone> {
    notes.send(Note::Connected(endpoint)).await.map_err(|_| Gone)?;
    // Read open orders after subscribing, so that no change is missed in between.
    if let (Endpoint::Own, Some(key)) = (endpoint, target.public_key.clone()) {
        let target = target.clone();
        let read = tokio::task::spawn_blocking(move || target.open_orders(&key)).await;
        if let Ok(Ok(orders)) = read {
            notes.send(Note::OpenOrders(orders)).await.map_err(|_| Gone)?;
        }
    }
    Ok(())
}

fn subscriptions(endpoint: Endpoint, target: &Target) -> Vec<Value> {
    let (event, market) = (&target.event, &target.market);
    match endpoint {
        Endpoint::Market => vec![
            json!({"type": "subscribe", "channel": "prices", "eventId": event}),
            json!({"type": "subscribe", "channel": "orderbook", "marketIds": [market], "currency": target.currency}),
            json!({"type": "subscribe", "channel": "activity", "eventId": event, "marketId": market}),
        ],
        Endpoint::Own => vec![
            json!({"type": "subscribe", "channel": "orders", "marketIds": [market], "auth": auth(target)}),
        ],
    }
}

fn auth(target: &Target) -> Value {
    json!({"apiKey": target.public_key})
}

fn ping(endpoint: Endpoint, target: &Target) -> Value {
    match endpoint {
        Endpoint::Market => json!({"type": "ping"}),
        Endpoint::Own => json!({"type": "ping", "auth": auth(target)}),
    }
}
