//! The tables next to the log, and the notifications between nodes.

use std::sync::mpsc;
use std::time::Duration;

use journal::testing::conformance::{payload_of, store};
use journal::{Journal, Sequence};
use pgtest::Server;

use crate::postgres::{empty, writer};

const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn the_first_node_sets_the_values_and_the_others_read_them() {
    let server = Server::start(&[]);
    let (_, database) = empty(&server);
    let (mut first, mut second) =
        (database.shared_tables().expect("a link"), database.shared_tables().expect("a link"));
    assert_eq!(first.set_once("key", b"ours").expect("an answer"), b"ours");
    assert_eq!(second.set_once("key", b"theirs").expect("an answer"), b"ours");
    assert_eq!(second.set_once("other", b"theirs").expect("an answer"), b"theirs");
    let same = first.compare(Sequence(9), [1; 16], &[7; 32]).expect("an answer");
    assert_eq!(same, [7; 32]);
    let held = second.compare(Sequence(9), [2; 16], &[8; 32]).expect("an answer");
    assert_eq!(held, [7; 32], "the second can tell that it differs");
}

#[test]
fn the_last_three_snapshots_are_kept_and_a_bad_one_falls_back_to_the_one_before() {
    let server = Server::start(&[]);
    let (name, database) = empty(&server);
    let (mut journal, mut tables) = (writer(&database), database.shared_tables().expect("a link"));
    assert_eq!(tables.newest_snapshot().expect("an answer"), Sequence(0));
    let content = |number: u64| payload_of(&[6 << 20], number).bytes().to_vec();
    for number in 1..=4 {
        store(&mut journal, &payload_of(&[3], number));
        let head = journal.head().expect("a head");
        assert!(tables.save_snapshot(&head, |sink| sink.write_all(&content(number))).expect("an answer"));
    }
    let kept = "SELECT string_agg(DISTINCT sequence::text, ' ') FROM bellwether_snapshots";
    assert_eq!(server.execute(&name, kept), "3 4 5");
    let latest = tables.latest_snapshot().expect("an answer");
    let snapshot = latest.snapshot.expect("a snapshot");
    assert_eq!((snapshot.head, snapshot.content == content(4)), (journal.head().expect("a head"), true));
    let pieces = "SELECT count(*) FROM bellwether_snapshots WHERE sequence = 5";
    assert_eq!(server.execute(&name, pieces), "2", "a large one is in pieces");
    server.execute(&name, "DELETE FROM bellwether_snapshots WHERE sequence = 5 AND piece = 1");
    let latest = tables.latest_snapshot().expect("an answer");
    assert_eq!(latest.snapshot.map(|snapshot| snapshot.head.next), Some(Sequence(4)));
    assert_eq!(latest.bad.len(), 1);
}

#[test]
fn a_listener_is_notified_of_every_append_also_after_a_lost_connection() {
    let server = Server::start(&[]);
    let (_, database) = empty(&server);
    let mut journal = writer(&database);
    let (news, heard) = mpsc::channel();
    let tell = move |sequence| news.send(sequence).unwrap_or_default();
    let listener = database.listen(tell).expect("a listener");
    let hear = || heard.recv_timeout(PATIENCE).expect("news");
    assert_eq!(hear(), Sequence(u64::MAX), "something may have been missed before");
    store(&mut journal, &payload_of(&[3], 1));
    assert_eq!(hear(), Sequence(1));
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'";
    assert_eq!(server.execute("postgres", kill), "1");
    assert_eq!(hear(), Sequence(u64::MAX), "the connection is lost");
    assert_eq!(hear(), Sequence(u64::MAX), "and something may have been missed meanwhile");
    store(&mut journal, &payload_of(&[3], 2));
    assert_eq!(hear(), Sequence(2));
    drop(listener);
    assert!(heard.recv_timeout(PATIENCE).is_err(), "and after its end there is none");
}
