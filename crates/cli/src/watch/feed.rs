//! The connections: one to the public stream and, with a key, one to the owner's. Each reconnects by itself with increasing
//! delays, and reports that.

use std::time::Duration;

use client::models::OrderData;
use client::{
    Endpoint as Address, Listener, ListenerEvent, Message, OrderFilters, OrderStatus, Subscription,
};
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
            Ok(ListenerEvent::Connected) => Note::Connected(endpoint),
            Ok(ListenerEvent::Lost { reason, wait }) => Note::Lost(endpoint, reason, wait),
            Ok(ListenerEvent::Refused(words)) => Note::Refused(words),
            Ok(ListenerEvent::Message(message)) => Note::Message(message),
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
    let mut orders = Vec::new();
    for filters in open_filters(target) {
        match target.client.orders(filters).all().await {
            Ok(found) => orders.extend(found.iter().map(|order| order.data().clone())),
            Err(error) => return Note::Refused(format!("the open orders cannot be read: {error}")),
        }
    }
    Note::OpenOrders(orders)
}

/// A list has one status. Partly filled orders come second: an order that fills in between is in one list at least.
fn open_filters(target: &Target) -> [OrderFilters; 2] {
    [OrderStatus::Open, OrderStatus::PartialFilled].map(|status| OrderFilters {
        status: Some(status),
        market_id: Some(target.market),
        ..OrderFilters::default()
    })
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

#[cfg(test)]
mod tests {
    use super::super::view::tests::target;
    use super::*;

    #[test]
    fn partly_filled_orders_are_open_too() {
        let statuses = open_filters(&target()).map(|filters| filters.status);
        assert_eq!(statuses, [Some(OrderStatus::Open), Some(OrderStatus::PartialFilled)]);
    }
}
