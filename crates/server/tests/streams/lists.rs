//! Subscriptions to several things at once: existing ones are subscribed to, missing ones are named, and an answer
//! carries the id of its message.

use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::text::Text;
use serde_json::{Value, json};
use stage::node::text;
use uuid::Uuid;

use crate::hall::Hall;
use crate::reader::Reader;

const MARKETS: &str = "/ws/v1/markets";

async fn record(hall: &Hall, symbol: &str) {
    let (symbol, source) = (Text::from(symbol), Text::from("desk"));
    let source_time = hall.stage.app().now();
    hall.stage
        .operate(Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(1), source, source_time }))
        .await;
}

/// Reads until so many rooms are acknowledged or refused: the rooms that were entered, and those that were not.
async fn outcome(reader: &mut Reader, rooms: usize) -> (Vec<String>, Vec<(Value, String)>) {
    let (mut entered, mut refused) = (Vec::new(), Vec::new());
    while entered.len() + refused.len() < rooms {
        let message = reader.next().await;
        match text(&message["type"]) {
            "subscribed" => entered.push(text(&message["room"]).to_owned()),
            "error" => refused.push((message["room"].clone(), text(&message["data"]["message"]).to_owned())),
            _ => {}
        }
    }
    (entered, refused)
}

#[tokio::test]
async fn twenty_eight_events_in_a_loop_are_all_subscribed_to() {
    let hall = Hall::open().await;
    let mut reader = hall.connect(MARKETS).await;
    let mut wanted = Vec::new();
    for number in 0..28 {
        let event = hall.stage.create_book(&format!("book-{number}")).await.event;
        reader.send(json!({"type": "subscribe", "channel": "prices", "eventId": event})).await;
        wanted.push(format!("prices:{event}"));
    }
    assert_eq!(outcome(&mut reader, 28).await, (wanted, Vec::new()));
}

#[tokio::test]
async fn one_unknown_symbol_does_not_void_the_others() {
    let hall = Hall::open().await;
    record(&hall, "BTCUSDT").await;
    record(&hall, "ETHUSDT").await;
    let symbols = ["BTCUSDT", "NOSUCH", "ETHUSDT", "BTCUSDT"];
    let message = json!({"type": "subscribe", "channel": "asset_prices", "symbols": symbols});
    let mut reader = hall.subscribed("/ws/v1/realtime", message).await;
    let (entered, refused) = outcome(&mut reader, 3).await;
    assert_eq!(entered, ["asset_prices:BTCUSDT", "asset_prices:ETHUSDT"]);
    let unsupported = (json!("asset_prices:NOSUCH"), "Unsupported symbol: NOSUCH".to_owned());
    assert_eq!(refused, [unsupported]);
}

#[tokio::test]
async fn events_and_markets_of_a_list_that_exist_are_subscribed_to_and_the_others_are_named() {
    let hall = Hall::open().await;
    let (book, pool, hidden) = (&hall.stage.book, &hall.stage.pool, &hall.stage.hidden);
    let absent = Uuid::now_v7();
    let mut reader = hall.connect(MARKETS).await;
    let unknown = |room: String, words: String| (json!(room), words);
    for channel in ["prices", "activity"] {
        let events = json!([book.event, absent, hidden.event, "x", pool.event, book.event]);
        reader.send(json!({"type": "subscribe", "channel": channel, "eventIds": events})).await;
        let (entered, refused) = outcome(&mut reader, 5).await;
        let room = |event: Uuid| format!("{channel}:{event}");
        assert_eq!(entered, [room(book.event), room(pool.event)]);
        let expected = [
            unknown(room(absent), format!("Event not found: {absent}")),
            unknown(room(hidden.event), format!("Event not found: {}", hidden.event)),
            (Value::Null, "eventIds must be UUIDs: x".to_owned()),
        ];
        assert_eq!(refused, expected);
    }
    let message = json!({"type": "subscribe", "channel": "orderbook", "marketIds": [absent, book.market], "marketId": pool.market, "currency": "NGN"});
    reader.send(message).await;
    let (entered, refused) = outcome(&mut reader, 3).await;
    let room = |market: Uuid| format!("orderbook:{market}:NGN");
    assert_eq!(entered, [room(pool.market), room(book.market)]);
    assert_eq!(refused, [unknown(room(absent), format!("Market not found: {absent}"))]);
    // Several markets of one event.
    let message = json!({"type": "subscribe", "channel": "activity", "eventId": book.event, "marketIds": [book.market, pool.market]});
    reader.send(message).await;
    let (entered, refused) = outcome(&mut reader, 2).await;
    assert_eq!(entered, [format!("activity:{}:{}", book.event, book.market)]);
    let elsewhere = format!("activity:{}:{}", book.event, pool.market);
    assert_eq!(refused, [unknown(elsewhere, format!("Market not found in this event: {}", pool.market))]);
}

