//! Wrong messages, each answered with a sentence on a connection that stays open.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::hall::Hall;

#[tokio::test]
async fn a_wrong_message_is_an_error_with_a_reason_and_the_connection_continues() {
    let hall = Hall::open().await;
    let (book, hidden, pool) = (&hall.stage.book, &hall.stage.hidden, &hall.stage.pool);
    let absent = Uuid::now_v7();
    let channel = |name: &str| json!({"type": "subscribe", "channel": name});
    let with = |name: &str, key: &str, value: Value| {
        let mut message = channel(name);
        message[key] = value;
        message
    };
    let elsewhere = {
        let mut message = with("activity", "eventId", json!(book.event));
        message["marketId"] = json!(pool.market);
        message
    };
    let currency = {
        let mut message = with("orderbook", "marketIds", json!([book.market]));
        message["currency"] = json!("EUR");
        message
    };
    let mut reader = hall.connect("/ws/v1/markets").await;
    for (message, words) in [
        (json!({}), "Message type is required"),
        (json!({"type": "shout"}), "Unknown message type: shout"),
        (json!({"type": 7}), "Invalid message: type"),
        (json!({"type": "subscribe"}), "Channel is required"),
        (channel("weather"), "Unknown channel: weather"),
        (channel("orders"), "connect to /ws/v1/user"),
        (channel("asset_prices"), "connect to /ws/v1/realtime"),
        (channel("activity"), "eventId or eventIds are required to subscribe to activity"),
        (channel("prices"), "eventId or eventIds are required to subscribe to prices"),
        (channel("orderbook"), "marketIds are required to subscribe to orderbook"),
        (channel("user_trades"), "userId is required to subscribe to user_trades"),
        (with("prices", "eventId", json!("x")), "eventId must be a UUID"),
        (with("prices", "eventId", json!(absent)), "Event not found"),
        (with("prices", "eventId", json!(hidden.event)), "Event not found"),
        (elsewhere, "Market not found in this event"),
        (with("orderbook", "marketIds", json!([absent])), "Market not found"),
        (with("orderbook", "marketIds", json!([hidden.market])), "Market not found"),
        (with("orderbook", "marketIds", json!(vec![book.market; 11])), "At most 10 marketIds"),
        (with("orderbook", "marketIds", json!([])), "marketIds are required"),
        (currency, "currency must be USD or NGN"),
        (with("user_trades", "userId", json!(absent)), "User not found"),
        (with("user_trades", "userId", json!(Uuid::nil())), "User not found"),
        (json!({"type": "unsubscribe"}), "Room name is required"),
    ] {
        hall.stage.clock.advance_seconds(1);
        reader.send(message).await;
        reader.failed(words).await;
    }
    for (raw, words) in [
        (Message::text("{"), "Invalid message"),
        (Message::text("[]"), "must be a JSON object"),
        (Message::text(""), "Invalid message"),
        (Message::text(r#"{"type":"ping","type":"ping"}"#), "Invalid message"),
        (Message::text(format!("{}1{}", r#"{"a":"#.repeat(40), "}".repeat(40))), "nested"),
        (Message::binary(vec![1, 2, 3]), "not binary"),
    ] {
        hall.stage.clock.advance_seconds(1);
        reader.send_raw(raw).await;
        reader.failed(words).await;
    }
    reader.send(json!({"type": "ping"})).await;
    let pong = reader.next().await;
    assert_eq!(pong, json!({"type": "pong", "timestamp": pong["timestamp"]}));
}

#[tokio::test]
async fn the_other_endpoints_name_the_endpoint_of_a_channel() {
    let hall = Hall::open().await;
    let mut reader = hall.connect("/ws/v1/realtime").await;
    reader.send(json!({"type": "subscribe", "channel": "prices", "eventId": hall.stage.book.event})).await;
    reader.failed("connect to /ws/v1/markets").await;
    let mut reader = hall.connect("/ws/v1/user").await;
    let auth = json!({"apiKey": hall.stage.alice.key.public});
    reader.send(json!({"type": "subscribe", "channel": "activity", "auth": auth})).await;
    reader.failed("connect to /ws/v1/markets").await;
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_connection_with_a_reason() {
    let hall = Hall::open().await;
    let mut reader = hall.connect("/ws/v1/markets").await;
    reader.send(json!({"type": "ping", "pad": "x".repeat(20_000)})).await;
    let (messages, end) = reader.rest().await;
    assert!(messages.is_empty());
    assert_eq!(end, Some((1002, "a message that cannot be read, or is too long".to_owned())));
}
