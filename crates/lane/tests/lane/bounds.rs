//! Bounds on sizes, times and the pace of reading.

use std::sync::atomic::Ordering;
use std::time::Duration;

use lane::Closing;

use crate::harness::{Venue, get, post};

const HEADER: Duration = Duration::from_secs(10);
const BODY: Duration = Duration::from_secs(15);
const WINDOW: Duration = Duration::from_secs(30);

#[test]
fn a_head_of_the_largest_size_is_served_and_a_larger_one_is_handed_over() {
    let venue = Venue::start();
    let head = |bytes: usize| {
        let empty = "GET /echo HTTP/1.1\r\nhost: a\r\nx: \r\n\r\n";
        empty.replace("x: ", &format!("x: {}", "y".repeat(bytes - empty.len())))
    };
    assert_eq!(venue.connect().ask(head(32 << 10)), "GET - ");
    let mut client = venue.connect();
    client.send(head((32 << 10) + 1));
    assert!(venue.next_handed().read.len() >= 32 << 10);
}

#[test]
fn a_head_without_an_end_is_handed_over_when_it_is_too_large() {
    let venue = Venue::start();
    let mut client = venue.connect();
    client.send(format!("GET /echo HTTP/1.1\r\nhost: a\r\nx: {}", "y".repeat(32 << 10)));
    assert!(venue.next_handed().read.len() >= 32 << 10);
}

#[test]
fn a_connection_without_a_head_is_closed_in_time() {
    let venue = Venue::start();
    let (mut silent, mut slow, mut served) = (venue.connect(), venue.connect(), venue.connect());
    slow.send("GET /ec");
    assert_eq!(served.ask(get("/echo")), "GET - ");
    venue.pass(HEADER / 2);
    slow.send("ho HTTP/1.1\r\n");
    // The lane reads the clock once per turn: it sees the new time at the latest with the second request.
    assert_eq!(served.ask(get("/echo")), "GET - ");
    assert_eq!(served.ask(get("/echo")), "GET - ");
    venue.pass(HEADER / 2);
    assert!(silent.is_closed() && slow.is_closed(), "more bytes do not extend the time");
    assert_eq!([venue.next_closed(), venue.next_closed()], [Closing::HeadLate; 2]);
    assert_eq!(served.ask(get("/echo")), "GET - ", "its time began with its last response");
    venue.pass(HEADER);
    assert!(served.is_closed(), "a connection between two requests");
}

#[test]
fn a_late_body_is_told_to_the_service_and_ends_the_connection() {
    let venue = Venue::start();
    let mut client = venue.connect();
    let request = post("/echo", "0123456789");
    client.send(&request[..request.len() - 5]);
    assert_eq!(venue.connect().ask(get("/echo")), "GET - ");
    venue.pass(BODY / 2);
    client.send("56");
    assert_eq!(venue.connect().ask(get("/echo")), "GET - ");
    venue.pass(BODY / 2);
    let late = client.receive();
    assert_eq!((late.status, late.body.as_str()), (408, "late"));
    assert!(client.is_closed());
}

#[test]
fn a_request_that_is_refused_at_its_head_needs_no_body() {
    let venue = Venue::start();
    let mut client = venue.connect();
    assert_eq!(client.ask(post("/refuse", "whole")), "whole");
    let request = post("/refuse", "0123456789");
    client.send(&request[..request.len() - 5]);
    let refused = client.receive();
    assert_eq!((refused.status, refused.body.as_str()), (429, "unread"));
    assert!(client.is_closed(), "the rest of the body is not a request");
    assert_eq!(venue.next_closed(), Closing::Finished);
}

#[test]
fn a_client_that_does_not_read_is_cut_off() {
    let venue = Venue::with(|config| config.timeouts.header = 10 * WINDOW);
    let mut client = venue.connect();
    // More than the kernel buffers on both sides.
    client.send(get("/large/50000000"));
    let mut other = venue.connect();
    assert_eq!(other.ask(get("/echo")), "GET - ");
    venue.pass(WINDOW / 2);
    assert_eq!(other.ask(get("/echo")), "GET - ");
    assert!(venue.closed.try_recv().is_err());
    venue.pass(WINDOW / 2);
    assert_eq!(venue.next_closed(), Closing::TooSlow);
    assert!(client.is_closed());
}

#[test]
fn a_client_that_reads_fast_enough_may_take_any_time() {
    let venue = Venue::start();
    let mut client = venue.connect();
    // The kernel buffers much less than a round reads, so the lane writes in every round.
    socket2::SockRef::from(&client.stream).set_recv_buffer_size(32 << 10).expect("an option");
    client.send(get("/large/20000000"));
    let mut read = 0;
    let mut buffer = vec![0; 1 << 20];
    while read < 20_000_000 {
        // Each round reads more than the pace demands, then half a window passes.
        let mut round = 0;
        while round < 2 << 20 && read < 20_000_000 {
            let bytes = std::io::Read::read(&mut client.stream, &mut buffer).expect("bytes");
            assert!(bytes > 0, "cut off after {read} bytes");
            (round, read) = (round + bytes, read + bytes);
        }
        venue.pass(WINDOW / 2);
    }
    assert!(venue.service.flushed.load(Ordering::SeqCst) <= 1);
}
