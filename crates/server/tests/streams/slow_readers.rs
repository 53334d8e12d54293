//! Readers that do not read: they cost the others nothing and are ended with a reason.

use std::time::Duration;

use serde_json::{Value, json};
use server::streams::StreamSettings;
use stage::node::{limit, text};
use tokio::net::TcpSocket;

use crate::hall::Hall;
use crate::reader::Reader;

const PATH: &str = "/ws/v1/user";

/// A reader with small socket buffers.
async fn with_little_room(hall: &Hall, path: &str) -> Reader {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let stream = socket.connect(hall.address).await.expect("a connection");
    Reader::over(stream, hall.address, path).await
}

fn subscribe(hall: &Hall) -> Value {
    let (market, key) = (hall.stage.book.market, &hall.stage.alice.key.public);
    json!({"type": "subscribe", "channel": "orders", "marketIds": [market], "auth": {"apiKey": key}})
}

/// Twenty orders that are placed and cancelled: forty messages.
async fn churn(hall: &Hall) {
    let (stage, book, key) = (&hall.stage, &hall.stage.book, &hall.stage.alice.key);
    // The bucket of writes is full again.
    stage.clock.advance_seconds(3);
    let mut order = limit(book.yes, "BUY", 1.0, 0.10);
    order["type"] = json!("LIMIT");
    let batch = json!({"orders": vec![order; 20]});
    let placed = stage.write(key, "POST", "/v1/pm/orders/batch", &batch).await.expect(200);
    let ids: Vec<&str> = placed["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| text(&result["order"]["id"]))
        .collect();
    stage.clock.advance_seconds(3);
    stage.write(key, "DELETE", "/v1/pm/orders/batch", &json!({"orderIds": ids})).await.expect(200);
}

#[tokio::test]
async fn a_reader_that_stalls_is_ended_with_a_reason_and_the_others_miss_nothing() {
    let settings = StreamSettings {
        events_waiting_max: 200,
        send_max: Duration::from_secs(600),
        close_max: Duration::from_secs(20),
        ..StreamSettings::default()
    };
    let hall = Hall::open_with(settings).await;
    let mut stalled = with_little_room(&hall, PATH).await;
    stalled.send(subscribe(&hall)).await;
    let mut reading = hall.subscribed(PATH, subscribe(&hall)).await;
    let room = format!("orders:{}:{}", hall.stage.alice.id, hall.stage.book.market);
    reading.acknowledged(&room).await;
    let mut last = 0;
    let mut rounds = 0;
    // Until the socket buffers are full, and then the queue of this reader.
    while hall.stage.app().streams().dropped() == 0 {
        rounds += 1;
        assert!(rounds < 2_000, "it is never full");
        churn(&hall).await;
        for _ in 0..40 {
            let sequence = reading.next().await["sequence"].as_u64().expect("a sequence");
            assert!(sequence >= last);
            last = sequence;
        }
    }
    let (seen, end) = stalled.rest().await;
    assert_eq!(end, Some((1008, "too slow: read faster or subscribe to less".to_owned())));
    assert!(seen.len() < 1 + rounds * 40 - 100, "what waited for it was given up");
}

#[tokio::test]
async fn a_reader_of_books_that_takes_nothing_for_too_long_is_ended() {
    let settings = StreamSettings {
        send_max: Duration::from_millis(100),
        close_max: Duration::from_millis(50),
        ..StreamSettings::default()
    };
    let hall = Hall::open_with(settings).await;
    let book = &hall.stage.book;
    // Many levels, so that a book is long.
    for cents in 1..=49 {
        hall.stage.clock.advance_seconds(1);
        let price = f64::from(cents) / 100.0;
        hall.stage.place(&hall.stage.alice.key, book, &limit(book.yes, "BUY", 1.0, price)).await;
    }
    let mut stalled = with_little_room(&hall, "/ws/v1/markets").await;
    stalled.send(json!({"type": "subscribe", "channel": "orderbook", "marketIds": [book.market]})).await;
    let mut rounds = 0;
    while hall.stage.app().streams().dropped() == 0 {
        rounds += 1;
        assert!(rounds < 10_000, "it is never full");
        churn(&hall).await;
    }
    drop(stalled);
}
