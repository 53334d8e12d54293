//! `/health`, `/version`, `/ready`, and the check of a signature that changes nothing.

use std::time::{Duration, Instant};

use api::Word;
use api::response::NotReadyCode;
use journal::testing::{Fault, FaultyDisk};
use serde_json::json;
use stage::node::{Stage, get, keys, limit, post, text};

#[tokio::test]
async fn health_returns_ok() {
    let stage = Stage::open().await;
    for path in ["/health", "/v1/health"] {
        assert_eq!(stage.ask(get(path)).await.expect(200), json!({"status": "ok"}));
    }
}

#[tokio::test]
async fn version_names_the_release_and_the_commit() {
    let stage = Stage::open().await;
    let body = stage.ask(get("/version")).await.expect(200);
    assert_eq!(keys(&body), ["commit", "version"]);
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert!(body["commit"].is_string(), "{body}");
    assert_eq!(stage.ask(get("/v1/version")).await.expect(200), body);
}

#[tokio::test]
async fn ready_returns_the_sequence_of_the_exchange() {
    let stage = Stage::open().await;
    let body = stage.ask(get("/ready")).await.expect(200);
    assert_eq!(keys(&body), ["cancelOnly", "historyLag", "ready", "replayed", "sequence"]);
    assert_eq!((&body["ready"], &body["replayed"]), (&json!(true), &json!(true)));
    assert_eq!(body["sequence"], stage.seq());
    assert!(body["historyLag"].is_u64(), "{body}");
}

#[tokio::test]
async fn auth_check_confirms_a_signature_and_changes_nothing() {
    let stage = Stage::open().await;
    let before = (stage.seq(), stage.digest());
    let draft =
        post("/v1/auth/check").raw("any bytes at all").signed(&stage.alice.key, stage.now_seconds() - 7);
    let body = stage.ask(draft).await.expect(200);
    assert_eq!(
        body,
        json!({
            "valid": true,
            "serverTime": stage.now_seconds(),
            "skewSeconds": -7,
            "bodyHash": "c5547a2d381cf9ebd98f53076e95dfe926697c1fe384fd0679af93118f0d8b08",
        }),
    );
    assert_eq!((stage.seq(), stage.digest()), before);
}

#[tokio::test]
async fn auth_check_reports_which_check_failed() {
    let stage = Stage::open().await;
    let wrong = stage.alice.key.with_secret("sk_live_wrong");
    let draft = post("/v1/auth/check").raw("{}").signed(&wrong, stage.now_seconds());
    let body = stage.ask(draft).await.unauthorized("invalid_signature", "signature_mismatch");
    assert_eq!(body["serverTime"], stage.now_seconds());
    stage.ask(post("/v1/auth/check")).await.unauthorized("unauthorized", "header_missing");
}

#[tokio::test]
async fn auth_check_refuses_a_query_as_writes_do() {
    let stage = Stage::open().await;
    let draft = |path: &str| post(path).raw("{}").signed(&stage.alice.key, stage.now_seconds());
    let check = stage.ask(draft("/v1/auth/check?verbose=1")).await.refused(400, "bad_request");
    let write =
        stage.ask(draft(&format!("{}?verbose=1", stage.book.mint()))).await.refused(400, "bad_request");
    assert_eq!(check, write);
}

#[tokio::test]
async fn ready_is_false_from_the_moment_a_stop_begins_and_everything_else_continues() {
    let stage = Stage::open().await;
    stage.app().begin_drain();
    let body = stage.ask(get("/ready")).await.expect(503);
    assert_eq!(
        (&body["ready"], &body["replayed"], &body["sequence"]),
        (&json!(false), &json!(true), &json!(stage.seq()))
    );
    assert_eq!(body["reasons"], json!([{"code": "draining", "message": "The node is stopping"}]));
    assert_eq!(stage.ask(get("/health")).await.expect(200), json!({"status": "ok"}));
    let mint = stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 1})).await;
    assert_eq!(mint.expect(200)["quantity"], 1);
    stage.close().await;
}

