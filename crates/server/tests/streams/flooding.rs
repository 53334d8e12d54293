//! A client that exceeds its message limit: every frame counts, also a frame that never becomes a message, and a
//! connection that is ended for it is read no further.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::hall::{Hall, PATIENCE};

const PATH: &str = "/ws/v1/markets";
/// Frames of a client without a payload, masked with zeros.
const PING: [u8; 6] = [0x89, 0x80, 0, 0, 0, 0];
const BEGIN_OF_TEXT: [u8; 6] = [0x01, 0x80, 0, 0, 0, 0];
const CONTINUATION: [u8; 6] = [0x00, 0x80, 0, 0, 0, 0];
/// Far more than the socket buffers hold.
const FLOOD_BYTES: usize = 96 << 20;

/// A text frame that may be continued.
fn part(text: &'static str, data: Data, is_last: bool) -> Message {
    Message::Frame(Frame::message(text, OpCode::Data(data), is_last))
}

/// Sends a frame again and again. Returns how many bytes were sent before the connection was cut, if it was.
async fn flood(stream: &mut TcpStream, frame: [u8; 6]) -> Option<usize> {
    let chunk = frame.repeat(10_000);
    let mut taken = 0;
    while taken < FLOOD_BYTES {
        let written =
            timeout(PATIENCE, stream.write(&chunk)).await.expect("a socket that accepts bytes or ends");
        match written {
            Ok(bytes) if bytes > 0 => taken += bytes,
            _ => return Some(taken),
        }
        // Keeps frames whole: continues with the unsent part of this chunk.
        let rest = taken % frame.len();
        if rest > 0 && stream.write_all(&frame[rest..]).await.is_err() {
            return Some(taken);
        }
        taken += (frame.len() - rest) % frame.len();
    }
    None
}

#[tokio::test]
async fn after_too_many_messages_a_socket_is_read_no_further() {
    let hall = Hall::open_patient().await;
    let mut stream = hall.connect(PATH).await.into_stream();
    assert!(flood(&mut stream, PING).await.is_some(), "all was read");
    hall.until("its end", |app| app.streams().connections() == 0).await;
}

#[tokio::test]
async fn empty_continuation_frames_without_end_are_not_read() {
    let hall = Hall::open_patient().await;
    let mut stream = hall.connect(PATH).await.into_stream();
    stream.write_all(&BEGIN_OF_TEXT).await.expect("a frame that goes out");
    assert!(flood(&mut stream, CONTINUATION).await.is_some(), "all was read");
    hall.until("its end", |app| app.streams().connections() == 0).await;
}

#[tokio::test]
async fn every_frame_of_a_message_counts_and_too_many_end_the_connection_with_a_reason() {
    let hall = Hall::open_patient().await;
    let mut reader = hall.connect(PATH).await;
    let ping = json!({"type": "ping"});
    for _ in 0..19 {
        reader.send_raw(part("{\"type\"", Data::Text, false)).await;
        for _ in 0..8 {
            reader.send_raw(part("", Data::Continue, false)).await;
        }
        reader.send_raw(part(":\"ping\"}", Data::Continue, true)).await;
        assert_eq!(reader.next().await["type"], "pong");
    }
    // 190 of the 200 tokens are used.
    for _ in 0..10 {
        reader.send(ping.clone()).await;
        assert_eq!(reader.next().await["type"], "pong");
    }
    reader.send(ping.clone()).await;
    reader.failed("Rate limit exceeded").await;
    hall.stage.clock.advance_seconds(1);
    reader.send(ping.clone()).await;
    assert_eq!(reader.next().await["type"], "pong");

    let mut reader = hall.connect(PATH).await;
    reader.send_raw(part("", Data::Text, false)).await;
    for _ in 0..310 {
        reader.send_raw(part("", Data::Continue, false)).await;
    }
    let (messages, end) = reader.rest().await;
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(end, Some((1008, "too many messages".to_owned())));
}

#[tokio::test]
async fn a_client_that_sends_a_little_too_much_for_long_is_ended_too() {
    let hall = Hall::open_patient().await;
    let mut reader = hall.connect(PATH).await;
    for _ in 0..200 {
        reader.send(json!({"type": "ping"})).await;
        assert_eq!(reader.next().await["type"], "pong");
    }
    // Twice as many as are refilled, so that every second message passes.
    for _ in 0..20 {
        hall.stage.clock.advance_seconds(1);
        for _ in 0..20 {
            reader.send_raw(Message::text(json!({"type": "ping"}).to_string())).await;
        }
    }
    let (_, end) = reader.rest().await;
    assert_eq!(end, Some((1008, "too many messages".to_owned())));
}
