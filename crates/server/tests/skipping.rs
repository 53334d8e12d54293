//! A request that no build can apply stops every start, until a record in the journal marks it as skipped. The record
//! holds for every reader of the journal.

use std::path::Path;
use std::sync::Arc;

use exchange::command::{Command, CreditWallet};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::{Exchange, Request};
use journal::disk::RealDisk;
use journal::file::{FileJournal, Options};
use journal::postgres::Database;
use journal::{Appended, Journal, Payload, Sequence, SystemClock};
use pgtest::Server;
use server::audit::KeyFile;
use server::audit::backup::backup;
use server::audit::journal_copy::{JournalPlace, journal_copy};
use server::audit::past::{Until, replay_until};
use server::audit::restore::restore;
use server::audit::verify::verify;
use server::history::AuditFilter;
use server::node::{Node, NodeError, Stopped};
use server::shared_log::SharedLogSettings;
use server::skipping::{SkipError, Skipped, skip};
use server::startup::StartError;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn start(folder: &Path) -> Result<Node, NodeError> {
    Node::builder(folder).start()
}

fn credit(reference: &str) -> Request {
    let command = Command::CreditWallet(CreditWallet {
        user: Exchange::HOUSE,
        currency: Currency::Usd,
        amount: Money::whole(1),
        reference: Text::from(reference),
    });
    Request { actor: Actor::System, idempotency: None, command }
}

fn encoded(request: &Request) -> Vec<u8> {
    let mut bytes = Vec::new();
    exchange::codec::encode_request(request, &mut bytes);
    bytes
}

/// Starts, credits the house under each reference, and stops.
fn serve(folder: &Path, references: &[&str]) -> Stopped {
    let node = start(folder).expect("a node");
    for reference in references {
        let answer = node.app.writing().sequencer().submit_blocking(credit(reference)).expect("an answer");
        answer.result.expect("a credit");
    }
    node.stop().expect("a clean stop")
}

/// A frame of a credit, a request that no build can read, and another credit.
fn broken_frame() -> Payload {
    let mut payload = Payload::new();
    payload.push(&encoded(&credit("before it, in its frame")));
    payload.push(&[2, 0x83, 0xff]);
    payload.push(&encoded(&credit("behind it, in its frame")));
    payload
}

fn append(journal: &mut dyn Journal, payload: &Payload) -> u64 {
    let next = journal.head().expect("a head").next;
    match journal.append(next, payload).expect("an append") {
        Appended::Stored { header, .. } => header.first.0,
        other => panic!("not stored: {other:?}"),
    }
}

/// Returns the sequence that cannot be applied.
fn break_folder(folder: &Path) -> u64 {
    let disk = Arc::new(RealDisk::new(folder.join("journal")).expect("a disk"));
    let mut journal = FileJournal::open(disk, Box::new(SystemClock), Options::default()).expect("a journal");
    append(&mut journal, &broken_frame()) + 1
}

fn stops_at(started: Result<Node, NodeError>) -> u64 {
    match started {
        Err(NodeError::Start(StartError::Undecidable { seq, .. })) => seq,
        other => panic!("not refused as it should be: {other:?}"),
    }
}

fn deposited(exchange: &Exchange) -> Money {
    exchange.ledger().deposited(Currency::Usd)
}

#[test]
fn a_request_that_no_build_can_apply_is_skipped_by_every_reader_once_the_journal_records_it() {
    let home = folder();
    serve(home.path(), &["one", "two"]);
    let seq = break_folder(home.path());
    assert_eq!(stops_at(start(home.path())), seq);
    let place = JournalPlace::Folder(home.path().to_owned());
    assert!(matches!(skip(&place, seq), Ok(Skipped::Recorded { at, .. }) if at == seq + 2));
    assert_eq!(skip(&place, seq).expect("an answer"), Skipped::Already);

    let stopped = serve(home.path(), &["three"]);
    assert_eq!((stopped.seq, stopped.live), (seq + 3, stopped.replayed));
    let verdict = verify(home.path(), None, |_, _| {}).expect("a verdict");
    assert!(verdict.problems.is_empty(), "{:?}", verdict.problems);
    let before = replay_until(home.path(), Until::Sequence(seq + 1), |_, _| {}).expect("a state of the past");
    assert_eq!((before.exchange.seq(), deposited(&before.exchange)), (seq + 1, Money::whole(4)));

    let room = folder();
    let (saved, back, copied) =
        (room.path().join("saved"), room.path().join("back"), room.path().join("copied"));
    backup(home.path(), &saved, KeyFile::Included, |_, _| {}).expect("a backup");
    restore(&saved, &back, |_, _| {}).expect("a restore");
    let copy = journal_copy(&place, &JournalPlace::Folder(copied), |_, _, _| {}).expect("a copy");
    assert_eq!((copy.sequence, copy.digest), (stopped.seq, stopped.live));
    // Without snapshots the whole journal is replayed.
    std::fs::remove_dir_all(back.join("snapshots")).expect("snapshots to remove");
    assert_eq!(serve(&back, &[]), stopped);
}

