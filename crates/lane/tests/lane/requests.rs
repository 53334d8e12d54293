//! Requests that are answered at once: framing, pieces, pipelining.

use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::thread;

use lane::Closing;

use crate::harness::{Venue, get, post};

#[test]
fn a_connection_serves_one_request_after_the_other() {
    let venue = Venue::start();
    let mut client = venue.connect();
    client.send(post("/echo?a=b", "hello"));
    let first = client.receive();
    assert_eq!((first.status, first.body.as_str()), (200, "POST a=b hello"));
    let fields: Vec<&str> = first.head.lines().collect();
    assert_eq!(fields[..3], ["HTTP/1.1 200 OK", "x-kind: echo", "content-length: 14"]);
    assert!(fields[3].starts_with("date: ") && fields[3].ends_with(" GMT") && fields.len() == 5);
    assert_eq!(client.ask(get("/echo")), "GET - ");
    assert_eq!(client.ask(get("/echo?")), "GET  ");
    let kept_alive = "DELETE /echo HTTP/1.1\r\nHOST: a\r\nConnection: keep-alive\r\n\r\n";
    assert_eq!(client.ask(kept_alive), "DELETE - ");
    assert_eq!(venue.lanes.connections(), 1);
    drop(client);
    assert_eq!(venue.next_closed(), Closing::ByPeer);
    assert_eq!((venue.lanes.connections(), venue.alive.load(Ordering::SeqCst)), (0, 0));
}

#[test]
fn a_request_in_two_pieces_is_served_wherever_it_is_cut() {
    let venue = Venue::start();
    let request = post("/echo", "body of the request");
    let mut client = venue.connect();
    for cut in 1..request.len() {
        // The second piece is sent when the lane has read the first, which a served request proves.
        client.send(&request[..cut]);
        let mut other = venue.connect();
        assert_eq!(other.ask(get("/echo")), "GET - ");
        assert_eq!(client.ask(&request[cut..]), "POST - body of the request", "cut at {cut}");
    }
}

#[test]
fn a_request_in_single_bytes_is_served() {
    let venue = Venue::start();
    let mut client = venue.connect();
    for _ in 0..3 {
        for byte in post("/echo", "bytes").as_bytes() {
            client.send([*byte]);
        }
        assert_eq!(client.receive().body, "POST - bytes");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let venue = Venue::start();
    let mut client = venue.connect();
    let all: String = (0..500).map(|number| post("/echo", &number.to_string())).collect();
    client.send(all);
    for number in 0..500 {
        assert_eq!(client.receive().body, format!("POST - {number}"));
    }
}

#[test]
fn a_request_that_comes_with_the_end_of_the_stream_is_answered() {
    let venue = Venue::start();
    let mut client = venue.connect();
    client.send(post("/echo", "one") + &post("/echo", "two"));
    client.stream.shutdown(Shutdown::Write).expect("an open socket");
    assert_eq!(client.receive().body, "POST - one");
    assert_eq!(client.receive().body, "POST - two");
    assert!(client.is_closed());
    assert_eq!(venue.next_closed(), Closing::ByPeer);
}

#[test]
fn a_request_that_was_read_before_the_end_of_the_stream_is_answered() {
    let venue = Venue::start();
    let mut client = venue.connect();
    let hold = venue.service.hold.lock().expect("a mutex");
    client.send(post("/hold", "one") + &post("/echo", "two"));
    while !venue.service.is_held.load(Ordering::SeqCst) {
        thread::yield_now();
    }
    client.stream.shutdown(Shutdown::Write).expect("an open socket");
    drop(hold);
    assert_eq!(client.receive().body, "one");
    assert_eq!(client.receive().body, "POST - two");
    assert!(client.is_closed());
    assert_eq!(venue.next_closed(), Closing::ByPeer);
}

#[test]
fn a_large_body_and_a_large_response_arrive_whole() {
    let venue = Venue::start();
    let mut client = venue.connect();
    let body = "b".repeat(64 << 10);
    assert_eq!(client.ask(post("/echo", &body)), format!("POST - {body}"));
    assert_eq!(client.ask(get("/large/5000000")).len(), 5_000_000);
    assert_eq!(client.ask(get("/echo")), "GET - ");
}

#[test]
fn a_panic_of_the_service_ends_only_its_connection() {
    let venue = Venue::start();
    let (mut client, mut other) = (venue.connect(), venue.connect());
    client.send(get("/panic"));
    assert!(client.is_closed());
    assert_eq!(venue.next_closed(), Closing::Panicked);
    assert_eq!(other.ask(get("/echo")), "GET - ");
}
