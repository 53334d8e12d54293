//! A history that cannot be written for a while: readers and operators see it, and it continues by itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::governance::Policy;
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Stage, get, limit, text};

const PATIENCE: Duration = Duration::from_secs(120);

async fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

/// Checks `/ready` and the metric.
async fn assert_stalled(stage: &Stage, is_stalled: bool) {
    let metric = format!("\nbellwether_history_stopped {}\n", u8::from(is_stalled));
    assert!(stage.metrics().await.text().contains(&metric), "{metric}");
    let ready = stage.ask(get("/ready")).await;
    if !is_stalled {
        assert_eq!((ready.status, &ready.expect(200)["reasons"]), (200, &Value::Null));
        return;
    }
    let message =
        "History cannot be written: the disk is full, or no descriptor is free. It continues by itself";
    let reasons = json!([{"code": "history_stopped", "message": message}]);
    assert_eq!(ready.expect(503)["reasons"], reasons);
}

#[tokio::test]
async fn segments_that_cannot_be_written_stay_readable_and_are_written_when_there_is_room() {
    let stage = Stage::open().await;
    // Every write to this file fails with ENOSPC.
    let full = stage.folder().join("history/segments/manifest.new");
    symlink("/dev/full", &full).expect("a link");
    let order = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    stage.write_empty(&stage.alice.key, "DELETE", &path).await.expect(200);
    assert!(!stage.app().reading().history().make_durable(PATIENCE), "the disk is full");
    assert_stalled(&stage, true).await;
    let cancelled = stage.read(&stage.alice.key, &path).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled", "it is read from memory");
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;

    fs::remove_file(&full).expect("room");
    wait_until("it continues without a request", || !stage.app().reading().history().has_stopped()).await;
    assert_stalled(&stage, false).await;
    assert!(stage.app().reading().history().make_durable(PATIENCE));
    assert_eq!(stage.read(&stage.alice.key, &path).await.expect(200), cancelled);
    stage.close().await;
}

#[tokio::test]
async fn retired_events_that_cannot_be_written_are_written_when_that_is_possible_again() {
    let stage = Stage::open().await;
    let shown = stage.ask(get(&stage.book.shown())).await.expect(200);
    let market = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })).await;
    stage.clock.advance_seconds(3_600);
    // As if another process used the file.
    let holder = rusqlite::Connection::open(stage.folder().join("history/history.sqlite")).expect("a file");
    holder.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    stage.operate(Command::SetPolicy(Policy { retire_after_seconds: 60, ..Policy::default() })).await;
    stage.operate(Command::Tick).await;
    wait_until("the event cannot be stored", || stage.app().reading().history().is_stalled()).await;
    assert_stalled(&stage, true).await;

    holder.execute_batch("ROLLBACK").expect("the end of the lock");
    wait_until("it continues", || !stage.app().reading().history().has_stopped()).await;
    assert_stalled(&stage, false).await;
    let retired = stage.ask(get(&stage.book.shown())).await.expect(200);
    assert_eq!((&retired["id"], &retired["status"]), (&shown["id"], &json!("resolved")));
    stage.close().await;
}
