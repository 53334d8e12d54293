//! Control frames of a client: a close gets a close back, and a pong never cuts a message.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::hall::Hall;

const PATH: &str = "/ws/v1/markets";

#[tokio::test]
async fn a_close_of_the_client_is_answered_with_its_own_code_and_reason() {
    let hall = Hall::open_patient().await;
    let mut reader = hall.connect(PATH).await;
    let frame = CloseFrame { code: CloseCode::Normal, reason: "seen enough".into() };
    reader.send_raw(Message::Close(Some(frame))).await;
    let (messages, end) = reader.rest().await;
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(end, Some((1000, "seen enough".to_owned())));
    hall.until("its end", |app| app.streams().connections() == 0).await;
}

#[tokio::test]
async fn messages_that_wait_for_a_reader_stay_whole_between_pongs() {
    let hall = Hall::open_patient().await;
    let mut reader = hall.connect(PATH).await;
    for number in 0..60_u8 {
        reader.send(json!({"type": "ping", "id": number})).await;
        reader.send_raw(Message::Ping(vec![number; 100].into())).await;
    }
    let (mut answers, mut pongs) = (Vec::new(), Vec::new());
    while answers.len() < 60 {
        match reader.next_raw().await {
            Message::Text(text) => {
                let message: serde_json::Value = serde_json::from_str(&text).expect("a whole message");
                answers.push(message["id"].as_u64().expect("its id"));
            }
            Message::Pong(content) => pongs.push(content[0]),
            other => panic!("neither a text nor a pong: {other:?}"),
        }
    }
    assert_eq!(answers, (0..60).collect::<Vec<u64>>());
    assert!(!pongs.is_empty() && pongs.is_sorted());
}
