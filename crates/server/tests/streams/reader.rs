//! A WebSocket client that reads one message after the other.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use stage::node::text;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::contract;
use crate::hall::PATIENCE;

pub struct Reader {
    socket: WebSocketStream<TcpStream>,
    /// The connection's id from the greeting.
    pub client: String,
}

pub fn request(address: SocketAddr, path: &str) -> Request {
    format!("ws://{address}{path}").into_client_request().expect("a request")
}

/// The handshake alone, on a given socket.
pub async fn shake(
    stream: TcpStream,
    request: Request,
) -> Result<WebSocketStream<TcpStream>, tokio_tungstenite::tungstenite::Error> {
    client_async(request, stream).await.map(|(socket, _)| socket)
}

/// Parses a message and checks it against the document.
fn read(text: &str) -> Value {
    let message = serde_json::from_str(text).expect("one JSON object");
    contract::check(&message);
    message
}

impl Reader {
    /// Connects and reads the greeting.
    pub async fn connect(address: SocketAddr, path: &str) -> Reader {
        let stream = TcpStream::connect(address).await.expect("a connection");
        Reader::over(stream, address, path).await
    }

    /// Like `connect`, over an open socket.
    pub async fn over(stream: TcpStream, address: SocketAddr, path: &str) -> Reader {
        Reader::asking(stream, request(address, path)).await
    }

    /// Like `over`, with a given request.
    pub async fn asking(stream: TcpStream, request: Request) -> Reader {
        let socket = shake(stream, request).await.expect("a handshake");
        let mut reader = Reader { socket, client: String::new() };
        let greeting = reader.next().await;
        let client = greeting["clientId"].as_str().and_then(|id| uuid::Uuid::parse_str(id).ok());
        assert!(client.is_some(), "{greeting}");
        let expected = json!({
            "type": "connected", "status": "connected", "clientId": greeting["clientId"],
            "message": "Successfully connected to WebSocket server", "timestamp": greeting["timestamp"],
        });
        assert_eq!(greeting, expected);
        assert!(greeting["timestamp"].is_i64());
        text(&greeting["clientId"]).clone_into(&mut reader.client);
        reader
    }

    /// The bare socket behind the handshake.
    pub fn into_stream(self) -> TcpStream {
        self.socket.into_inner()
    }

    pub async fn send(&mut self, message: Value) {
        self.send_raw(Message::text(message.to_string())).await;
    }

    pub async fn send_raw(&mut self, message: Message) {
        self.socket.send(message).await.expect("a message that goes out");
    }

    /// The next message. Each has its own frame.
    pub async fn next(&mut self) -> Value {
        match self.next_raw().await {
            Message::Text(text) => read(&text),
            other => panic!("not a text: {other:?}"),
        }
    }

    pub async fn next_raw(&mut self) -> Message {
        let received = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
        received.expect("an open connection").expect("a message")
    }

    /// The next message must be an acknowledgement of this room.
    pub async fn acknowledged(&mut self, room: &str) {
        let message = self.next().await;
        let expected = json!({
            "type": "subscribed", "room": room, "message": format!("Subscribed to: {room}"),
            "timestamp": message["timestamp"],
        });
        assert_eq!(message, expected);
    }

    /// The next message must be an error that contains this text.
    pub async fn failed(&mut self, words: &str) -> Value {
        let message = self.next().await;
        assert_eq!(message["type"], "error", "{message}");
        let said = text(&message["data"]["message"]);
        assert!(said.contains(words), "{said}");
        message
    }

    /// Everything until the end, and the close frame's code and reason.
    pub async fn rest(mut self) -> (Vec<Value>, Option<(u16, String)>) {
        let mut messages = Vec::new();
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("an end in time") {
                Some(Ok(Message::Text(text))) => {
                    messages.push(read(&text));
                }
                Some(Ok(Message::Close(frame))) => {
                    let told = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                    // The library answers a ping at the next poll.
                    let _ = timeout(PATIENCE, self.socket.next()).await;
                    return (messages, told);
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return (messages, None),
            }
        }
    }
}
