//! A failing disk and a full queue: responses are true, and answered writes stay.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use exchange::Request;
use exchange::command::Command;
use exchange::identity::Actor;
use journal::testing::{Fault, FaultyDisk};
use serde_json::{Value, json};
use server::pipeline::sequencer::{Answer, SubmitError};
use stage::node::{Draft, Gate, Stage, get, limit, post, text};

const QUEUE_MAX: usize = 8_192;

fn place(stage: &Stage, name: &str) -> Draft {
    let body = limit(stage.book.yes, "BUY", 40.0, 0.40);
    post(&stage.book.orders()).json(&body).idempotent(name).signed(&stage.alice.key, stage.now_seconds())
}

/// Makes all following calls of this kind fail. The follower reads the same disk, so a single call cannot be chosen.
fn fail(disk: &FaultyDisk, fault: Fault) {
    let calls = disk.calls();
    (1..=2_000).for_each(|call| disk.plant(calls + call, fault));
}

async fn orders(stage: &Stage) -> Vec<Value> {
    let body = stage.read(&stage.alice.key, "/v1/pm/orders").await.expect(200);
    body["orders"].as_array().expect("orders").clone()
}

#[tokio::test]
async fn a_write_that_was_handed_over_when_the_disk_failed_is_unknown_and_found_by_its_id() {
    // A frame that was written whole but not synced survives if the machine kept its power.
    let rows = [(Fault::DiskFull, false), (Fault::InputOutput, false), (Fault::FailedSync, true)];
    for (fault, was_written) in rows {
        let disk = FaultyDisk::new(7);
        let mut stage = Stage::open_on(&disk).await;
        let answered = stage.ask(place(&stage, "before")).await.expect(200)["order"].clone();
        fail(&disk, fault);
        let lost = stage.ask(place(&stage, "during")).await;
        let body = lost.expect(503);
        let command = text(&body["commandId"]).to_owned();
        assert_eq!(
            body,
            json!({
                "error": "service_unavailable",
                "message": "The outcome of this request is not known: it may have been carried out",
                "statusCode": 503,
                "outcome": "unknown",
                "commandId": command,
            }),
            "{fault:?}"
        );
        assert_eq!(lost.header("retry-after"), None, "only a read shows the outcome");

        stage.start_anew().await;
        assert_eq!(
            stage
                .read(&stage.alice.key, &format!("/v1/pm/orders/{}", text(&answered["id"])))
                .await
                .expect(200),
            answered
        );
        let found = stage.read(&stage.alice.key, &format!("/v1/pm/orders/{command}")).await;
        assert_eq!(found.status, if was_written { 200 } else { 404 }, "{fault:?}: {}", found.text());
        let again = stage.ask(place(&stage, "during")).await;
        let order = again.expect(200)["order"].clone();
        assert_eq!(again.header("idempotent-replayed").is_some(), was_written, "{fault:?}");
        assert_eq!(text(&order["id"]) == command, was_written, "{fault:?}");
        assert_eq!(orders(&stage).await, [order, answered], "{fault:?}: one effect each");
        stage.close().await;
    }
}

#[tokio::test]
async fn after_the_disk_has_failed_writes_are_refused_for_certain_and_reads_continue() {
    let disk = FaultyDisk::new(8);
    let mut stage = Stage::open_on(&disk).await;
    let order = stage.ask(place(&stage, "before")).await.expect(200)["order"].clone();
    fail(&disk, Fault::DiskFull);
    stage.ask(place(&stage, "during")).await.expect(503);
    let seq = stage.seq();
    for draft in [
        place(&stage, "after"),
        post(&stage.book.mint()).json(&json!({"quantity": 1})).signed(&stage.bob.key, stage.now_seconds()),
        post("/v1/user/login").json(&json!({"email": "alice@example.org", "password": "wrong"})),
        post("/v1/user/me/api-keys").json(&json!({"name": "second"})).in_session(&stage.alice),
    ] {
        let refused = stage.ask(draft).await;
        assert_eq!(
            refused.expect(503),
            json!({
                "error": "service_unavailable",
                "message": "The exchange takes no writes right now: nothing was written",
                "statusCode": 503,
                "retryAfter": 5,
            })
        );
        assert_eq!(refused.header("retry-after"), Some("5"));
    }
    assert_eq!(stage.ask(get("/health")).await.expect(503), json!({"status": "unavailable"}));
    assert_eq!(orders(&stage).await, [order], "a look that waits for history");
    let ready = stage.ask(get("/ready")).await.expect(503);
    let why = "The journal has failed: writes are refused until a restart";
    let reasons = json!([{"code": "writer_failed", "message": why}]);
    assert_eq!(
        ready,
        json!({
            "ready": false, "replayed": true, "sequence": seq, "historyLag": 0, "cancelOnly": false,
            "reasons": reasons,
        })
    );
    assert!(stage.metrics().await.text().contains("\nbellwether_writer_failed 1\n"));
    stage.ask(get("/v1/pm/events")).await.expect(200);
    stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
    let quote = json!({"side": "BUY", "outcomeId": stage.pool.yes, "amount": 10});
    stage.ask(post(&stage.pool.quote()).json(&quote)).await.expect(200);

    stage.start_anew().await;
    assert_eq!(stage.ask(get("/health")).await.expect(200), json!({"status": "ok"}));
    let taken = stage.ask(place(&stage, "after")).await;
    taken.expect(200);
    assert_eq!(taken.header("idempotent-replayed"), None, "a certain refusal left nothing");
    stage.close().await;
}

type PendingAnswer<'a> = Pin<Box<dyn Future<Output = Result<Answer, SubmitError>> + 'a>>;

/// Submits ticks until the queue is full.
async fn fill_queue(stage: &Stage) -> Vec<PendingAnswer<'_>> {
    let mut waiting: Vec<PendingAnswer<'_>> = Vec::new();
    loop {
        let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
        let mut submitted: PendingAnswer<'_> = Box::pin(stage.app().writing().sequencer().submit(request));
        match poll_fn(|context| Poll::Ready(submitted.as_mut().poll(context))).await {
            Poll::Pending => waiting.push(submitted),
            Poll::Ready(Err(SubmitError::Busy)) => return waiting,
            Poll::Ready(other) => panic!("the gate is shut, but {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_full_queue_refuses_before_anything_is_written_and_sets_retry_after() {
    let gate = Arc::new(Gate::default());
    let stage = Stage::open_behind(&gate).await;
    gate.shut();
    gate.wait_for_someone();
    let waiting = fill_queue(&stage).await;
    assert!(waiting.len() >= QUEUE_MAX, "{} wait", waiting.len());
    let seq = stage.seq();
    let refused = stage.ask(place(&stage, "early")).await;
    let told = json!({
        "error": "service_unavailable",
        "message": "Too many requests are waiting",
        "statusCode": 503,
        "retryAfter": 1,
    });
    assert_eq!((refused.expect(503), refused.header("retry-after")), (told, Some("1")));
    assert_eq!(
        stage.ask(get("/health")).await.expect(200),
        json!({"status": "ok"}),
        "it can write, only not now"
    );
    stage.ask(get("/v1/pm/events")).await.expect(200);

    gate.open();
    let count = waiting.len() as u64;
    for answer in waiting {
        answer.await.expect("every queued caller is answered").result.expect("a tick");
    }
    assert_eq!(stage.seq(), seq + count, "the refused write is not among them");
    let taken = stage.ask(place(&stage, "early")).await;
    taken.expect(200);
    assert_eq!(taken.header("idempotent-replayed"), None);
    assert_eq!(orders(&stage).await.len(), 1);
    stage.close().await;
}
