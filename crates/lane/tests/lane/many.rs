//! Many connections at once.

use std::sync::atomic::Ordering;

use crate::harness::{Client, Venue, get, post};

const CONNECTIONS: usize = 1_000;

#[test]
fn a_thousand_connections_get_their_own_answers() {
    let venue = Venue::with(|config| config.lanes = 2);
    let mut clients: Vec<Client> = (0..CONNECTIONS).map(|_| venue.connect()).collect();
    for round in 0..3 {
        for (number, client) in clients.iter_mut().enumerate() {
            // A third waits, a third is pipelined, a third is answered at once.
            match number % 3 {
                0 => client.send(post("/wait", &format!("{round} {number}"))),
                1 => client.send(get("/echo?first") + &post("/echo", &number.to_string())),
                _ => client.send(post("/echo", &number.to_string())),
            }
        }
        for _ in 0..CONNECTIONS.div_ceil(3) {
            let waiter = venue.waiter();
            waiter.reply(&waiter.body);
        }
        for (number, client) in clients.iter_mut().enumerate() {
            if number % 3 == 1 {
                assert_eq!(client.receive().body, "GET first ");
            }
            let expected =
                if number % 3 == 0 { format!("{round} {number}") } else { format!("POST - {number}") };
            assert_eq!(client.receive().body, expected);
        }
    }
    assert_eq!(venue.lanes.connections(), CONNECTIONS);
    // Every other connection ends; the others go on.
    let mut rest: Vec<Client> = clients.into_iter().step_by(2).collect();
    for _ in 0..CONNECTIONS / 2 {
        venue.next_closed();
    }
    for client in &mut rest {
        assert_eq!(client.ask(get("/echo")), "GET - ");
    }
    assert_eq!(venue.alive.load(Ordering::SeqCst), CONNECTIONS / 2);
}

#[test]
fn requests_that_are_ready_together_share_a_turn() {
    let venue = Venue::start();
    let mut clients: Vec<Client> = (0..100).map(|_| venue.connect()).collect();
    let turns = || venue.service.turns_with_calls.load(Ordering::SeqCst);
    for client in &mut clients {
        assert_eq!(client.ask(get("/echo")), "GET - ");
    }
    assert_eq!(turns(), 100, "one at a time");
    for client in &mut clients {
        client.send(post("/wait", ""));
    }
    let waiters: Vec<_> = (0..100).map(|_| venue.waiter()).collect();
    for client in &mut clients {
        client.send(get("/echo"));
    }
    let before = turns();
    let mut replies: Vec<_> = waiters.iter().map(|waiter| (waiter.ticket, String::new())).collect();
    waiters[0].mailbox.deliver(&mut replies);
    for client in &mut clients {
        assert_eq!(client.receive().body, "");
        assert_eq!(client.receive().body, "GET - ");
    }
    assert!(turns() - before < 50, "one delivery frees many connections in one turn");
}
