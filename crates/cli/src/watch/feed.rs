//! The connections: one to the public stream and, with a key, one to the owner's. Each reconnects by itself with increasing
//! delays, and reports that.

use std::time::Duration;

use client::models::OrderData;
use client::{Endpoint as Address, Heard, Listener, Message, OrderFilters, OrderStatus, Subscription};
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::target::Target;

/// The delay after the exchange has refused a stream.
const WAIT_AFTER_REFUSAL: Duration = Duration::from_secs(15);

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
    Message(Message),
    /// The exchange refused one of our messages, or a read of the open orders failed.
    Refused(String),
    /// The open orders when the owner's stream began. Later changes arrive as messages.
    OpenOrders(Vec<OrderData>),
}

/// The receiver has been dropped.
struct Gone;

pub(super) fn start(target: &Target, notes: &Sender<Note>) {
    tokio::spawn(keep(Endpoint::Market, target.clone(), notes.clone()));
    if target.has_key() {
        tokio::spawn(keep(Endpoint::Own, target.clone(), notes.clone()));
    }
}

/// Listens until the receiver is dropped.
async fn keep(endpoint: Endpoint, target: Target, notes: Sender<Note>) {
    loop {
        let listener = target.client.listen(address(endpoint), subscriptions(endpoint, &target));
        let Ok(why) = follow(endpoint, &target, listener, &notes).await else { return };
        if notes.send(Note::Lost(endpoint, why, WAIT_AFTER_REFUSAL)).await.is_err() {
            return;
        }
        sleep(WAIT_AFTER_REFUSAL).await;
    }
}

/// Reports until the exchange refuses the stream, and returns why.
async fn follow(
    endpoint: Endpoint,
    target: &Target,
    mut listener: Listener,
    notes: &Sender<Note>,
) -> Result<String, Gone> {
    loop {
        let note = match listener.next().await {
            Ok(Heard::Connected) => Note::Connected(endpoint),
            Ok(Heard::Lost { reason, wait }) => Note::Lost(endpoint, reason, wait),
            Ok(Heard::Refused(words)) => Note::Refused(words),
            Ok(Heard::Message(message)) => Note::Message(message),
            Err(error) => return Ok(error.to_string()),
        };
        let has_begun = note == Note::Connected(Endpoint::Own);
        notes.send(note).await.map_err(|_| Gone)?;
        // Read open orders after subscribing, so that no change is missed in between.
        if has_begun {
            notes.send(open_orders(target).await).await.map_err(|_| Gone)?;
        }
    }
}

/// The key owner's open orders in the market.
async fn open_orders(target: &Target) -> Note {
    let filters = OrderFilters {
        status: Some(OrderStatus::Open),
        market_id: Some(target.market),
        ..OrderFilters::default()
    };
    match target.client.orders(filters).all().await {
        Ok(orders) => Note::OpenOrders(orders.iter().map(|order| order.data().clone()).collect()),
        Err(error) => Note::Refused(format!("the open orders cannot be read: {error}")),
    }
}

fn address(endpoint: Endpoint) -> Address {
    match endpoint {
        Endpoint::Market => Address::Markets,
        Endpoint::Own => Address::User,
    }
}

fn subscriptions(endpoint: Endpoint, target: &Target) -> Vec<Subscription> {
    let (event, market) = (target.event, target.market);
    match endpoint {
        Endpoint::Market => vec![
            Subscription::prices(event),
            Subscription::orderbook(market, target.currency),
            Subscription::activity(event, market),
        ],
        Endpoint::Own => vec![Subscription::orders(market)],
    }
}
