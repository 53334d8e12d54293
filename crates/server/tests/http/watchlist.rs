//! Watching events: the requests that make `userWatchlisted` true.

use std::sync::Arc;

use exchange::command::{CancelMarkets, Command, Target};
use exchange::id::EventId;
use exchange::numbers::Cents;
use serde_json::json;
use stage::node::{Gate, Stage, get};
use stage::soon;
use uuid::Uuid;

#[tokio::test]
async fn a_watched_event_is_marked_for_its_watcher_only() {
    let stage = Stage::open().await;
    let path = stage.book.watchlist();
    let watched = stage.write_empty(&stage.alice.key, "PUT", &path).await.expect(200);
    assert_eq!(watched, json!({"eventId": stage.book.event, "userWatchlisted": true}));
    let shown = async |draft| stage.ask(draft).await.expect(200)["userWatchlisted"].clone();
    assert_eq!(shown(get(&stage.book.shown()).named(&stage.alice.key)).await, true);
    assert_eq!(shown(get(&stage.book.shown()).named(&stage.bob.key)).await, false);
    assert_eq!(shown(get(&stage.book.shown())).await, false);

    let list = get("/v1/pm/events?watchlist=true").named(&stage.alice.key);
    let listed = stage.ask(list).await.expect(200);
    assert_eq!(
        (listed["events"].as_array().map(Vec::len), &listed["events"][0]["slug"]),
        (Some(1), &json!("the-book"))
    );

    let unwatched = stage.write_empty(&stage.alice.key, "DELETE", &path).await.expect(200);
    assert_eq!(unwatched, json!({"eventId": stage.book.event, "userWatchlisted": false}));
    assert_eq!(shown(get(&stage.book.shown()).named(&stage.alice.key)).await, false);
}

#[tokio::test]
async fn watching_twice_is_watching_once() {
    let stage = Stage::open().await;
    for method in ["PUT", "PUT", "DELETE", "DELETE"] {
        let body = stage.write_empty(&stage.alice.key, method, &stage.pool.watchlist()).await.expect(200);
        assert_eq!(body["userWatchlisted"], method == "PUT");
    }
}

#[tokio::test]
async fn an_event_that_is_not_there_cannot_be_watched() {
    let stage = Stage::open().await;
    for event in [Uuid::now_v7().to_string(), "x".to_owned(), stage.hidden.event.to_string()] {
        let path = format!("/v1/pm/events/{event}/watchlist");
        let body = stage.write_empty(&stage.alice.key, "PUT", &path).await.refused(404, "not_found");
        assert_eq!(body["message"], "Event not found");
    }
}

#[tokio::test]
async fn an_event_that_leaves_memory_before_it_is_watched_is_watched_all_the_same() {
    let gate = Arc::new(Gate::default());
    let stage = Stage::open_behind(&gate).await;
    let target = Target::Event(EventId::new(stage.book.event.as_u128()));
    stage.operate(Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF })).await;
    let sequencer = stage.app().writing().sequencer();
    gate.shut();
    gate.wait_for_someone();
    let later = async {
        soon("a queued request", async || (sequencer.queued() > 0).then_some(())).await;
        stage.clock.advance_seconds(60 * 24 * 3_600);
        gate.open();
    };
    let path = stage.book.watchlist();
    let (watched, ()) = tokio::join!(stage.write_empty(&stage.alice.key, "PUT", &path), later);
    watched.expect(200);
    assert_eq!(stage.app().reading().state().catalogue().retired_count(), 1, "it was in memory before");
}
