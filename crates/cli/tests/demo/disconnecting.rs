//! A connection that was armed with `cancelOnDisconnect` ends with its process.

use std::net::TcpStream;

use serde_json::{Value, json};
use stage::demo::{Demo, market, signed_headers};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

const PATH: &str = "/ws/v1/user";

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// The next message of this type.
fn until(socket: &mut Socket, wanted: &str) -> Value {
    loop {
        if let Message::Text(text) = socket.read().expect("a message") {
            let message: Value = serde_json::from_str(&text).expect("JSON");
            assert_ne!(message["type"], "error", "{message}");
            if message["type"] == wanted {
                return message;
            }
        }
    }
}

/// A connection that the first person armed, by a signature for this connection.
fn armed(demo: &Demo) -> Socket {
    let address = demo.text("/baseUrl").replace("http://", "ws://");
    let (mut socket, _) = connect(format!("{address}{PATH}")).expect("a connection");
    let greeting = until(&mut socket, "connected");
    let client = greeting["clientId"].as_str().expect("an id");
    let (public, secret) = (demo.text("/users/0/publicKey"), demo.text("/users/0/secretKey"));
    let body = format!("cancelOnDisconnect.true.{client}");
    let [(_, key), (_, timestamp), (_, signature)] =
        signed_headers(public, secret, "WS", PATH, body.as_bytes());
    let auth = json!({"apiKey": key, "timestamp": timestamp, "signature": signature});
    let arm = json!({"type": "cancelOnDisconnect", "enabled": true, "auth": auth});
    socket.send(Message::text(arm.to_string())).expect("a message that goes out");
    assert_eq!(until(&mut socket, "cancelOnDisconnect")["enabled"], true);
    socket
}

#[test]
fn kill_9_with_an_armed_connection_leaves_no_order_after_the_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    let body = serde_json::to_vec(&order).expect("JSON");
    let placed: Vec<String> = (0..2)
        .map(|user| {
            let (status, placed) = demo.send_signed(user, "POST", &path, &body).expect("an answer");
            assert_eq!((status, placed["order"]["status"].as_str()), (200, Some("open")), "{placed}");
            placed["order"]["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    let socket = armed(&demo);
    demo.kill();
    drop(socket);

    let demo = Demo::start(folder.path());
    for (user, wanted) in [(0, "cancelled"), (1, "open")] {
        let (status, found) =
            demo.get_as(user, &format!("/v1/pm/orders/{}", placed[user])).expect("an answer");
        assert_eq!((status, found["status"].as_str()), (200, Some(wanted)), "{found}");
    }
    // The end was recorded once: later orders stay.
    let (_, later) = demo.post_signed(&path, &order);
    let later = later["order"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(demo.terminate().code(), Some(0));
    let demo = Demo::start(folder.path());
    let (_, found) = demo.get(&format!("/v1/pm/orders/{later}"));
    assert_eq!(found["status"], "open", "{found}");
}

#[test]
fn a_graceful_stop_cancels_what_an_armed_connection_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    let (_, placed) = demo.post_signed(&path, &order);
    let _socket = armed(&demo);
    assert_eq!(demo.terminate().code(), Some(0));
    let demo = Demo::start(folder.path());
    let (_, found) = demo.get(&format!("/v1/pm/orders/{}", placed["order"]["id"].as_str().expect("an id")));
    assert_eq!(found["status"], "cancelled", "{found}");
}
