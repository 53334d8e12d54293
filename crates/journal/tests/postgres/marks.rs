//! The mark of a writer: claimed on each connection before anything else, and kept by a session that the server has not
//! ended yet.

use std::process::Command;

use journal::postgres::{Database, MarkTrace, Options, PostgresJournal};
use journal::{Error, Journal};
use pgtest::Server;

use crate::postgres::empty;

const MARK: u64 = 0xf000_0000_0000_0007;

fn writer(database: &Database) -> PostgresJournal {
    database.journal(None).expect("a journal")
}

fn claims(writer: &mut PostgresJournal) -> bool {
    writer.claim(MARK).expect("an answer")
}

fn signal(signal: &str, process: &str) {
    let sent = Command::new("kill").args([signal, process]).status().expect("kill runs");
    assert!(sent.success());
}

#[test]
fn a_mark_has_one_writer_and_leaves_a_trace_until_it_is_released() {
    let mut server = Server::start(&[]);
    let (_, database) = empty(&server);
    let (mut one, mut other) = (writer(&database), writer(&database));
    let trace = |writer: &mut PostgresJournal| writer.mark_trace(MARK).expect("an answer");
    assert_eq!(trace(&mut other), MarkTrace::None);
    assert!(claims(&mut one) && !claims(&mut other));
    assert_eq!(trace(&mut other), MarkTrace::SameServer);
    server.kill();
    server.launch();
    let mut other = writer(&database);
    assert_eq!(trace(&mut other), MarkTrace::OtherServer);
    // The first call meets the lost connection.
    let _ = one.head();
    one.head().expect("a new connection");
    assert_eq!(trace(&mut other), MarkTrace::SameServer);
    assert!(!claims(&mut other), "the new connection has claimed the mark");
    drop(one);
    database.shared_tables().expect("a connection").release(MARK).expect("an answer");
    assert_eq!(trace(&mut other), MarkTrace::None);
}

#[test]
fn a_writer_that_lost_its_mark_to_another_process_makes_no_call_until_that_one_has_ended() {
    let mut server = Server::start(&[]);
    let (_, database) = empty(&server);
    let mut one = writer(&database);
    assert!(claims(&mut one));
    server.kill();
    server.launch();
    let mut copy = writer(&database);
    assert!(claims(&mut copy), "it was quicker");
    let _ = one.head();
    let refused = one.head().expect_err("a refusal");
    assert!(matches!(refused, Error::MarkTaken) && refused.is_transient(), "{refused}");
    drop(copy);
    while let Err(error) = one.head() {
        assert!(matches!(error, Error::MarkTaken), "{error}");
    }
}

#[test]
fn a_session_that_the_server_has_not_ended_yet_keeps_the_mark_for_its_writer() {
    let server = Server::start(&[]);
    let name = server.create_database();
    let database = Database::open(&server.url(&name), Options::default()).expect("a fit database");
    let (mut one, mut other) = (writer(&database), writer(&database));
    assert!(claims(&mut one));
    let holder = || server.execute(&name, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'");
    let first = holder();
    signal("-STOP", &first);
    one.head().expect_err("the session does not respond in time");
    one.head().expect("a new connection reads although the old session holds the mark");
    assert!(!claims(&mut other), "no other process gets it");
    assert_eq!(holder(), first);
    signal("-CONT", &first);
    while holder() == first || holder().is_empty() {
        one.head().expect("the mark is this writer's all the time");
    }
    assert!(!claims(&mut other), "the new session holds it");
}