#[tokio::test]
async fn a_request_that_waits_for_a_sequence_is_answered_at_or_after_it() {
    let stage = Stage::open().await;
    let wanted = stage.seq() + 1;
    let waiting = stage.ask(get("/ready").header("x-wait-for-sequence", wanted.to_string()));
    let writing = stage.join("newcomer");
    let (answered, _) = tokio::join!(waiting, writing);
    let body = answered.expect(200);
    assert!(body["sequence"].as_u64() >= Some(wanted), "{body}");
    let seen = get("/health").header("x-wait-for-sequence", wanted.to_string());
    assert_eq!(stage.ask(seen).await.status, 200, "what was reached is not waited for");
}

#[tokio::test]
async fn a_request_that_waits_for_what_is_no_sequence_is_refused() {
    let stage = Stage::open().await;
    for value in ["soon", "-1", "1.5", ""] {
        let answered = stage.ask(get("/ready").header("x-wait-for-sequence", value)).await;
        answered.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn a_clock_that_has_run_ahead_refuses_writes_and_ready_reports_it_until_it_is_right() {
    let stage = Stage::open().await;
    let order = || limit(stage.book.yes, "BUY", 40.0, 0.40);
    let has = async |line: &str| stage.metrics().await.text().lines().any(|found| found == line);
    assert!(has("bellwether_clock_skew_seconds 0").await);
    let before = stage.seq();
    stage.clock.jump_seconds(301);
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order()).await.expect(503);
    assert_eq!(refused["message"], "The machine's clock has run ahead: nothing was written");
    assert_eq!((stage.seq(), &refused["outcome"]), (before, &json!(null)));
    let body = stage.ask(get("/ready")).await.expect(503);
    assert_eq!((&body["ready"], &body["clockAhead"]), (&json!(false), &json!(301)));
    assert_eq!(body["reasons"][0]["code"], "clock_ahead", "{body}");
    assert_eq!(stage.ask(get("/health")).await.status, 200, "a restart mends nothing");
    assert!(has("bellwether_clock_skew_seconds 301").await);
    stage.clock.jump_seconds(-301);
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["ready"], json!(true));
    while !stage.app().writing().sequencer().writer_status().is_accepting() {
        tokio::task::yield_now().await;
    }
    stage.place(&stage.alice.key, &stage.book, &order()).await;
    assert!(stage.seq() > before);
}

#[tokio::test]
async fn a_clock_far_behind_the_journal_leaves_only_cancelling_until_it_has_caught_up() {
    let stage = Stage::open().await;
    let bid = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let resting = stage.place(&stage.alice.key, &stage.book, &bid).await;
    let has = async |line: &str| stage.metrics().await.text().lines().any(|found| found == line);
    assert!(has("bellwether_clock_behind_seconds 0").await);
    let quote = stage.book.quote();
    let as_order =
        json!({"side": "BUY", "outcomeId": stage.book.yes, "type": "LIMIT", "quantity": 40, "price": 0.40});

    // Two nodes, or a node and its database, differ by a little: that stops nothing.
    stage.clock.jump_seconds(-300);
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["clockBehind"], json!(null));
    stage.place(&stage.alice.key, &stage.book, &bid).await;
    stage.ask(post(&quote).json(&as_order)).await.expect(200);

    stage.clock.jump_seconds(-1);
    let before = stage.seq();
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &bid).await.expect(503);
    assert_eq!((text(&refused["code"]), &refused["outcome"]), ("CANCEL_ONLY", &json!(null)));
    let mint = stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 1})).await;
    assert_eq!(mint.expect(503)["code"], "CANCEL_ONLY");
    assert_eq!(stage.ask(post(&quote).json(&as_order)).await.expect(503)["code"], "CANCEL_ONLY");
    assert_eq!(stage.seq(), before, "a refusal is not journaled");
    let body = stage.ask(get("/ready")).await.expect(503);
    assert_eq!((&body["clockBehind"], &body["cancelOnly"]), (&json!(301), &json!(true)), "{body}");
    assert_eq!(body["reasons"][0]["code"], "clock_behind", "{body}");
    assert!(has("bellwether_clock_behind_seconds 301").await && has("bellwether_cancel_only 1").await);
    let path = format!("/v1/pm/orders/{}", text(&resting["id"]));
    stage.write_empty(&stage.alice.key, "DELETE", &path).await.expect(200);

    stage.clock.jump_seconds(2);
    stage.ask(get("/ready")).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &bid).await;
    stage.close().await;
}

