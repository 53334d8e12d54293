//! Connections, through real sockets: their limits, how long an idle or unread one is held, and how requests through
//! a proxy are counted.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use server::http::admission::{Admission, AdmissionLimits};
use server::http::serving::{Pace, Timeouts};
use stage::node::{Stage, get, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::socket::{Listening, PATIENCE, listen_with, listen_within, read_to_end, read_until, wire};

/// Large, and made once: 160 KB.
const LARGE: &str = "/openapi.json";

fn limits(connections_max: u32, per_network_max: u32, proxies: &[&str]) -> Admission {
    let proxies = proxies.iter().map(|range| range.parse().expect("a range")).collect();
    Admission::new(AdmissionLimits { connections_max, per_network_max, proxies })
}

/// A connection from one of the addresses of this machine's loopback.
async fn connect_from(from: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::new(from.parse().expect("an address"), 0)).expect("an address of our own");
    socket.connect(to).await.expect("a connection")
}

/// Sends `/health` on a connection that stays open, and returns the status.
async fn ask_on(stream: &mut TcpStream) -> String {
    let _ = stream.write_all(&wire(get("/health"))).await;
    let mut answer = [0; 12];
    match stream.read_exact(&mut answer).await {
        Ok(_) => String::from_utf8_lossy(&answer[9..]).into_owned(),
        Err(_) => "ended".to_owned(),
    }
}

/// Waits for something that the server does by itself.
async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

/// Requests large files without ever reading, until the connection ends.
async fn ask_and_read_nothing(stream: &mut TcpStream) {
    let requests = wire(get(LARGE)).repeat(100);
    while stream.write_all(&requests).await.is_ok() {}
}

#[tokio::test]
async fn an_answer_that_is_not_read_ends_its_connection() {
    let stage = Stage::open().await;
    let answer = Pace { bytes_min: 1 << 40, window: Duration::from_millis(200) };
    let listening = listen_with(&stage, Timeouts { answer, ..Timeouts::default() }).await;
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    tokio::time::timeout(PATIENCE, ask_and_read_nothing(&mut stream)).await.expect("an end");
    until("the connection is still held", async || listening.admission.open() == 0).await;
    assert_eq!(listening.admission.slow(), 1);
}

/// Requests large files and reads a little now and then, until the connection ends. Returns the bytes read.
async fn ask_and_trickle(stream: TcpStream) -> usize {
    let (mut reading, mut writing) = stream.into_split();
    let asking = tokio::spawn(async move {
        let requests = wire(get(LARGE)).repeat(100);
        while writing.write_all(&requests).await.is_ok() {}
    });
    let (mut taken, mut buffer) = (0, [0; 64]);
    while let Ok(count @ 1..) = reading.read(&mut buffer).await {
        taken += count;
        tokio::task::yield_now().await;
    }
    asking.await.expect("an end of the requests");
    taken
}

#[tokio::test]
async fn a_peer_that_trickles_loses_its_connection_however_often_it_reads() {
    let stage = Stage::open().await;
    // As 1 KiB/s over 30 s: a peer that makes progress all the time, but less than the pace demands.
    let answer = Pace { bytes_min: 1 << 40, window: Duration::from_secs(1) };
    let listening = listen_with(&stage, Timeouts { answer, ..Timeouts::default() }).await;
    // A small buffer, so that no single write waits for long: only all waits together use up the window.
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4 << 10).expect("a small buffer");
    let stream = socket.connect(listening.address).await.expect("a connection");
    let taken = tokio::time::timeout(PATIENCE, ask_and_trickle(stream)).await.expect("an end");
    assert!(taken > 0, "it did read");
    until("the connection is still held", async || listening.admission.open() == 0).await;
    assert_eq!(listening.admission.slow(), 1);
}

