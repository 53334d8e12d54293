//! Connections cut at random points of an append: a frame reported as stored is there once, a frame reported as
//! preceded is not, and the log contains no other frame.

use std::collections::BTreeMap;
use std::thread;

use journal::postgres::{Database, Options};
use journal::testing::Random;
use journal::testing::conformance::{payload_of, read, store};
use journal::{Appended, Frame, Journal, Sequence};
use pgtest::{Proxy, Server};

use crate::postgres::{empty, patient, writer};

/// Enough for every point to be hit: an append is about four hundred bytes in both directions.
const CUTS: u64 = 150;
const BYTES_MAX: usize = 1_200;
const WRITERS: u64 = 2;

/// Appends through a proxy that cuts again and again. Returns the frames reported as stored, by sequence, and the
/// number of cuts.
fn append_under_cuts(server: &Server, name: &str, seed: u64) -> (BTreeMap<u64, Vec<u8>>, u64) {
    let proxy = Proxy::start(server.port());
    let database = Database::open(&proxy.url(name), patient()).expect("a fit database");
    let mut journal = writer(&database);
    let mut random = Random(seed);
    let (mut stored, mut next) = (BTreeMap::new(), Sequence::FIRST);
    let mut salt = seed << 32;
    while proxy.cuts() < CUTS {
        proxy.cut_after(u32::try_from(random.below(BYTES_MAX)).expect("a small number"));
        salt += 1;
        let payload = payload_of(&[20, 30], salt);
        loop {
            match journal.append(next, &payload).expect("an outcome") {
                Appended::Stored { header, .. } => {
                    assert_eq!(header.first, next);
                    stored.insert(header.first.0, payload.bytes().to_vec());
                    break next = header.next();
                }
                Appended::Preceded { next: further } => {
                    assert!(further > next, "the log has grown");
                    next = further;
                }
                Appended::Unknown { cause } => panic!("the database is there: {cause}"),
            }
        }
    }
    (stored, proxy.cuts())
}

#[test]
fn frames_reported_as_stored_exist_once_after_connections_are_cut() {
    let server = Server::start(&[]);
    let (name, database) = empty(&server);
    let mut said = BTreeMap::new();
    let mut cuts = 0;
    thread::scope(|scope| {
        let (server, name) = (&server, &name);
        let writers: Vec<_> =
            (1..=WRITERS).map(|seed| scope.spawn(move || append_under_cuts(server, name, seed))).collect();
        for writer in writers {
            let (stored, cut) = writer.join().expect("an end");
            cuts += cut;
            for (sequence, payload) in stored {
                assert_eq!(said.insert(sequence, payload), None, "{sequence} was given twice");
            }
        }
    });
    let frames = read(&writer(&database), Sequence::FIRST);
    let found: BTreeMap<u64, Vec<u8>> =
        frames.iter().map(|frame| (frame.header.first.0, frame.payload.bytes().to_vec())).collect();
    assert_eq!(found, said, "exactly the frames reported as stored");
    assert!(cuts >= 2 * CUTS, "{cuts} cuts");
    println!("{cuts} cuts, {} frames", frames.len());
}

#[test]
fn an_append_waits_for_a_server_that_is_killed_and_comes_back() {
    let mut server = Server::start(&[]);
    let (_, database) = empty(&server);
    let mut journal = writer(&database);
    let first = store(&mut journal, &payload_of(&[5], 1));
    server.kill();
    let payload = payload_of(&[6], 2);
    let sent = payload.clone();
    let appending = thread::spawn(move || journal.append(Sequence(2), &sent).expect("an outcome"));
    server.launch();
    let Appended::Stored { header, hash } = appending.join().expect("an end") else {
        panic!("the server came back in time")
    };
    assert_eq!(read(&writer(&database), Sequence::FIRST), [first, Frame { header, hash, payload }]);
}

#[test]
fn an_append_without_a_server_has_an_unknown_outcome() {
    let mut server = Server::start(&[]);
    let name = server.create_database();
    let patience = std::time::Duration::from_millis(300);
    let options = Options { patience, ..Options::default() };
    let database = Database::open(&server.url(&name), options).expect("a fit database");
    let mut journal = writer(&database);
    store(&mut journal, &payload_of(&[5], 1));
    server.kill();
    let outcome = journal.append(Sequence(2), &payload_of(&[6], 2)).expect("an outcome");
    assert!(matches!(outcome, Appended::Unknown { .. }), "{outcome:?}");
    server.launch();
    let stored = store(&mut journal, &payload_of(&[7], 3));
    assert_eq!(stored.header.first, Sequence(2), "it recovers by itself");
}