/// Plants the cause of a reason on a node with a journal of its own. Returns false if it needs a shared log.
async fn plant(code: NotReadyCode, stage: &Stage, disk: &FaultyDisk) -> bool {
    let order = || limit(stage.book.yes, "BUY", 40.0, 0.40);
    match code {
        NotReadyCode::Draining => stage.app().begin_drain(),
        NotReadyCode::ClockAhead => stage.clock.jump_seconds(301),
        NotReadyCode::ClockBehind => stage.clock.jump_seconds(-301),
        NotReadyCode::WriterFailed => {
            let calls = disk.calls();
            (1..=2_000).for_each(|call| disk.plant(calls + call, Fault::DiskFull));
            let failed = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order()).await;
            assert_eq!(failed.status, 503);
        }
        NotReadyCode::HistoryStopped => {
            std::fs::remove_dir_all(stage.folder().join("history/segments")).expect("damage");
            stage.place(&stage.alice.key, &stage.book, &order()).await;
            let began = Instant::now();
            while !stage.app().reading().history().has_stopped() {
                assert!(began.elapsed() < Duration::from_secs(60), "nothing can be stored any more");
                stage.app().reading().history().make_durable(Duration::ZERO);
                tokio::task::yield_now().await;
            }
        }
        // With a journal of its own, a node with a full disk accepts cancels only.
        NotReadyCode::DiskLow => {
            stage.app().note_disk(true);
            return false;
        }
        // Tests of several nodes plant these.
        NotReadyCode::StateDiverged
        | NotReadyCode::LogLag
        | NotReadyCode::LogAge
        | NotReadyCode::HistoryLag => return false,
    }
    true
}

#[tokio::test]
async fn each_cause_is_the_only_reason_of_ready_and_has_words_and_a_row_in_the_documents() {
    let runbook = include_str!("../../../../docs/operating/monitoring.md");
    let rows: Vec<&str> = runbook.lines().filter(|line| line.starts_with("| `")).collect();
    let mut planted = 0;
    for code in NotReadyCode::ALL {
        let name = format!("`{}`", code.as_str());
        let is_documented =
            rows.iter().any(|row| row.split(" | ").next().is_some_and(|cell| cell.contains(&name)));
        assert!(is_documented, "docs/operating/monitoring.md lacks {name}");
        let disk = FaultyDisk::new(9);
        let stage = Stage::open_on(&disk).await;
        stage.ask(get("/ready")).await.expect(200);
        let is_planted = plant(*code, &stage, &disk).await;
        let ready = stage.ask(get("/ready")).await;
        if !is_planted {
            assert_eq!(ready.expect(200)["reasons"], json!(null), "{code:?}");
            continue;
        }
        let body = ready.expect(503);
        let [reason] = body["reasons"].as_array().map(Vec::as_slice).expect("reasons") else {
            panic!("{code:?}: {body}")
        };
        assert_eq!((&body["ready"], &reason["code"]), (&json!(false), &json!(code.as_str())), "{body}");
        assert!(reason["message"].as_str().is_some_and(|message| message.contains(' ')), "{body}");
        planted += 1;
    }
    assert_eq!((planted, NotReadyCode::ALL.len()), (5, 10), "the others need a shared log");
}
