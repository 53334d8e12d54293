//! Limits of a client: messages, subscriptions, connections, and the time of silence.

use std::time::Duration;

use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::text::Text;
use serde_json::json;
use server::streams::StreamSettings;
use stage::node::get;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

use crate::hall::Hall;
use crate::reader::{request, shake};

const PATH: &str = "/ws/v1/markets";

#[tokio::test]
async fn two_hundred_messages_pass_at_once_and_ten_a_second_after_that() {
    let hall = Hall::open().await;
    let mut reader = hall.connect(PATH).await;
    for _ in 0..201 {
        reader.send(json!({"type": "ping"})).await;
    }
    for _ in 0..200 {
        assert_eq!(reader.next().await["type"], "pong");
    }
    reader.failed("Rate limit exceeded: 200 messages at once and 10 a second").await;
    hall.stage.clock.advance_seconds(1);
    for _ in 0..10 {
        reader.send(json!({"type": "ping"})).await;
        assert_eq!(reader.next().await["type"], "pong");
    }
    reader.send(json!({"type": "ping"})).await;
    reader.failed("Rate limit exceeded").await;
}

#[tokio::test]
async fn a_client_that_does_not_stop_sending_is_ended() {
    let hall = Hall::open_patient().await;
    let mut reader = hall.connect(PATH).await;
    for _ in 0..310 {
        reader.send(json!({"type": "ping"})).await;
    }
    let (messages, end) = reader.rest().await;
    assert_eq!(messages.iter().filter(|message| message["type"] == "pong").count(), 200);
    assert_eq!(end, Some((1008, "too many messages".to_owned())));
}

#[tokio::test]
async fn a_connection_has_so_many_subscriptions_and_the_others_of_a_message_are_named() {
    let hall = Hall::open_with(StreamSettings { rooms_max: 2, ..StreamSettings::default() }).await;
    for symbol in ["A", "B", "C"] {
        let (symbol, source) = (Text::from(symbol), Text::from("desk"));
        let source_time = hall.stage.app().now();
        hall.stage
            .operate(Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(1), source, source_time }))
            .await;
    }
    let mut reader = hall.connect("/ws/v1/realtime").await;
    let symbols =
        |symbols: &[&str]| json!({"type": "subscribe", "channel": "asset_prices", "symbols": symbols});
    reader.send(symbols(&["A", "B", "C"])).await;
    reader.acknowledged("asset_prices:A").await;
    // Answers come in order, a price after its acknowledgement.
    assert_eq!(reader.next().await["data"]["symbol"], "A");
    reader.acknowledged("asset_prices:B").await;
    assert_eq!(reader.next().await["data"]["symbol"], "B");
    let error = reader.failed("At most 2 subscriptions").await;
    assert_eq!(error["room"], "asset_prices:C");
    reader.send(symbols(&["A"])).await;
    reader.acknowledged("asset_prices:A").await;
}

#[tokio::test]
async fn an_address_has_so_many_connections_and_gets_one_back_when_it_ends_one() {
    let settings = StreamSettings { connections_per_network_max: 2, ..StreamSettings::default() };
    let hall = Hall::open_with(settings).await;
    let first = hall.connect(PATH).await;
    let _second = hall.connect("/ws/v1/user").await;
    let stream = TcpStream::connect(hall.address).await.expect("a connection");
    match shake(stream, request(hall.address, PATH)).await {
        Err(Error::Http(answer)) => assert_eq!(answer.status().as_u16(), 429),
        other => panic!("{other:?}"),
    }
    drop(first);
    hall.until("a place that is given back", |app| app.streams().connections() == 1).await;
    hall.connect(PATH).await;
}

#[tokio::test]
async fn an_ordinary_request_gets_advice_to_connect_with_websocket() {
    let hall = Hall::open().await;
    for path in [PATH, "/ws/v1/user", "/ws/v1/realtime"] {
        let body = hall.stage.ask(get(path)).await.refused(400, "bad_request");
        assert_eq!(body["message"], "Connect with WebSocket, version 13");
    }
}

#[tokio::test]
async fn a_silent_client_is_pinged_and_ended_without_a_pong() {
    let settings = StreamSettings {
        ping_after: Duration::from_millis(50),
        idle_max: Duration::from_secs(2),
        close_max: Duration::from_millis(50),
        ..StreamSettings::default()
    };
    let hall = Hall::open_with(settings).await;
    // The library answers pings only while it is polled for the next message.
    let mut answering = hall.connect(PATH).await;
    let _silent = hall.connect(PATH).await;
    for _ in 0..3 {
        assert!(answering.next_raw().await.is_ping());
    }
    // The silent client is never polled, so it sends no pongs.
    let waiting = hall.until("an end of the silent one", |app| app.streams().connections() == 1);
    tokio::select! {
        () = waiting => {}
        () = async { while answering.next_raw().await.is_ping() {} } => panic!("only pings come"),
    }
}
