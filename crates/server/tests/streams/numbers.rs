//! `?numbers=string`: the same messages with decimals as strings.

use serde_json::{Value, json};
use stage::node::{limit, market};
use tokio_tungstenite::tungstenite::Message;

use crate::hall::Hall;
use crate::reader::{Reader, request, shake};

/// The next message as it was sent.
async fn raw(reader: &mut Reader) -> String {
    match reader.next_raw().await {
        Message::Text(text) => text.to_string(),
        other => panic!("not a text: {other:?}"),
    }
}

/// All messages up to the first one of this sequence.
async fn until(reader: &mut Reader, last: u64) -> Vec<String> {
    let mut texts = Vec::new();
    loop {
        let text = raw(reader).await;
        let sequence = unquoted(&text)["sequence"].as_u64().expect("a sequence");
        texts.push(text);
        if sequence >= last {
            return texts;
        }
    }
}

/// Every number below `data` must be a decimal in quotes or one of these integers.
fn decimals(value: &Value, key: &str) -> usize {
    const INTEGERS: [&str; 4] = ["timestamp", "createdAt", "updatedAt", "expiresAt"];
    match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| decimals(value, key)).sum(),
        Value::Array(items) => items.iter().map(|item| decimals(item, key)).sum(),
        Value::Number(number) => {
            assert!(INTEGERS.contains(&key), "{key}: {number}");
            0
        }
        Value::String(text) => usize::from(text.parse::<f64>().is_ok()),
        _ => 0,
    }
}

/// The text without the quotes of texts that are numbers.
fn unquoted(text: &str) -> Value {
    fn walk(value: Value) -> Value {
        match value {
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, walk(value))).collect(),
            Value::Array(items) => items.into_iter().map(walk).collect(),
            Value::String(text) => {
                serde_json::from_str::<serde_json::Number>(&text).map_or(json!(text), Value::Number)
            }
            other => other,
        }
    }
    walk(serde_json::from_str(text).expect("one JSON object"))
}

#[tokio::test]
async fn a_stream_with_strings_has_the_messages_of_one_with_numbers() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let auth = json!({"apiKey": stage.alice.key.public});
    let rows = [
        ("/ws/v1/markets", json!({"type": "subscribe", "channel": "activity", "eventId": book.event})),
        ("/ws/v1/markets", json!({"type": "subscribe", "channel": "prices", "eventId": book.event})),
        ("/ws/v1/markets", json!({"type": "subscribe", "channel": "orderbook", "marketIds": [book.market]})),
        ("/ws/v1/markets", json!({"type": "subscribe", "channel": "changes", "marketId": book.market})),
        (
            "/ws/v1/user",
            json!({"type": "subscribe", "channel": "orders", "marketIds": [book.market], "auth": auth}),
        ),
        ("/ws/v1/user", json!({"type": "subscribe", "channel": "changes", "auth": auth})),
    ];
    let mut pairs = Vec::new();
    for (path, message) in rows {
        let mut numbers = hall.connect(path).await;
        let mut strings = hall.connect(&format!("{path}?numbers=string")).await;
        for reader in [&mut numbers, &mut strings] {
            reader.send(message.clone()).await;
            assert_eq!(reader.next().await["type"], "subscribed", "{message}");
        }
        pairs.push((message["channel"].clone(), numbers, strings));
    }
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, book, &market(book.no, "BUY", 15.0)).await;
    let last = stage.seq();
    for (channel, numbers, strings) in &mut pairs {
        let (numbers, strings) = (until(numbers, last).await, until(strings, last).await);
        let (mut compared, mut found) = (0, 0);
        for text in &strings {
            // Of a book or a price only the newest is sent, so a reader may have fewer of them than the other.
            let key = |message: &Value| [message["type"].clone(), message["sequence"].clone()];
            let message = unquoted(text);
            let others = numbers.iter().map(|other| unquoted(other));
            let alike: Vec<Value> = others.filter(|other| key(other) == key(&message)).collect();
            assert!(alike.is_empty() || alike.contains(&message), "{channel}: {message} is not in {alike:?}");
            compared += alike.len();
            let message: Value = serde_json::from_str(text).expect("one JSON object");
            found += decimals(&message["data"], "data");
        }
        assert!(compared > 0 && found > 1, "{channel}: {compared} messages, {found} decimals");
    }
}

#[tokio::test]
async fn another_form_of_numbers_is_refused_before_the_handshake() {
    let hall = Hall::open().await;
    for query in ["numbers=number", "numbers=string&numbers=string"] {
        let stream = tokio::net::TcpStream::connect(hall.address).await.expect("a connection");
        let refused = shake(stream, request(hall.address, &format!("/ws/v1/markets?{query}"))).await;
        match refused.expect_err("a refusal") {
            tokio_tungstenite::tungstenite::Error::Http(response) => {
                assert_eq!(response.status(), 400, "{query}")
            }
            other => panic!("{query}: {other}"),
        }
    }
    hall.connect("/ws/v1/markets?numbers=").await;
}
