//! The contents of the log: replays it from its first frame and compares the result with the nodes' answers.

use std::collections::BTreeMap;

use exchange::invariants::check_all;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request, codec};
use journal::postgres::{Database, Options};
use journal::{Journal, Sequence};

/// The contents of the log.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Writes with an idempotency key that were carried out.
    pub(crate) carried_out: u64,
    /// Writes that were only replayed to the caller.
    pub(crate) told_again: u64,
    pub(crate) frames: u64,
    pub(crate) commands: u64,
    /// Checkpoints of the nodes that match this replay.
    pub(crate) checkpoints: u64,
}

/// A step of a replay.
pub(crate) enum Passing<'a> {
    Request(&'a Request, Result<Reply, Reject>),
    EndOfFrame,
}

/// Replays everything at a database address and passes each step with the state after it. Returns the final state, which
/// must break no invariant.
pub(crate) fn replay(url: &str, mut look: impl FnMut(&Exchange, Passing<'_>)) -> Exchange {
    let log = Database::open(url, Options::default()).expect("a fit database");
    let journal = log.journal(None).expect("a journal");
    let mut frames = journal.frames(Sequence::FIRST).expect("a cursor");
    let mut exchange = Exchange::new();
    while let Some(frame) = frames.next_frame().expect("a readable frame") {
        for bytes in frame.payload.commands() {
            let request = codec::decode_request(bytes).expect("a request");
            let result = exchange
                .apply(Time::from_micros(frame.header.at), &request)
                .expect("a request of this build");
            look(&exchange, Passing::Request(&request, result));
        }
        look(&exchange, Passing::EndOfFrame);
    }
    check_all(&exchange).unwrap_or_else(|broken| panic!("{broken}"));
    exchange
}

/// Replays everything. No key is carried out twice, and every checkpoint is right.
pub(crate) fn read(url: &str) -> Found {
    let published = published(url);
    let (mut found, mut keys) = (Found::default(), BTreeMap::new());
    replay(url, |exchange, passing| match passing {
        Passing::Request(request, result) => {
            found.commands += 1;
            let Some(key) = request.idempotency else { return };
            if matches!(result, Ok(Reply::Replayed { .. })) {
                found.told_again += 1;
            } else {
                let before = keys.insert((key.scope, key.scope_low), exchange.seq());
                assert_eq!(before, None, "carried out twice, now at {}", exchange.seq());
                found.carried_out += 1;
            }
        }
        Passing::EndOfFrame => {
            found.frames += 1;
            if let Some(digest) = published.get(&exchange.seq()) {
                let ours: String = exchange.digest().iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(ours, *digest, "the checkpoint at {}", exchange.seq());
                found.checkpoints += 1;
            }
        }
    });
    assert_eq!(found.checkpoints, published.len() as u64, "every checkpoint is at the end of a frame");
    found
}

/// The digests that the nodes agreed on, by sequence.
fn published(url: &str) -> BTreeMap<u64, String> {
    let rows = "SELECT sequence || ' ' || encode(digest, 'hex') FROM bellwether_checkpoints";
    let rows = pgtest::execute(url, rows);
    let row = |line: &str| {
        let (sequence, digest) = line.split_once(' ').expect("two columns");
        (sequence.parse().expect("a number"), digest.to_owned())
    };
    rows.lines().map(row).collect()
}