#[test]
fn a_request_that_can_be_decided_or_is_not_there_is_not_skipped() {
    let home = folder();
    serve(home.path(), &["one"]);
    let place = JournalPlace::Folder(home.path().to_owned());
    assert!(matches!(skip(&place, 1), Err(SkipError::Decided { what: "a snapshot", .. })));
    let seq = break_folder(home.path());
    assert!(matches!(skip(&place, seq - 1), Err(SkipError::CanDecide { .. })));
    assert!(matches!(skip(&place, 0), Err(SkipError::NoSuchSequence { .. })));
    assert!(matches!(skip(&place, seq + 2), Err(SkipError::NoSuchSequence { last, .. }) if last == seq + 1));
    let behind = skip(&place, seq + 1);
    assert!(
        matches!(&behind, Err(SkipError::Start(StartError::Undecidable { seq: at, .. })) if *at == seq),
        "{behind:?}"
    );
    assert_eq!(stops_at(start(home.path())), seq, "nothing was written");
    let node_runs = folder();
    let node = start(node_runs.path()).expect("a node");
    let place = JournalPlace::Folder(node_runs.path().to_owned());
    assert!(matches!(skip(&place, 1), Err(SkipError::Start(StartError::InUse { .. }))));
    node.stop().expect("a clean stop");
}

#[test]
fn a_record_that_a_request_is_passed_over_is_in_the_audit_log() {
    let home = folder();
    serve(home.path(), &[]);
    let seq = break_folder(home.path());
    skip(&JournalPlace::Folder(home.path().to_owned()), seq).expect("a record");
    let node = start(home.path()).expect("a node");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let found = runtime.block_on(async {
        node.app.reading().history().wait_for(seq + 2).await.expect("a history that is level");
        node.app.reading().history().audit(AuditFilter::default(), 10).await.expect("a page")
    });
    let entry = found.entries.iter().find(|entry| entry.action == "record_skip").expect("an entry");
    assert!(entry.summary.starts_with(&format!("sequence {seq}: ")), "{}", entry.summary);
    node.stop().expect("a clean stop");
}

#[test]
fn a_request_of_a_shared_log_is_skipped_while_no_node_runs() {
    let server = Server::start(&[]);
    let url = server.url(&server.create_database());
    let settings = SharedLogSettings::new(url.clone());
    let (home, place) = (folder(), JournalPlace::Database(url.clone()));
    let start = || Node::builder(home.path()).shared_log(&settings).start();
    let node = start().expect("a node");
    assert!(matches!(skip(&place, 1), Err(SkipError::NodesRun)));
    node.stop().expect("a clean stop");
    let database = Database::open(&url, journal::postgres::Options::default()).expect("a database");
    let seq = append(&mut database.journal(None).expect("a log"), &broken_frame()) + 1;
    assert_eq!(stops_at(start()), seq);
    assert!(matches!(skip(&place, seq), Ok(Skipped::Recorded { at, .. }) if at == seq + 2));
    let found = database.journal(None).expect("a log").skips(Sequence::FIRST).expect("frames");
    assert_eq!(found.iter().map(|frame| frame.header.first.0).collect::<Vec<_>>(), [seq + 2]);
    let stopped = start().expect("a node").stop().expect("a clean stop");
    assert_eq!((stopped.seq, stopped.live), (seq + 2, stopped.replayed));
}
