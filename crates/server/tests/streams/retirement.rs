//! Streams about retired events: a subscription is answered as for an event that has just ended.

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::governance::Policy;
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::limit;
use uuid::Uuid;

use crate::hall::Hall;

const PATH: &str = "/ws/v1/markets";

/// The data of the messages that follow the acknowledgement of a subscription.
async fn shown(hall: &Hall, message: &Value, room: &str, messages: usize) -> Vec<Value> {
    let mut reader = hall.subscribed(PATH, message.clone()).await;
    reader.acknowledged(room).await;
    let mut shown = Vec::new();
    for _ in 0..messages {
        let mut message = reader.next().await;
        // Sequence and time of the exchange.
        for key in ["sequence", "timestamp"] {
            message.as_object_mut().expect("an object").remove(key);
        }
        if let Some(book) = message["data"]["orderbook"].as_object_mut() {
            book.remove("timestamp");
        }
        shown.push(message);
    }
    shown
}

#[tokio::test]
async fn a_subscription_to_a_retired_event_is_answered_as_before() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let market = MarketId::new(book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })).await;
    let rooms = [
        (
            json!({"type": "subscribe", "channel": "prices", "eventId": book.event}),
            format!("prices:{}", book.event),
            1,
        ),
        (
            json!({"type": "subscribe", "channel": "orderbook", "marketIds": [book.market], "currency": "USD"}),
            format!("orderbook:{}:USD", book.market),
            2,
        ),
        (
            json!({"type": "subscribe", "channel": "activity", "eventId": book.event}),
            format!("activity:{}", book.event),
            0,
        ),
        (
            json!({"type": "subscribe", "channel": "changes", "marketIds": [book.market]}),
            format!("changes:{}:USD", book.market),
            1,
        ),
    ];
    let look = async || {
        let mut all = Vec::new();
        for (message, room, messages) in &rooms {
            all.push(shown(&hall, message, room, *messages).await);
        }
        all
    };
    let before = look().await;
    stage.clock.advance_seconds(3_600);
    stage.operate(Command::SetPolicy(Policy { retire_after_seconds: 60, ..Policy::default() })).await;
    stage.operate(Command::Tick).await;
    assert_eq!(stage.app().reading().state().catalogue().find_market(market), None);
    assert_eq!(look().await, before);

    let unknown = json!({"type": "subscribe", "channel": "prices", "eventId": Uuid::nil()});
    let mut reader = hall.subscribed(PATH, unknown).await;
    reader.failed("Event not found").await;
}
