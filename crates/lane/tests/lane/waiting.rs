//! Requests whose replies come from another thread.

use std::sync::atomic::Ordering;

use lane::Closing;

use crate::harness::{Client, Venue, get, post};

fn waiting_client(venue: &Venue, body: &str) -> Client {
    let mut client = venue.connect();
    client.send(post("/wait", body));
    client
}

#[test]
fn a_reply_reaches_its_connection() {
    let venue = Venue::start();
    let mut clients: Vec<_> = (0..20).map(|number| waiting_client(&venue, &number.to_string())).collect();
    let mut waiters: Vec<_> = (0..20).map(|_| venue.waiter()).collect();
    waiters.reverse();
    let mut replies: Vec<_> =
        waiters.iter().map(|waiter| (waiter.ticket, format!("reply to {}", waiter.body))).collect();
    waiters[0].mailbox.deliver(&mut replies);
    assert!(replies.is_empty());
    for (number, client) in clients.iter_mut().enumerate() {
        assert_eq!(client.receive().body, format!("reply to {number}"));
        assert_eq!(client.ask(get("/echo")), "GET - ");
    }
}

#[test]
fn a_second_reply_may_follow_a_first_that_is_no_answer() {
    let venue = Venue::start();
    let mut client = waiting_client(&venue, "");
    let waiter = venue.waiter();
    waiter.reply("more");
    waiter.reply("more");
    waiter.reply("now");
    waiter.reply("too many");
    assert_eq!(client.receive().body, "now");
    assert_eq!(client.ask(get("/echo")), "GET - ", "the fourth reply was dropped");
}

#[test]
fn pipelined_requests_wait_until_the_answer_before_them_is_written() {
    let venue = Venue::start();
    let mut client = venue.connect();
    client.send(post("/wait", "a") + &post("/wait", "b") + &get("/echo"));
    let first = venue.waiter();
    assert!(venue.connect().ask(get("/echo")) == "GET - " && venue.waiting.try_recv().is_err());
    first.reply("one");
    assert_eq!(client.receive().body, "one");
    let second = venue.waiter();
    assert_eq!((first.body.as_str(), second.body.as_str()), ("a", "b"));
    first.reply("not for the second");
    second.reply("two");
    assert_eq!(client.receive().body, "two");
    assert_eq!(client.receive().body, "GET - ");
}

#[test]
fn bytes_that_arrive_while_a_request_waits_are_served_after_it() {
    let venue = Venue::start();
    let mut client = waiting_client(&venue, "");
    let waiter = venue.waiter();
    client.send(get("/echo"));
    assert_eq!(venue.connect().ask(get("/echo")), "GET - ");
    waiter.reply("first");
    assert_eq!(client.receive().body, "first");
    assert_eq!(client.receive().body, "GET - ");
}

#[test]
fn a_reply_to_a_connection_that_has_gone_is_dropped() {
    let venue = Venue::start();
    drop(waiting_client(&venue, "gone"));
    let gone = venue.waiter();
    assert_eq!(venue.next_closed(), Closing::ByPeer);
    assert_eq!(venue.alive.load(Ordering::SeqCst), 0, "its state was dropped");
    // The next connection takes over the slot.
    let mut next = waiting_client(&venue, "next");
    let waiter = venue.waiter();
    gone.reply("for the connection that has gone");
    waiter.reply("for the next");
    assert_eq!(next.receive().body, "for the next");
}

#[test]
fn no_time_limit_applies_to_a_request_that_waits() {
    let venue = Venue::start();
    let mut client = waiting_client(&venue, "");
    let waiter = venue.waiter();
    let mut idle = venue.connect();
    assert_eq!(idle.ask(get("/echo")), "GET - ");
    venue.pass(std::time::Duration::from_secs(3_600));
    assert!(idle.is_closed(), "the lane has looked for expired times");
    waiter.reply("late but right");
    assert_eq!(client.receive().body, "late but right");
    // The time for the next head begins with the answer.
    assert_eq!(client.ask(get("/echo")), "GET - ");
}

#[test]
fn a_response_is_flushed_once() {
    let venue = Venue::start();
    let mut client = waiting_client(&venue, "");
    assert_eq!(venue.service.flushed.load(Ordering::SeqCst), 0);
    venue.waiter().reply("x");
    client.receive();
    assert_eq!(client.ask(get("/echo")), "GET - ");
    drop(client);
    venue.next_closed();
    assert_eq!(venue.service.flushed.load(Ordering::SeqCst), 2);
}
