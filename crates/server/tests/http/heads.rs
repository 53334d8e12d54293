//! The head of a request, through a real socket: its maximum length, and the host that it must name.

use serde_json::{Value, json};
use stage::node::Stage;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::socket::{listen, read_to_end};

/// A head of exactly this many bytes.
fn head_of(bytes: usize) -> String {
    let (begin, end) = ("GET /health HTTP/1.1\r\nhost: test\r\nconnection: close\r\nx: ", "\r\n\r\n");
    let head = format!("{begin}{}{end}", "y".repeat(bytes - begin.len() - end.len()));
    assert_eq!(head.len(), bytes);
    head
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or(answer)
}

#[tokio::test]
async fn a_head_of_32_kib_is_read_and_a_longer_one_gets_431() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    for (bytes, expected) in
        [(31 << 10, "200"), (32 << 10, "200"), ((32 << 10) + 1, "431"), (33 << 10, "431")]
    {
        let answer = listening.send(head_of(bytes).as_bytes()).await;
        assert_eq!(status(&answer), expected, "{bytes} bytes");
    }
}

#[tokio::test]
async fn a_head_that_does_not_end_gets_431_when_it_has_32_kib() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let mut streams = Vec::new();
    for _ in 0..300 {
        let mut stream = TcpStream::connect(listening.address).await.expect("a connection");
        // Without its end: a server that waits for more never answers.
        stream.write_all(&head_of(40 << 10).as_bytes()[..32 << 10]).await.expect("a part of a head");
        streams.push(stream);
    }
    for stream in &mut streams {
        assert_eq!(status(&read_to_end(stream).await), "431");
    }
}

#[tokio::test]
async fn a_request_names_one_host() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let rows = [
        ("/health HTTP/1.1\r\nhost: test", "200"),
        ("/health HTTP/1.1\r\nHOST: 127.0.0.1:8080", "200"),
        ("/health HTTP/1.1\r\nhost: [::1]:8080", "200"),
        ("/health HTTP/1.1\r\nx: y", "400"),
        ("/health HTTP/1.1\r\nhost: a\r\nhost: b", "400"),
        ("/health HTTP/1.1\r\nhost: a\r\nhost: a", "400"),
        ("/health HTTP/1.1\r\nhost:", "400"),
        ("/health HTTP/1.1\r\nhost: a b", "400"),
        ("/health HTTP/1.1\r\nhost: a, b/c", "400"),
        ("/health HTTP/1.1\r\nhost: user@a", "400"),
        ("/health HTTP/1.0\r\nx: y", "200"),
        ("/health HTTP/1.0\r\nhost: a\r\nhost: b", "400"),
        ("http://elsewhere/health HTTP/1.1\r\nhost: test", "200"),
        ("http://elsewhere/health HTTP/1.1\r\nx: y", "400"),
        ("http://user@elsewhere/health HTTP/1.1\r\nhost: test", "400"),
    ];
    for (target, expected) in rows {
        let answer = listening.send(format!("GET {target}\r\nconnection: close\r\n\r\n").as_bytes()).await;
        assert_eq!(status(&answer), expected, "{target}");
    }
}

#[tokio::test]
async fn a_request_without_a_host_gets_json_and_no_further_request_is_read() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let answer = listening.send(b"GET /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 400 "), "{head}");
    for header in ["content-type: application/json", "x-content-type-options: nosniff", "connection: close"] {
        assert!(head.contains(header), "{head}");
    }
    let body: Value = serde_json::from_str(body).expect("one JSON body");
    let expected = json!({"error": "bad_request", "message": "Send a Host header", "statusCode": 400});
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_body_with_two_lengths_is_read_by_its_chunks_and_ends_the_connection() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    for order in
        ["content-length: 5\r\ntransfer-encoding: chunked", "transfer-encoding: chunked\r\ncontent-length: 5"]
    {
        let smuggled = "GET /version HTTP/1.1\r\nhost: test\r\n\r\n";
        let head =
            format!("POST /v1/user/login HTTP/1.1\r\nhost: test\r\n{order}\r\n\r\n0\r\n\r\n{smuggled}");
        let answer = listening.send(head.as_bytes()).await;
        assert_eq!(status(&answer), "400", "{answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    }
    for odd in ["chunked, identity", "identity", "xchunked"] {
        let head = format!(
            "POST /v1/user/login HTTP/1.1\r\nhost: test\r\ntransfer-encoding: {odd}\r\n\r\n0\r\n\r\n"
        );
        assert_eq!(status(&listening.send(head.as_bytes()).await), "400", "{odd}");
    }
}

/// Hyper answers these before any of our code runs, so they have none of our headers, and no body.
#[tokio::test]
async fn bytes_that_are_no_request_get_a_status_without_a_body() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let many = format!("GET /health HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: y\r\n".repeat(200));
    let path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "y".repeat(40_000));
    for (bytes, expected) in
        [("hello\r\n\r\n", "400"), (&many, "431"), (&path, "431"), (&head_of(40 << 10), "431")]
    {
        let answer = listening.send(bytes.as_bytes()).await;
        assert_eq!(status(&answer), expected, "{answer}");
        assert!(answer.contains("content-length: 0\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    }
}