#[tokio::test]
async fn lists_have_bounds_and_a_list_may_fill_a_connection() {
    let hall = Hall::open().await;
    let absent = Uuid::now_v7();
    let mut reader = hall.connect(MARKETS).await;
    let with =
        |channel: &str, key: &str, ids: Value| json!({"type": "subscribe", "channel": channel, key: ids});
    for (message, words) in [
        (with("prices", "eventIds", json!(vec![absent; 51])), "At most 50 eventIds"),
        (with("prices", "eventIds", json!([])), "eventId or eventIds are required to subscribe to prices"),
        (with("activity", "marketIds", json!([absent])), "eventId or eventIds are required"),
        (with("orderbook", "marketIds", json!(vec![absent; 11])), "At most 10 marketIds"),
    ] {
        reader.send(message).await;
        reader.failed(words).await;
    }
    let mut two_events = with("activity", "eventIds", json!([hall.stage.book.event, hall.stage.pool.event]));
    two_events["marketIds"] = json!([hall.stage.book.market]);
    reader.send(two_events).await;
    reader.failed("One eventId alone goes with marketIds").await;
    let events: Vec<Uuid> = (0..50).map(|_| Uuid::now_v7()).collect();
    reader.send(with("prices", "eventIds", json!(events))).await;
    let (entered, refused) = outcome(&mut reader, 50).await;
    assert_eq!((entered.len(), refused.len()), (0, 50));
}

#[tokio::test]
async fn a_subscription_costs_a_message_for_each_room_that_it_names() {
    let hall = Hall::open().await;
    let mut reader = hall.connect(MARKETS).await;
    let events: Vec<Uuid> = (0..50).map(|_| Uuid::now_v7()).collect();
    let message = json!({"type": "subscribe", "channel": "prices", "eventIds": events, "id": "all"});
    for _ in 0..4 {
        reader.send(message.clone()).await;
        assert_eq!(outcome(&mut reader, 50).await.1.len(), 50);
    }
    reader.send(message.clone()).await;
    assert_eq!(reader.failed("Rate limit exceeded").await["id"], "all");
    // The subscription waits until all of it can be paid for.
    hall.stage.clock.advance_seconds(4);
    reader.send(message.clone()).await;
    reader.failed("Rate limit exceeded").await;
    hall.stage.clock.advance_seconds(2);
    reader.send(message).await;
    assert_eq!(outcome(&mut reader, 50).await.1.len(), 50);
}

#[tokio::test]
async fn an_answer_carries_the_id_of_its_message_and_an_error_its_room() {
    let hall = Hall::open().await;
    let (alice, book) = (&hall.stage.alice, &hall.stage.book);
    let mut reader = hall.connect(MARKETS).await;
    let room = format!("activity:{}", book.event);
    reader.send(json!({"type": "subscribe", "channel": "activity", "eventId": book.event, "id": 7})).await;
    let answer = reader.next().await;
    assert_eq!(
        (&answer["type"], &answer["room"], &answer["id"]),
        (&json!("subscribed"), &json!(room), &json!(7))
    );
    for (message, expected) in [
        (json!({"type": "ping", "id": "a"}), json!({"type": "pong", "id": "a"})),
        (json!({"type": "ping", "id": 1.5}), json!({"type": "pong", "id": 1.5})),
        (json!({"type": "ping", "id": null}), json!({"type": "pong"})),
        (
            json!({"type": "unsubscribe", "room": room, "id": -1}),
            json!({"type": "unsubscribed", "room": room, "id": -1}),
        ),
        (
            json!({"type": "unsubscribe", "room": room, "id": 9}),
            json!({"type": "error", "room": room, "id": 9}),
        ),
        (json!({"type": "shout", "id": "b"}), json!({"type": "error", "id": "b"})),
    ] {
        reader.send(message.clone()).await;
        let mut answer = reader.next().await;
        for key in ["timestamp", "data", "message"] {
            answer.as_object_mut().expect("an object").remove(key);
        }
        assert_eq!(answer, expected, "{message}");
    }
    for id in [json!("x".repeat(65)), json!(true), json!([1]), json!({})] {
        reader.send(json!({"type": "ping", "id": id})).await;
        let answer = reader.failed("id").await;
        assert_eq!(answer.get("id"), None, "{id}");
    }
    reader.send(json!({"type": "ping", "id": "x".repeat(64)})).await;
    assert_eq!(reader.next().await["id"], "x".repeat(64));

    let mut own = hall.connect("/ws/v1/user").await;
    own.send(
        json!({"type": "cancelOnDisconnect", "enabled": true, "id": 1, "auth": {"accessToken": alice.token}}),
    )
    .await;
    assert_eq!(own.next().await["id"], 1);
    own.send(json!({"type": "ping", "id": 2})).await;
    assert_eq!(own.failed("auth required").await["id"], 2);
}

#[tokio::test]
async fn a_message_that_came_too_soon_is_named_in_its_error() {
    let hall = Hall::open().await;
    let event = hall.stage.book.event;
    let mut reader = hall.connect(MARKETS).await;
    for _ in 0..200 {
        reader.send(json!({"type": "ping"})).await;
        assert_eq!(reader.next().await["type"], "pong");
    }
    reader.send(json!({"type": "subscribe", "channel": "prices", "eventId": event, "id": 3})).await;
    let error = reader.failed("Rate limit exceeded: 200 messages at once and 10 a second").await;
    assert_eq!((&error["id"], &error["room"]), (&json!(3), &json!(format!("prices:{event}"))));
    reader.send_raw(tokio_tungstenite::tungstenite::Message::text("not JSON")).await;
    reader.failed("Rate limit exceeded").await;
}
