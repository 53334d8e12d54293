//! Rooms over a connection whose task is the test: losses, refusals, and messages that cannot be read.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use api::terms::Currency;
use serde_json::{Map, Value, json};
use tokio::time::advance;
use uuid::Uuid;

use super::connection::{Instruction, Report, Scripted};
use super::following::Following;
use super::room::{LocalCopy, Room, Update, UpdateKind};
use crate::book::LocalBook;
use crate::error::Error;

/// A stream of rooms with these names.
fn following(names: &[&str]) -> (Following<LocalBook>, Scripted) {
    let room =
        |name: &&str| (Room::new((*name).to_owned(), LocalBook::new(Uuid::nil(), Currency::Usd)), Map::new());
    let mut following = Following::new("ws://test".to_owned(), names.iter().map(room).collect(), None);
    let (connection, scripted) = Scripted::new();
    following.connection = Some(connection);
    (following, scripted)
}

fn text(message: &Value) -> Report {
    Report::Text(message.to_string())
}

fn snapshot(room: &str, sequence: u64) -> Report {
    let id = Uuid::nil();
    let data = json!({"marketId": id, "eventId": id, "currency": "USD", "engine": "CLOB"});
    text(&json!({"type": "snapshot", "room": room, "data": data, "sequence": sequence, "timestamp": 1}))
}

fn error(words: &str) -> Report {
    text(&json!({"type": "error", "data": {"message": words}, "timestamp": 1}))
}

/// One step; pending if it waits for a report.
fn step(following: &mut Following<LocalBook>) -> Poll<Result<Update, Error>> {
    pin!(following.next()).poll(&mut Context::from_waker(Waker::noop()))
}

/// The next update, which is in the queue already.
fn next(following: &mut Following<LocalBook>) -> Result<Update, Error> {
    match step(following) {
        Poll::Ready(update) => update,
        Poll::Pending => panic!("the stream waits"),
    }
}

/// Takes all updates, up to an error.
fn drain(following: &mut Following<LocalBook>) -> Option<Error> {
    loop {
        match step(following) {
            Poll::Ready(Ok(_)) => {}
            Poll::Ready(Err(error)) => return Some(error),
            Poll::Pending => return None,
        }
    }
}

fn kind(following: &mut Following<LocalBook>) -> UpdateKind {
    next(following).expect("an update").kind
}

/// The failures in a row that the restarts among the instructions name.
fn restarts(scripted: &mut Scripted) -> Vec<u32> {
    let failures = |instruction| match instruction {
        Instruction::Restart { failures, .. } => Some(failures),
        Instruction::Send(_) | Instruction::IsWorking => None,
    };
    scripted.instructions().into_iter().filter_map(failures).collect()
}

#[tokio::test]
async fn an_exchange_that_cannot_be_reached_gives_an_update_once() {
    let (mut following, mut scripted) = following(&["a"]);
    scripted.lose("connection refused");
    let first = next(&mut following).expect("an update");
    assert_eq!((first.kind, first.reason.as_str()), (UpdateKind::Untrusted, "connection refused"));
    scripted.lose("connection refused");
    assert!(step(&mut following).is_pending());
    scripted.open();
    scripted.report(snapshot("a", 5));
    assert_eq!(kind(&mut following), UpdateKind::Snapshot);
}

#[tokio::test]
async fn a_book_is_not_trusted_from_the_moment_of_the_loss() {
    let (mut following, mut scripted) = following(&["a"]);
    scripted.open();
    scripted.report(snapshot("a", 5));
    assert_eq!(kind(&mut following), UpdateKind::Snapshot);
    assert!(following.rooms[0].copy.is_trusted());
    scripted.lose("cut");
    // No step was made yet.
    let book = &following.rooms[0].copy;
    assert!(!book.is_trusted() && !book.trust().is_trusted && LocalCopy::trust(book).is_trusted);
    // The next connection does not bring back what this copy had.
    scripted.open();
    assert!(!following.rooms[0].copy.is_trusted());
}

#[tokio::test]
async fn a_refused_room_ends_the_stream_although_another_room_works() {
    let (mut following, mut scripted) = following(&["good", "bad"]);
    for round in 1..=3 {
        scripted.open();
        scripted.report(snapshot("good", round));
        scripted.report(error("Market not found"));
        // Late messages of the refused connection change nothing.
        scripted.report(snapshot("good", round));
        assert_eq!(kind(&mut following), UpdateKind::Snapshot);
        if round < 3 {
            assert!(drain(&mut following).is_none());
            assert_eq!(restarts(&mut scripted), [u32::try_from(round).expect("a small number")]);
            scripted.lose("Market not found");
            assert!(drain(&mut following).is_none());
        }
    }
    let refused = next(&mut following).expect_err("it gives up");
    assert!(matches!(&refused, Error::StreamRefused(words) if words == "Market not found"), "{refused}");
    assert!(following.connection.is_none(), "the next step begins anew");
}

#[tokio::test]
async fn a_refusal_for_now_waits_longer_each_time_and_never_ends_the_stream() {
    let (mut following, mut scripted) = following(&["a"]);
    let words = ["History cannot be read right now: try again", "Rate limit exceeded: 200 messages at once"];
    for round in 1..=8 {
        scripted.open();
        scripted.report(error(words[round % 2]));
        assert!(drain(&mut following).is_none());
        assert_eq!(restarts(&mut scripted), [u32::try_from(round).expect("a small number")]);
        scripted.lose("restarted");
    }
    scripted.open();
    scripted.report(snapshot("a", 5));
    assert_eq!(kind(&mut following), UpdateKind::Snapshot);
}

#[tokio::test]
async fn messages_that_cannot_be_read_end_the_stream_with_an_error() {
    let bad = [
        text(&json!({"type": "snapshot", "sequence": 5, "timestamp": 1, "data": {}})),
        text(&json!({"type": "heartbeat", "room": "a", "sequence": 5, "head": 5})),
        Report::Text("<html>".to_owned()),
    ];
    let (mut following, mut scripted) = following(&["a"]);
    let mut errors = Vec::new();
    for message in bad {
        scripted.open();
        scripted.report(message);
        scripted.lose("restarted");
        errors.extend(drain(&mut following));
    }
    assert!(matches!(errors[..], [Error::Unreadable { .. }]), "{errors:?}");
    assert!(following.connection.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_after_a_minute_of_work_is_the_first_again() {
    let (mut following, mut scripted) = following(&["a"]);
    for _ in 0..5 {
        scripted.open();
        scripted.report(snapshot("a", 5));
        assert_eq!(kind(&mut following), UpdateKind::Snapshot);
        advance(Duration::from_secs(61)).await;
        scripted.report(error("The market moved"));
        assert_eq!(kind(&mut following), UpdateKind::Untrusted);
        assert_eq!(restarts(&mut scripted), [1]);
        scripted.lose("restarted");
        assert!(step(&mut following).is_pending());
    }
}

#[tokio::test]
async fn a_refusal_right_after_the_snapshot_is_not_repeated_for_ever() {
    let (mut following, mut scripted) = following(&["a"]);
    for round in 1..=3 {
        scripted.open();
        scripted.report(snapshot("a", round));
        assert_eq!(kind(&mut following), UpdateKind::Snapshot);
        scripted.report(error("No more"));
        let answer = next(&mut following);
        assert_eq!(answer.is_err(), round == 3, "{answer:?}");
        if round < 3 {
            scripted.lose("No more");
            assert!(step(&mut following).is_pending());
        }
    }
}
