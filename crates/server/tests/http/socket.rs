//! Through a real socket: the behaviour of hyper, the listener and the drain.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use server::http::admission::Admission;
use server::http::serving::{Timeouts, serve_with, serve_with_tls};
use server::http::tls::Tls;
use stage::node::{Answered, Draft, Stage, get, market, number, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(super) const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Listening {
    pub(super) address: std::net::SocketAddr,
    pub(super) admission: Arc<Admission>,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

pub(super) async fn listen(stage: &Stage) -> Listening {
    listen_with(stage, Timeouts::default()).await
}

pub(super) async fn listen_with(stage: &Stage, timeouts: Timeouts) -> Listening {
    listen_within(stage, timeouts, Admission::unlimited()).await
}

pub(super) async fn listen_within(stage: &Stage, timeouts: Timeouts, admission: Admission) -> Listening {
    listen_on(stage.router(), timeouts, admission).await
}

pub(super) async fn listen_on(router: Router, timeouts: Timeouts, admission: Admission) -> Listening {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = watch::channel(false);
    let admission = Arc::new(admission);
    let serving = tokio::spawn(serve_with(listener, router, timeouts, admission.clone(), stopped));
    Listening { address, admission, stop, serving }
}

/// Like `listen_on`, over TLS.
pub(super) async fn listen_over_tls(
    router: Router,
    timeouts: Timeouts,
    admission: Admission,
    tls: Arc<Tls>,
) -> Listening {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = watch::channel(false);
    let admission = Arc::new(admission);
    let serving = tokio::spawn(serve_with_tls(listener, router, timeouts, admission.clone(), tls, stopped));
    Listening { address, admission, stop, serving }
}

impl Listening {
    /// Sends bytes and returns everything received until the connection ends.
    pub(super) async fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        // The server may close before all of it is sent.
        let _ = stream.write_all(bytes).await;
        read_to_end(&mut stream).await
    }

    /// Stops listening, so that the stage can be closed.
    pub(super) async fn end(self) {
        self.stop.send(true).expect("a server that listens");
        tokio::time::timeout(PATIENCE, self.serving).await.expect("a drain").expect("no panic");
    }

    pub(super) async fn ask(&self, draft: Draft) -> (u16, Value) {
        let answer = self.send(&wire(draft.header("connection", "close"))).await;
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).expect("a JSON body"))
    }

    /// Sends a request and returns the whole answer, read from the socket byte for byte.
    pub(super) async fn answer(&self, draft: Draft) -> Answered {
        self.answer_from("127.0.0.1", draft).await
    }

    /// Sends a request from a loopback address.
    pub(super) async fn answer_from(&self, address: &str, draft: Draft) -> Answered {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(format!("{address}:0").parse().expect("an address")).expect("a loopback address");
        let mut stream = socket.connect(self.address).await.expect("a connection");
        let _ = stream.write_all(&wire(draft.header("connection", "close"))).await;
        answered(&read_to_end(&mut stream).await)
    }
}

/// Parses a response from the wire.
pub(super) fn answered(text: &str) -> Answered {
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(": ").expect("a header");
        let name: HeaderName = name.parse().expect("a name");
        headers.append(name, value.parse().expect("a value"));
    }
    Answered { status, headers, bytes: body.as_bytes().to_vec() }
}

/// All bytes until the connection ends, cleanly or not.
pub(super) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an end");
    String::from_utf8_lossy(&answer).into_owned()
}

pub(super) fn wire(draft: Draft) -> Vec<u8> {
    let mut bytes = format!("{} {} HTTP/1.1\r\nhost: test\r\n", draft.method, draft.path).into_bytes();
    for (name, value) in &draft.headers {
        bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    bytes.extend(format!("content-length: {}\r\n\r\n", draft.body.len()).into_bytes());
    bytes.extend(draft.body);
    bytes
}

#[tokio::test]
async fn a_signed_order_fills_through_a_socket() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    assert_eq!(listening.ask(get("/health")).await, (200, json!({"status": "ok"})));
    let draft = post(&stage.pool.orders()).json(&market(stage.pool.yes, "BUY", 10.0));
    let (status, body) = listening.ask(draft.signed(&stage.alice.key, stage.now_seconds())).await;
    assert_eq!((status, &body["engine"], &body["order"]["status"]), (200, &json!("AMM"), &json!("filled")));
    let (status, body) = listening.ask(get("/v1/wallet/assets").named(&stage.alice.key)).await;
    assert_eq!(status, 200);
    assert!(number(&body["assets"][0]["availableBalance"]) < 990.1, "{body}");
    let (status, body) = listening.ask(get("/nowhere")).await;
    assert_eq!((status, &body["error"]), (404, &json!("not_found")));
}

