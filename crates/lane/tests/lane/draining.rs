//! The drain: idle connections end, open requests finish, and a time limit ends the others.

use std::time::Duration;

use lane::Closing;

use crate::harness::{Client, Venue, get, post};

const ALLOWED: Duration = Duration::from_secs(10);

#[test]
fn a_drain_closes_idle_connections_and_finishes_open_requests() {
    let venue = Venue::with(|config| config.lanes = 3);
    // One idle connection in each lane: their ends prove that every lane has taken the order to stop.
    let mut idle: Vec<_> = (0..3).map(|_| venue.connect()).collect();
    for client in &mut idle {
        assert_eq!(client.ask(get("/echo")), "GET - ");
    }
    let (mut waiting, mut reading) = (venue.connect(), venue.connect());
    waiting.send(post("/wait", ""));
    let waiter = venue.waiter();
    // The answer to the first request proves that the beginning of the second was read with it.
    let request = post("/echo", "body");
    reading.send(get("/echo") + &request[..request.len() - 2]);
    assert_eq!(reading.receive().body, "GET - ");
    venue.lanes.stop(ALLOWED);
    assert!(idle.iter_mut().all(Client::is_closed));
    reading.send("dy");
    let last = reading.receive();
    assert_eq!(last.body, "POST - body");
    assert!(last.head.contains("\r\nconnection: close\r\n"));
    assert!(reading.is_closed());
    waiter.reply("finished");
    let last = waiting.receive();
    assert!(last.body == "finished" && last.head.contains("\r\nconnection: close\r\n"));
    assert!(waiting.is_closed());
    assert_eq!(venue.lanes.join(), 0);
}

#[test]
fn a_response_that_is_being_written_when_the_drain_begins_is_the_last() {
    let venue = Venue::start();
    let mut client = venue.connect();
    // More than the kernel buffers: the rest is written after the order to stop.
    client.send(get("/large/20000000"));
    assert_eq!(venue.connect().ask(get("/echo")), "GET - ");
    venue.lanes.stop(ALLOWED);
    assert_eq!(client.receive().body.len(), 20_000_000);
    assert!(client.is_closed());
    assert_eq!(venue.lanes.join(), 0);
}

#[test]
fn a_connection_that_comes_after_the_stop_is_handed_over() {
    let venue = Venue::start();
    venue.lanes.stop(ALLOWED);
    let _client = venue.connect();
    assert!(venue.next_handed().read.is_empty());
    assert_eq!(venue.lanes.join(), 0);
}

#[test]
fn the_drains_time_limit_cuts_off_what_is_left() {
    let venue = Venue::start();
    let mut client = venue.connect();
    client.send(post("/wait", ""));
    let _waiter = venue.waiter();
    venue.lanes.stop(ALLOWED);
    while venue.closed.try_recv().is_err() {
        venue.pass(ALLOWED);
        std::thread::yield_now();
    }
    assert!(client.is_closed());
    assert_eq!(venue.lanes.join(), 1);
}

#[test]
fn dropped_lanes_end_their_connections() {
    let Venue { lanes, closed, .. } = {
        let venue = Venue::start();
        let mut client = venue.connect();
        assert_eq!(client.ask(get("/echo")), "GET - ");
        std::mem::forget(client);
        venue
    };
    drop(lanes);
    assert_eq!(closed.recv_timeout(crate::harness::PATIENCE), Ok(Closing::Finished));
}
