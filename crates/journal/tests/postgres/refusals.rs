//! Refusals: settings that could lose an answered write, clocks that jump, logs that were set back, rows that were
//! changed.

use journal::postgres::{Database, Options};
use journal::testing::ManualClock;
use journal::testing::conformance::{payload_of, read, store};
use journal::{AppendError, Appended, Clock, Error, Journal, Sequence, SystemClock};
use pgtest::Server;

use crate::postgres::{empty, writer};

fn refusal(server: &Server, options: Options) -> String {
    let name = server.create_database();
    Database::open(&server.url(&name), options).expect_err("a refusal").to_string()
}

/// Changes a setting and waits until it holds.
pub(crate) fn change(server: &Server, setting: &str, value: &str) {
    server.execute("postgres", &format!("ALTER SYSTEM SET {setting} = {value}"));
    server.execute("postgres", "SELECT pg_reload_conf()");
    while server.execute("postgres", &format!("SHOW {setting}")) != value.trim_matches('\'') {}
}

#[test]
fn a_server_that_may_lose_an_answered_write_is_refused_and_its_setting_named() {
    let server = Server::start(&[]);
    for setting in ["synchronous_commit", "fsync", "full_page_writes"] {
        change(&server, setting, "off");
        assert!(refusal(&server, Options::default()).contains(&format!("{setting} is off")));
        change(&server, setting, "on");
    }
    let required = Options { replicas_min: 1, ..Options::default() };
    assert!(refusal(&server, required).contains("synchronous_standby_names is ''"));
    empty(&server);
}

#[test]
fn a_frame_stamped_more_than_five_minutes_ahead_is_refused_and_nothing_is_written() {
    let server = Server::start(&[]);
    let (_, database) = empty(&server);
    let ahead = |seconds: i64| {
        let clock = ManualClock::new(SystemClock.now() + seconds * 1_000_000);
        database.journal(Some(Box::new(clock))).expect("a journal")
    };
    let refused = ahead(330).append(Sequence::FIRST, &payload_of(&[1], 1));
    assert!(matches!(refused, Err(AppendError::AheadOfTime { .. })), "{refused:?}");
    assert_eq!(read(&writer(&database), Sequence::FIRST), []);
    let stored = store(&mut ahead(270), &payload_of(&[1], 1));
    // Journal time never goes back: a writer with an earlier clock reuses the last time.
    assert_eq!(store(&mut ahead(0), &payload_of(&[1], 2)).header.at, stored.header.at);
}

#[test]
fn frames_are_stamped_by_the_databases_clock() {
    let server = Server::start(&[]);
    let (name, database) = empty(&server);
    let mut journal = database.journal(None).expect("a journal");
    let now = || -> i64 {
        let micros = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        server.execute(&name, micros).parse().expect("a number")
    };
    let before = now();
    let at = store(&mut journal, &payload_of(&[1], 1)).header.at;
    // An estimate: it may be off by half of a round trip.
    let (slack, after) = (50_000, now());
    assert!(before - slack <= at && at <= after + slack, "{before} {at} {after}");
}

#[test]
fn a_log_that_was_set_back_is_not_gone_on_with() {
    let server = Server::start(&[]);
    let (name, database) = empty(&server);
    let mut journal = writer(&database);
    for salt in 0..3 {
        store(&mut journal, &payload_of(&[10], salt));
    }
    // As after a failover to a standby that lacks the last frame.
    server.execute(&name, "DELETE FROM bellwether_frames WHERE sequence = 3");
    let refused = journal.append(Sequence(4), &payload_of(&[1], 9));
    assert!(matches!(refused, Err(AppendError::Forked { last: Sequence(3) })), "{refused:?}");
    // And as if others had appended from there.
    let outcome = writer(&database).append(Sequence(3), &payload_of(&[1], 9)).expect("an outcome");
    assert!(matches!(outcome, Appended::Stored { .. }));
    let refused = journal.append(Sequence(4), &payload_of(&[1], 9));
    assert!(matches!(refused, Err(AppendError::Forked { .. })), "{refused:?}");
}

#[test]
fn a_row_that_was_changed_or_removed_is_found_and_named() {
    let server = Server::start(&[]);
    let changes = [
        (
            "UPDATE bellwether_frames SET frame = set_byte(frame, 70, 1 + get_byte(frame, 70) % 200) WHERE sequence = 2",
            2,
        ),
        (
            "UPDATE bellwether_frames SET hash = set_byte(hash, 0, 255 - get_byte(hash, 0)) WHERE sequence = 2",
            2,
        ),
        ("DELETE FROM bellwether_frames WHERE sequence = 2", 3),
    ];
    for (change, found_at) in changes {
        let (name, database) = empty(&server);
        let mut journal = writer(&database);
        for salt in 0..3 {
            store(&mut journal, &payload_of(&[10], salt));
        }
        server.execute(&name, change);
        let mut cursor = journal.frames(Sequence::FIRST).expect("a cursor");
        let found = std::iter::repeat_with(|| cursor.next_frame()).find_map(Result::err).expect("an error");
        match found {
            Error::BadRow { sequence, .. } => assert_eq!(sequence, Sequence(found_at), "{change}"),
            other => panic!("{change}: {other}"),
        }
    }
}
