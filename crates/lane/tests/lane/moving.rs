//! Connections that are handed over: which requests cause it, and that no byte is lost.

use std::io::Read;
use std::net::Shutdown;

use crate::harness::{Venue, get, post};

/// Sends bytes and closes the client's side. Returns all bytes that the new owner of the connection sees.
fn moved(venue: &Venue, served: &str, bytes: &[u8]) -> Vec<u8> {
    let mut client = venue.connect();
    if !served.is_empty() {
        client.ask(served);
    }
    client.send(bytes);
    let mut handed = venue.next_handed();
    client.stream.shutdown(Shutdown::Write).expect("an open socket");
    handed.stream.set_nonblocking(false).expect("an option");
    let mut all = handed.read;
    handed.stream.read_to_end(&mut all).expect("the rest");
    assert_eq!(venue.lanes.connections(), 0);
    all
}

#[test]
fn a_request_that_is_not_plain_or_not_hot_moves_its_connection_with_every_byte() {
    let venue = Venue::start();
    let rows = [
        "GET /cold HTTP/1.1\r\nhost: a\r\n\r\n",
        "POST /cold HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nsome",
        "GET /echo HTTP/1.0\r\nhost: a\r\n\r\n",
        "GET /echo HTTP/1.1\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\ncookie: a=b\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\nOrigin: http://a\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        "POST /echo HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\nx",
        "POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 65537\r\n\r\n",
        "GET http://a/echo HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /ech%6f HTTP/1.1\r\nhost: a\r\n\r\n",
        "HEAD /echo HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost : a\r\n\r\n",
        "GET /echo HTTP/1.1\r\nhost: a\r\n folded\r\n\r\n",
        "\u{0}\u{1}\u{2}",
        "GET  /echo HTTP/1.1\r\n",
    ];
    for row in rows {
        for served in [String::new(), get("/echo")] {
            let bytes = format!("{row}{}", get("/echo"));
            assert_eq!(moved(&venue, &served, bytes.as_bytes()), bytes.as_bytes(), "{row:?}");
        }
    }
}

#[test]
fn too_many_fields_move_a_connection() {
    let venue = Venue::start();
    let head = |fields: usize| format!("GET /echo HTTP/1.1\r\nhost: a\r\n{}\r\n", "x: y\r\n".repeat(fields));
    assert_eq!(venue.connect().ask(head(63)), "GET - ");
    assert_eq!(moved(&venue, "", head(64).as_bytes()), head(64).as_bytes());
}

#[test]
fn a_cold_request_behind_pipelined_ones_moves_with_all_bytes_after_it() {
    let venue = Venue::start();
    let mut client = venue.connect();
    let cold = format!("{}{}", get("/cold"), post("/echo", "later"));
    client.send(post("/echo", "one") + &post("/wait", "") + &cold);
    assert_eq!(client.receive().body, "POST - one");
    venue.waiter().reply("two");
    assert_eq!(client.receive().body, "two");
    assert_eq!(venue.next_handed().read, cold.as_bytes());
}

#[test]
fn a_malformed_head_moves_in_pieces_too() {
    let venue = Venue::start();
    let bytes = b"GET /echo HTTP/1.1\r\nhost: a\r\nbad name: x\r\n\r\n";
    let mut client = venue.connect();
    for piece in bytes.chunks(3) {
        client.send(piece);
    }
    let mut handed = venue.next_handed();
    client.stream.shutdown(Shutdown::Write).expect("an open socket");
    handed.stream.set_nonblocking(false).expect("an option");
    handed.stream.read_to_end(&mut handed.read).expect("the rest");
    assert_eq!(handed.read, bytes);
}
