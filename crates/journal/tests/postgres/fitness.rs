//! A server that becomes unfit, or an unfit one behind the same address: nothing is written to it until it is fit.

use std::sync::mpsc;
use std::time::Duration;

use journal::postgres::{Database, Options};
use journal::testing::conformance::{payload_of, store};
use journal::{Appended, Journal, Sequence};
use pgtest::{Proxy, Server};

use crate::postgres::refusals::change;
use crate::postgres::{patient, writer};

const PATIENCE: Duration = Duration::from_millis(300);

#[test]
fn nothing_is_written_to_a_server_that_became_unfit_until_it_is_fit_again() {
    let server = Server::start(&[]);
    let (name, proxy) = (server.create_database(), Proxy::start(server.port()));
    let options = Options { patience: PATIENCE, ..Options::default() };
    let database = Database::open(&proxy.url(&name), options).expect("a fit database");
    let mut journal = writer(&database);
    store(&mut journal, &payload_of(&[5], 1));
    change(&server, "fsync", "off");
    proxy.cut();
    let outcome = journal.append(Sequence(2), &payload_of(&[6], 2)).expect("an outcome");
    let Appended::Unknown { cause } = outcome else { panic!("{outcome:?}") };
    assert!(cause.is_transient() && cause.to_string().contains("fsync is off"), "{cause}");
    let stored = "SELECT count(*) FROM bellwether_frames";
    assert_eq!(server.execute(&name, stored), "1", "it was not even offered");
    change(&server, "fsync", "on");
    assert_eq!(store(&mut journal, &payload_of(&[7], 3)).header.first, Sequence(2), "it recovers by itself");
}

#[test]
fn a_server_that_becomes_unfit_under_a_connection_is_found_by_looking_again() {
    let server = Server::start(&[]);
    let name = server.create_database();
    let options = Options { patience: PATIENCE, recheck_every: Duration::ZERO, ..Options::default() };
    let database = Database::open(&server.url(&name), options).expect("a fit database");
    let mut journal = database.journal(None).expect("a journal");
    store(&mut journal, &payload_of(&[5], 1));
    change(&server, "full_page_writes", "off");
    let outcome = journal.append(Sequence(2), &payload_of(&[6], 2)).expect("an outcome");
    let Appended::Unknown { cause } = outcome else { panic!("{outcome:?}") };
    assert!(cause.to_string().contains("full_page_writes is off"), "{cause}");
    change(&server, "full_page_writes", "on");
    assert_eq!(store(&mut journal, &payload_of(&[7], 3)).header.first, Sequence(2), "it recovers by itself");
}

/// Until commits wait for a standby.
fn wait_until_waited_for(server: &Server) {
    let standbys =
        "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'";
    while server.execute("postgres", standbys) == "0" {}
}

/// A primary that waits for its standby, and that standby.
fn pair() -> (Server, Server) {
    let server = Server::start(&["synchronous_standby_names = 'ANY 1 (*)'", "wal_level = replica"]);
    let standby = server.start_standby("second");
    wait_until_waited_for(&server);
    (server, standby)
}

/// Kills the primary and promotes the standby, which has no standby itself.
fn fail_over(server: &mut Server, standby: &Server) {
    server.kill();
    change(standby, "synchronous_standby_names", "''");
    standby.promote();
}

#[test]
fn a_server_that_took_over_without_standbys_gets_nothing_where_standbys_are_required() {
    let (mut server, standby) = pair();
    let (name, proxy) = (server.create_database(), Proxy::start(server.port()));
    let options = Options { patience: PATIENCE, replicas_min: 1, ..Options::default() };
    let database = Database::open(&proxy.url(&name), options).expect("a fit database");
    let mut journal = writer(&database);
    store(&mut journal, &payload_of(&[5], 1));
    fail_over(&mut server, &standby);
    proxy.redirect_to(standby.port());
    let outcome = journal.append(Sequence(2), &payload_of(&[6], 2)).expect("an outcome");
    let Appended::Unknown { cause } = outcome else { panic!("{outcome:?}") };
    assert!(cause.to_string().contains("1 are required"), "{cause}");
    let third = standby.start_standby("third");
    change(&standby, "synchronous_standby_names", "'ANY 1 (*)'");
    wait_until_waited_for(&standby);
    let stored = store(&mut journal, &payload_of(&[7], 3));
    assert_eq!(stored.header.first, Sequence(2), "it continues once there is one");
    drop(third);
}

#[test]
fn the_writable_host_of_an_address_is_found() {
    let (mut server, standby) = pair();
    let (name, first, second) = (server.create_database(), standby.port(), server.port());
    let url = format!("postgres://tester@127.0.0.1:{first},127.0.0.1:{second}/{name}");
    let database = Database::open(&url, patient()).expect("a fit database");
    let mut journal = writer(&database);
    store(&mut journal, &payload_of(&[5], 1));
    fail_over(&mut server, &standby);
    let outcome = journal.append(Sequence(2), &payload_of(&[6], 2)).expect("an outcome");
    assert!(matches!(outcome, Appended::Stored { .. }), "{outcome:?}");
    assert_eq!(standby.execute(&name, "SELECT count(*) FROM bellwether_frames"), "2");
}

/// A paused machine: the system accepts connections for it, and nothing answers.
#[test]
fn a_host_that_does_not_answer_does_not_hide_the_others() {
    let server = Server::start(&[]);
    let name = server.create_database();
    let silent = Proxy::start(server.port());
    silent.isolate();
    let (first, second) = (silent.port(), server.port());
    let url = format!("postgres://tester@127.0.0.1:{first},127.0.0.1:{second}/{name}");
    let database = Database::open(&url, patient()).expect("a fit database");
    let mut journal = writer(&database);
    let (sender, notices) = mpsc::channel();
    let notice = move |sequence| {
        // The test may have ended.
        let _ = sender.send(sequence);
    };
    let _listener = database.listen(notice).expect("a listener");
    assert_eq!(notices.recv(), Ok(Sequence(u64::MAX)), "it listens");
    store(&mut journal, &payload_of(&[5], 1));
    assert_eq!(notices.recv(), Ok(Sequence(1)));
}

/// A server that was started again shows rows that no standby has, so a reader must not see them yet.
#[test]
fn rows_are_not_read_before_the_standbys_have_them() {
    let (server, standby) = pair();
    let name = server.create_database();
    let options = Options { replicas_min: 1, ..Options::default() };
    let database = Database::open(&server.url(&name), options).expect("a fit database");
    store(&mut writer(&database), &payload_of(&[5], 1));
    // The standby receives everything and confirms nothing.
    change(&server, "synchronous_commit", "remote_apply");
    standby.execute("postgres", "SELECT pg_wal_replay_pause()");
    let refused = database.journal(None).expect_err("the standby has not confirmed").to_string();
    assert!(refused.contains("no response"), "{refused}");
    standby.execute("postgres", "SELECT pg_wal_replay_resume()");
    database.journal(None).expect("a journal");
}
