//! A stop: every connection gets a close frame and is closed, and nothing keeps the node alive.

use serde_json::json;
use tokio::time::timeout;

use crate::hall::{Hall, PATIENCE};

#[tokio::test]
async fn a_stop_closes_every_connection_with_a_reason_and_the_node_ends() {
    let hall = Hall::open().await;
    let mut readers = Vec::new();
    for path in ["/ws/v1/markets", "/ws/v1/user", "/ws/v1/realtime"] {
        readers.push(hall.connect(path).await);
    }
    readers[0]
        .send(json!({"type": "subscribe", "channel": "prices", "eventId": hall.stage.book.event}))
        .await;
    assert_eq!(readers[0].next().await["type"], "subscribed");
    hall.stop.send(true).expect("a listener");
    for reader in readers {
        let (_, end) = reader.rest().await;
        assert_eq!(end, Some((1012, "the exchange is stopping: reconnect".to_owned())));
    }
    timeout(PATIENCE, hall.serving).await.expect("a drain").expect("no panic");
    assert_eq!(hall.stage.app().streams().connections(), 0);
    timeout(PATIENCE, hall.stage.close()).await.expect("a node that ends");
}

#[tokio::test]
async fn a_connection_that_ends_leaves_nothing_behind() {
    let hall = Hall::open().await;
    let (market, key) = (hall.stage.book.market, &hall.stage.alice.key.public);
    let auth = json!({"apiKey": key});
    let message = json!({"type": "subscribe", "channel": "orders", "marketIds": [market], "auth": auth});
    let mut left = hall.subscribed("/ws/v1/user", message.clone()).await;
    let mut cut = hall.subscribed("/ws/v1/user", message).await;
    assert_eq!(cut.next().await["type"], "subscribed");
    let room = left.next().await["room"].clone();
    left.send(json!({"type": "unsubscribe", "room": room, "auth": auth})).await;
    assert_eq!(left.next().await["type"], "unsubscribed");
    assert!(hall.stage.app().streams().rooms() > 0);
    drop((left, cut));
    hall.until("the end of both", |app| app.streams().connections() == 0 && app.streams().rooms() == 0).await;
}

#[tokio::test]
async fn a_listener_waits_until_its_last_connection_is_closed() {
    let hall = Hall::open().await;
    let silent = hall.connect("/ws/v1/markets").await;
    hall.stop.send(true).expect("a listener");
    // The client never reads the close frame, so the listener gives up after a moment.
    timeout(PATIENCE, hall.serving).await.expect("a drain").expect("no panic");
    assert_eq!(hall.stage.app().streams().connections(), 0);
    drop(silent);
    timeout(PATIENCE, hall.stage.close()).await.expect("a node that ends");
}
