//! `x-sequence` and `x-wait-for-sequence` on the operators' listener, and the signals of a node.

use serde_json::json;
use stage::node::{Answered, get, post, text};

use super::{Office, with_token};

fn sequence(answered: &Answered) -> u64 {
    answered.header("x-sequence").and_then(|value| value.parse().ok()).expect("a sequence")
}

#[tokio::test]
async fn an_operators_write_has_its_sequence_and_a_read_the_one_that_it_shows() {
    let office = Office::open().await;
    let user = json!({"email": "new@mail.example", "tag": "newcomer", "password": "correct horse battery"});
    let created = office.post("/admin/v1/users", user).await;
    created.expect(201);
    assert_eq!(sequence(&created), office.stage.seq(), "the write's own sequence");
    let credit = json!({"currency": "USD", "amount": 5, "reference": "first"});
    let credited = office.post("/admin/v1/users/newcomer/credit", credit).await;
    credited.expect(200);
    assert_eq!(sequence(&credited), office.stage.seq());
    for path in ["/admin/v1/status", "/admin/v1/users", "/admin/v1/users/newcomer", "/admin/v1/events"] {
        let read = office.get(path).await;
        read.expect(200);
        assert_eq!(sequence(&read), office.stage.seq(), "{path}");
    }
    let refused = office.get("/admin/v1/users/unknown").await;
    refused.refused(404, "not_found");
    assert_eq!(refused.header("x-sequence"), None, "a refusal says nothing about the state");
}

#[tokio::test]
async fn an_operators_request_waits_for_a_sequence() {
    let office = Office::open().await;
    let wanted = office.stage.seq() + 1;
    let draft = with_token(get("/admin/v1/status"), &office.viewer);
    let waiting = office.ask(draft.header("x-wait-for-sequence", wanted.to_string()));
    let (answered, _) = tokio::join!(waiting, office.stage.join("newcomer"));
    assert!(answered.expect(200)["sequence"].as_u64() >= Some(wanted));
    let draft = with_token(post("/admin/v1/events/x/open"), &office.operator);
    office.ask(draft.header("x-wait-for-sequence", "soon")).await.refused(400, "bad_request");
}

#[tokio::test]
async fn the_signals_have_reasons_and_samples() {
    let office = Office::open().await;
    let now = office.stage.now_seconds();
    office.stage.app().take_sample(now);
    office.get("/admin/v1/status").await.expect(200);
    office.stage.app().take_sample(now + 60);
    let signals = office.get("/admin/v1/signals").await.expect(200);
    assert_eq!((&signals["ready"], &signals["reasons"]), (&json!(true), &json!([])));
    let samples = signals["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 1);
    let sample = &samples[0];
    assert_eq!(
        (&sample["seconds"], &sample["requests"], &sample["errors"]),
        (&json!(60), &json!(1), &json!(0))
    );
    assert!(sample["p50Micros"].is_u64() && text(&sample["at"]).starts_with("20"), "{sample}");
    assert_eq!(sample["currencies"][0]["currency"], "USD");
    assert_eq!(sample["currencies"][0]["traders"], 0);
    office.stage.app().begin_drain();
    let signals = office.get("/admin/v1/signals").await.expect(200);
    assert_eq!(signals["reasons"][0]["code"], "draining", "{signals}");
}