#[tokio::test]
async fn one_connection_takes_many_requests_and_ends_when_the_server_stops() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    stream.write_all(&[wire(get("/health")), wire(get("/version"))].concat()).await.expect("two at once");
    let mut answers = String::new();
    let mut buffer = [0; 4_096];
    while answers.matches("HTTP/1.1 200 OK").count() < 2 || !answers.ends_with('}') {
        let count = stream.read(&mut buffer).await.expect("an answer");
        assert!(count > 0, "the connection ended early: {answers}");
        answers.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    listening.stop.send(true).expect("a server that listens");
    tokio::time::timeout(PATIENCE, listening.serving).await.expect("a drain").expect("no panic");
    assert_eq!(stream.read(&mut buffer).await.expect("an end"), 0);
    assert!(TcpStream::connect(listening.address).await.is_err(), "the listener is closed");
    stage.close().await;
}

#[tokio::test]
async fn nonsense_on_the_wire_is_refused_and_the_server_continues() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let before = stage.digest();
    let huge = format!("GET /health HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "y".repeat(1 << 20));
    let many = format!("GET /health HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: y\r\n".repeat(200));
    let path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "y".repeat(100_000));
    let nonsense: [&[u8]; 11] = [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET /health HTTP/9.9\r\nhost: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
        b"POST /v1/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
        b"POST /v1/user/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        huge.as_bytes(),
        many.as_bytes(),
        path.as_bytes(),
    ];
    for bytes in nonsense {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        let answer = listening.send(bytes).await;
        let status = answer.split(' ').nth(1).unwrap_or("");
        assert!(answer.is_empty() || status.starts_with('4'), "{shown}: {answer}");
        assert_eq!(listening.ask(get("/health")).await.0, 200);
    }
    assert_eq!(stage.digest(), before);
}

#[tokio::test]
async fn a_body_that_is_longer_than_it_may_be_is_refused_without_reading_it_all() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let head =
        b"POST /v1/user/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 1000000000\r\n\r\n";
    let answer = listening.send(&[head.as_slice(), &vec![b' '; 70_000]].concat()).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

/// Reads until the received text ends like this.
pub(super) async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let (mut read, mut buffer) = (String::new(), [0; 4_096]);
    while !read.ends_with(end) {
        let count = stream.read(&mut buffer).await.expect("bytes");
        assert!(count > 0, "the connection ended early: {read}");
        read.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    read
}

/// A signed mint without its body. The server has already asked for the body with `100 Continue`.
async fn begin_mint(stage: &Stage, listening: &Listening) -> (TcpStream, Vec<u8>) {
    let mint = post(&stage.book.mint()).json(&json!({"quantity": 3})).header("expect", "100-continue");
    let mut bytes = wire(mint.signed(&stage.alice.key, stage.now_seconds()));
    let body = bytes.split_off(bytes.len() - r#"{"quantity":3}"#.len());
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    stream.write_all(&bytes).await.expect("a head");
    assert_eq!(read_until(&mut stream, "\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    (stream, body)
}

#[tokio::test]
async fn a_request_in_flight_finishes_during_a_stop_and_ready_is_false_meanwhile() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let (mut stream, body) = begin_mint(&stage, &listening).await;
    stage.app().begin_drain();
    listening.stop.send(true).expect("a server that listens");
    let (status, ready) = listening.ask(get("/ready")).await;
    assert_eq!((status, &ready["ready"]), (503, &json!(false)));
    assert_eq!(listening.ask(get("/health")).await, (200, json!({"status": "ok"})));

    stream.write_all(&body).await.expect("a body");
    let answer = read_until(&mut stream, "}").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    tokio::time::timeout(PATIENCE, listening.serving).await.expect("a drain").expect("no panic");
    assert!(TcpStream::connect(listening.address).await.is_err(), "the listener is closed");
    stage.close().await;
}

#[tokio::test]
async fn a_head_that_does_not_come_in_time_ends_the_connection() {
    let stage = Stage::open().await;
    let timeouts = Timeouts { header: Duration::from_millis(200), ..Timeouts::default() };
    let listening = listen_with(&stage, timeouts).await;
    let answer = listening.send(b"GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
    assert!(!answer.contains("200 OK"), "{answer}");
    assert_eq!(listening.ask(get("/health")).await.0, 200, "a complete head is answered");
}

#[tokio::test]
async fn a_body_that_does_not_come_in_time_is_a_408_and_changes_nothing() {
    let stage = Stage::open().await;
    let timeouts = Timeouts { body: Duration::from_millis(200), ..Timeouts::default() };
    let listening = listen_with(&stage, timeouts).await;
    let before = stage.digest();
    let (mut stream, body) = begin_mint(&stage, &listening).await;
    stream.write_all(&body[..5]).await.expect("a part of the body");
    let mut answer = String::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_string(&mut answer));
    read.await.expect("an end").expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 408 "), "{head}");
    let body: Value = serde_json::from_str(body).expect("a JSON body");
    assert_eq!(
        body,
        json!({"error": "request_timeout", "message": "The body did not come in time", "statusCode": 408})
    );
    assert_eq!(stage.digest(), before);
}

#[tokio::test]
async fn a_body_that_comes_in_two_parts_within_its_time_is_read() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let (mut stream, body) = begin_mint(&stage, &listening).await;
    let (first, second) = body.split_at(5);
    stream.write_all(first).await.expect("a part of the body");
    tokio::task::yield_now().await;
    stream.write_all(second).await.expect("the rest of it");
    let answer = read_until(&mut stream, "}").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}