#[tokio::test]
async fn an_answer_that_is_read_is_written_to_its_end_however_often_it_waits() {
    let stage = Stage::open().await;
    // Any progress within the test's timeout is enough.
    let answer = Pace { bytes_min: 1, window: PATIENCE };
    let listening = listen_with(&stage, Timeouts { answer, ..Timeouts::default() }).await;
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    let last = get("/health").header("connection", "close");
    stream.write_all(&[wire(get(LARGE)).repeat(40), wire(last)].concat()).await.expect("41 requests");
    let answers = read_to_end(&mut stream).await;
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 41);
    assert!(answers.ends_with(r#"{"status":"ok"}"#));
    assert_eq!(listening.admission.slow(), 0);
}

#[tokio::test]
async fn a_connection_that_asks_nothing_more_ends_after_the_time_for_a_head() {
    let stage = Stage::open().await;
    let timeouts = Timeouts { header: Duration::from_millis(200), ..Timeouts::default() };
    let listening = listen_with(&stage, timeouts).await;
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    stream.write_all(&wire(get("/health"))).await.expect("a request");
    assert!(read_to_end(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn a_body_that_no_handler_reads_does_not_hold_its_connection() {
    let stage = Stage::open().await;
    let timeouts = Timeouts { header: Duration::from_secs(3_600), ..Timeouts::default() };
    let listening = listen_with(&stage, timeouts).await;
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    let head = b"POST /v1/nowhere HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\npart";
    stream.write_all(head).await.expect("a head and a part of the body");
    let answer = read_to_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}

#[tokio::test]
async fn a_network_and_the_listener_have_so_many_connections_and_the_next_is_closed() {
    let stage = Stage::open().await;
    let listening = listen_within(&stage, Timeouts::default(), limits(3, 2, &[])).await;
    let mut held = Vec::new();
    for from in ["127.0.0.1", "127.0.0.1", "127.0.0.2"] {
        let mut stream = connect_from(from, listening.address).await;
        assert_eq!(ask_on(&mut stream).await, "200", "{from}");
        held.push(stream);
    }
    // Nothing is sent on these: a refused connection is answered before any request.
    let refused = read_to_end(&mut connect_from("127.0.0.1", listening.address).await).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 5"), "{refused}");
    assert!(refused.contains(r#""message":"Too many connections from this network""#), "{refused}");
    let refused = read_to_end(&mut connect_from("127.0.0.3", listening.address).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("connection: close"), "{refused}");
    assert_eq!((listening.admission.open(), listening.admission.refused()), (3, 2));

    held.remove(0);
    until("a slot was not given back", async || listening.admission.open() == 2).await;
    assert_eq!(ask_on(&mut connect_from("127.0.0.3", listening.address).await).await, "200");
}

/// A request through the proxy at 127.0.0.1 whose body the server waits for.
async fn begin_forwarded(listening: &Listening, client: &str) -> Result<TcpStream, String> {
    let request = post("/v1/user/login").json(&serde_json::json!({"email": "x"}));
    let request = request.header("x-forwarded-for", client).header("expect", "100-continue");
    let mut bytes = wire(request);
    bytes.truncate(bytes.len() - r#"{"email":"x"}"#.len());
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    stream.write_all(&bytes).await.expect("a head");
    let answer = read_until(&mut stream, "\r\n\r\n").await;
    if answer.starts_with("HTTP/1.1 100 ") { Ok(stream) } else { Err(answer) }
}

#[tokio::test]
async fn requests_through_a_proxy_count_by_the_forwarded_network_before_their_body_is_read() {
    let stage = Stage::open().await;
    let listening = listen_within(&stage, Timeouts::default(), limits(100, 2, &["127.0.0.1"])).await;
    let mut first = begin_forwarded(&listening, "2001:db8::1").await.expect("one in flight");
    let _second = begin_forwarded(&listening, "2001:db8::2").await.expect("two in flight");
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    let third = get("/health").header("x-forwarded-for", "2001:db8::3").header("connection", "close");
    stream.write_all(&wire(third)).await.expect("a request");
    let refused = read_to_end(&mut stream).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 1"), "{refused}");
    assert!(refused.contains("Too many requests in flight from this network"), "{refused}");
    let _other = begin_forwarded(&listening, "2001:db8:0:1::1").await.expect("another network's");

    first.write_all(br#"{"email":"x"}"#).await.expect("a body");
    assert!(read_until(&mut first, "}").await.starts_with("HTTP/1.1 400 "));
    until("the slot of an answered request was not given back", async || {
        begin_forwarded(&listening, "2001:db8::4").await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn a_request_through_a_proxy_is_in_flight_until_its_answer_is_written() {
    let stage = Stage::open().await;
    let listening = listen_within(&stage, Timeouts::default(), limits(100, 1, &["127.0.0.1"])).await;
    let is_free = async || {
        let health = get("/health").header("x-forwarded-for", "203.0.113.9").header("connection", "close");
        listening.send(&wire(health)).await.starts_with("HTTP/1.1 200 ")
    };
    assert!(is_free().await);
    let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
    // Many on one connection, so that the socket buffers cannot hold all of their answers.
    let requests = wire(get(LARGE).header("x-forwarded-for", "203.0.113.9")).repeat(60);
    stream.write_all(&requests).await.expect("60 requests");
    until("an answer that waits is not counted", async || !is_free().await).await;
    drop(stream);
    until("the end of the connection gives nothing back", is_free).await;
}
