//! Spec, Limits, Idempotency: the same key and body is one effect and one answer, byte for byte, for a day.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use exchange::Request;
use exchange::command::{CancelOrder, Command};
use exchange::id::{KeyId, OrderId};
use exchange::idempotency::{IdempotencyKey, KEYS_PER_USER_MAX};
use exchange::identity::Actor;
use exchange::reject::Reject;
use serde_json::{Value, json};
use stage::node::{Answered, Draft, Stage, ask, delete, draft, limit, market, post, text};
use uuid::Uuid;

use crate::socket::{Listening, listen, wire};

const BATCH: &str = "/v1/pm/orders/batch";

fn place(stage: &Stage, name: &str, amount: f64) -> Draft {
    let body = limit(stage.book.yes, "BUY", amount, 0.40);
    post(&stage.book.orders()).json(&body).idempotent(name).signed(&stage.alice.key, stage.now_seconds())
}

async fn orders(stage: &Stage) -> u64 {
    let body = stage.read(&stage.alice.key, "/v1/pm/orders").await.expect(200);
    body["pagination"]["totalCount"].as_u64().expect("a count")
}

#[track_caller]
fn replayed(answered: &Answered, first: &Answered) {
    assert_eq!(answered.header("idempotent-replayed"), Some("true"), "{}", answered.text());
    assert_eq!((answered.status, answered.text()), (first.status, first.text()));
    assert_eq!(answered.header("x-sequence"), first.header("x-sequence"), "a client can wait for the write");
    assert_eq!(first.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn the_same_key_and_body_is_one_order_and_the_same_bytes() {
    let stage = Stage::open().await;
    let first = stage.ask(place(&stage, "once", 40.0)).await;
    first.expect(200);
    for _ in 0..3 {
        replayed(&stage.ask(place(&stage, "once", 40.0)).await, &first);
    }
    assert_eq!(orders(&stage).await, 1);
    // Later, with a new signature, and after the order has changed.
    stage.clock.advance_seconds(3_600);
    let id = first.expect(200)["order"]["id"].clone();
    stage.write_empty(&stage.alice.key, "DELETE", &format!("/v1/pm/orders/{}", text(&id))).await.expect(200);
    replayed(&stage.ask(place(&stage, "once", 40.0)).await, &first);
    assert_eq!(orders(&stage).await, 1);
}

#[tokio::test]
async fn every_write_can_be_asked_again() {
    let stage = Stage::open().await;
    let resting = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let other = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 4.0, 0.10)).await;
    let item = limit(stage.book.yes, "BUY", 4.0, 0.20);
    let rows: [(&str, String, Option<Value>); 11] = [
        ("POST", stage.book.orders(), Some(limit(stage.book.no, "BUY", 4.0, 0.20))),
        ("POST", stage.pool.orders(), Some(market(stage.pool.yes, "BUY", 4.0))),
        (
            "POST",
            BATCH.to_owned(),
            Some(json!({"orders": [item.clone(), market(stage.pool.yes, "BUY", 4.0)]})),
        ),
        (
            "POST",
            format!("{BATCH}/amend"),
            Some(json!({"items": [{"orderId": other["id"], "newPrice": 0.11}]})),
        ),
        ("DELETE", format!("/v1/pm/orders/{}", text(&resting["id"])), None),
        ("DELETE", BATCH.to_owned(), Some(json!({"orderIds": [other["id"], resting["id"], Uuid::now_v7()]}))),
        ("DELETE", "/v1/pm/orders".to_owned(), Some(json!({}))),
        ("POST", stage.book.mint(), Some(json!({"quantity": 10}))),
        ("POST", stage.book.burn(), Some(json!({"quantity": 10}))),
        ("PUT", stage.book.watchlist(), None),
        ("DELETE", stage.book.watchlist(), None),
    ];
    for (method, path, body) in rows {
        stage.clock.advance_seconds(1);
        let made = draft(method, &path).idempotent("the-same-name");
        let made = match &body {
            Some(body) => made.json(body),
            None => made,
        };
        let made = made.signed(&stage.alice.key, stage.now_seconds());
        let first = stage.ask(made.clone()).await;
        first.expect(200);
        let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200)["assets"][0]["availableBalance"].clone();
        replayed(&stage.ask(made).await, &first);
        let after = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
        assert_eq!(after["assets"][0]["availableBalance"], wallet, "{method} {path}");
    }
    stage.close().await;
}

/// The response over a socket: the status, whether it is a replay, and the body.
async fn over_socket(listening: &Listening, draft: Draft) -> (u16, bool, Value) {
    let answer = listening.send(&wire(draft.header("connection", "close"))).await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let is_replay = head.lines().any(|line| line.eq_ignore_ascii_case("idempotent-replayed: true"));
    (status, is_replay, serde_json::from_str(body).expect("a JSON body"))
}

#[tokio::test]
async fn every_spelling_of_a_path_shares_one_key() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let body = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let (event, market) = (stage.book.event.to_string(), stage.book.market.to_string());
    let place = |event: &str, market: &str| {
        post(&format!("/v1/pm/events/{event}/markets/{market}/orders"))
            .json(&body)
            .idempotent("once")
            .signed(&stage.alice.key, stage.now_seconds())
    };
    let (status, is_replay, first) = over_socket(&listening, place(&event, &market)).await;
    assert_eq!((status, is_replay), (200, false), "{first}");
    let encoded = |id: &str| id.replace('-', "%2D");
    let first_digit = |id: &str| format!("%{:02x}{}", id.as_bytes()[0], &id[1..]);
    let spellings = [
        (event.clone(), market.to_uppercase()),
        (event.to_uppercase(), market.clone()),
        (event.clone(), encoded(&market)),
        (encoded(&event.to_uppercase()), first_digit(&market)),
    ];
    for (event, market) in spellings {
        let again = over_socket(&listening, place(&event, &market)).await;
        assert_eq!(again, (200, true, first.clone()), "{event} {market}");
    }
    // Another spelling is no path of ours, so it places nothing.
    for market in
        [market.replace('-', ""), format!("{{{market}}}"), format!("{market}/"), format!("./{market}")]
    {
        let (status, is_replay, answer) = over_socket(&listening, place(&event, &market)).await;
        assert!(matches!(status, 400 | 404) && !is_replay, "{market}: {status} {answer}");
    }
    assert_eq!(orders(&stage).await, 1);
}

#[tokio::test]
async fn an_alias_shares_the_key_of_its_operation() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let rest = async || {
        let body = limit(stage.book.yes, "BUY", 4.0, 0.20);
        stage.place(&stage.alice.key, &stage.book, &body).await["id"].clone()
    };
    let ids = json!({"orderIds": [rest().await]}).to_string();
    let rows = [
        ("DELETE", "/v1/pm/orders/batch", "POST", "/v1/pm/orders/batch/cancel", ids.as_str()),
        ("POST", "/v1/pm/orders/cancel-all", "DELETE", "/v1/pm/orders", ""),
        ("DELETE", "/v1/pm/orders", "POST", "/v1/pm/orders/cancel-all", "{}"),
    ];
    for (number, (method, path, other_method, other_path, body)) in rows.into_iter().enumerate() {
        let send = |method: &str, path: &str| {
            let name = format!("alias-{number}");
            draft(method, path).raw(body).idempotent(&name).signed(&stage.alice.key, stage.now_seconds())
        };
        let (status, is_replay, first) = over_socket(&listening, send(method, path)).await;
        assert_eq!((status, is_replay), (200, false), "{method} {path}: {first}");
        let kept = rest().await;
        let again = over_socket(&listening, send(other_method, other_path)).await;
        assert_eq!(again, (200, true, first), "{other_method} {other_path}");
        let shown = stage.read(&stage.alice.key, &format!("/v1/pm/orders/{}", text(&kept))).await.expect(200);
        assert_eq!(shown["status"], "open", "what came after the first request stays");
        stage.clock.advance_seconds(1);
    }
}

#[tokio::test]
async fn the_same_key_with_another_body_is_refused() {
    let stage = Stage::open().await;
    let first = stage.ask(place(&stage, "once", 40.0)).await;
    stage.ask(place(&stage, "once", 41.0)).await.unprocessable("IDEMPOTENCY_KEY_REUSED");
    replayed(&stage.ask(place(&stage, "once", 40.0)).await, &first);
    assert_eq!(orders(&stage).await, 1);
}

#[tokio::test]
async fn a_key_is_its_users_and_its_routes_alone() {
    let stage = Stage::open().await;
    stage.ask(place(&stage, "once", 40.0)).await.expect(200);
    let body = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let bobs =
        post(&stage.book.orders()).json(&body).idempotent("once").signed(&stage.bob.key, stage.now_seconds());
    let bobs = stage.ask(bobs).await;
    assert_eq!(
        (bobs.expect(200)["order"]["userId"].clone(), bobs.header("idempotent-replayed")),
        (json!(stage.bob.id), None)
    );
    let mint = post(&stage.book.mint()).json(&json!({"quantity": 1})).idempotent("once");
    let mint = stage.ask(mint.signed(&stage.alice.key, stage.now_seconds())).await;
    mint.expect(200);
    assert_eq!(mint.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn a_refusal_by_the_rules_is_remembered_and_one_by_the_edge_is_not() {
    let stage = Stage::open().await;
    let poor = stage.ask(place(&stage, "poor", 5_000.0)).await;
    poor.unprocessable("INSUFFICIENT_BALANCE");
    replayed(&stage.ask(place(&stage, "poor", 5_000.0)).await, &poor);

    let malformed = post(&stage.book.orders()).json(&json!({})).idempotent("edge");
    stage.ask(malformed.signed(&stage.alice.key, stage.now_seconds())).await.refused(400, "bad_request");
    let unsigned = place(&stage, "edge", 40.0).without("x-signature");
    stage.ask(unsigned).await.refused(401, "unauthorized");
    for _ in 0..19 {
        stage.write_empty(&stage.alice.key, "PUT", &stage.book.watchlist()).await;
    }
    stage.ask(place(&stage, "edge", 40.0)).await.limited(1);
    stage.clock.advance_seconds(1);
    let taken = stage.ask(place(&stage, "edge", 40.0)).await;
    taken.expect(200);
    assert_eq!(taken.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn a_key_is_forgotten_after_a_day() {
    let stage = Stage::open().await;
    let first = stage.ask(place(&stage, "daily", 4.0)).await;
    stage.clock.advance_seconds(86_399);
    replayed(&stage.ask(place(&stage, "daily", 4.0)).await, &first);
    stage.clock.advance_seconds(1);
    let second = stage.ask(place(&stage, "daily", 4.0)).await;
    assert_eq!((second.status, second.header("idempotent-replayed")), (200, None));
    assert_ne!(second.expect(200)["order"]["id"], first.expect(200)["order"]["id"]);
    assert_eq!(orders(&stage).await, 2);
}

#[tokio::test]
async fn a_key_and_its_answer_outlive_a_restart() {
    let mut stage = Stage::open().await;
    let first = stage.ask(place(&stage, "durable", 40.0)).await;
    let ids = json!({"orderIds": [first.expect(200)["order"]["id"], Uuid::now_v7()]});
    let cancel = |stage: &Stage| {
        delete(BATCH).json(&ids).idempotent("b").signed(&stage.alice.key, stage.now_seconds())
    };
    let cancelled = stage.ask(cancel(&stage)).await;
    stage.restart().await;
    stage.clock.advance_seconds(600);
    replayed(&stage.ask(place(&stage, "durable", 40.0)).await, &first);
    replayed(&stage.ask(cancel(&stage)).await, &cancelled);
    stage.ask(place(&stage, "durable", 41.0)).await.unprocessable("IDEMPOTENCY_KEY_REUSED");
    stage.restart().await;
    replayed(&stage.ask(place(&stage, "durable", 40.0)).await, &first);
    assert_eq!(orders(&stage).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_duplicates_are_one_effect() {
    let stage = Stage::open().await;
    let asked: Vec<_> =
        (0..20).map(|_| tokio::spawn(ask(stage.router(), place(&stage, "race", 40.0)))).collect();
    let mut bodies = Vec::new();
    for answered in asked {
        let answered = answered.await.expect("an answer");
        match answered.status {
            200 => bodies.push(answered.text()),
            409 => drop(answered.refused(409, "conflict")),
            other => panic!("{other}: {}", answered.text()),
        }
    }
    assert!(!bodies.is_empty());
    assert!(bodies.iter().all(|body| *body == bodies[0]), "every success is the first one's answer");
    assert_eq!(orders(&stage).await, 1);
}

#[tokio::test]
async fn a_duplicate_of_a_request_in_flight_is_a_conflict() {
    let stage = Stage::open().await;
    // A request that was polled once has been submitted; until the next poll it is in flight. A request may already
    // be answered at the first poll, so there are several attempts.
    for attempt in 0..10 {
        let name = format!("flight-{attempt}");
        let mut first = pin!(ask(stage.router(), place(&stage, &name, 4.0)));
        let is_waiting = poll_fn(|context| Poll::Ready(first.as_mut().poll(context).is_pending())).await;
        if is_waiting {
            let body = stage.ask(place(&stage, &name, 4.0)).await.refused(409, "conflict");
            assert!(text(&body["message"]).contains("still in flight"), "{body}");
            let first = first.await;
            first.expect(200);
            replayed(&stage.ask(place(&stage, &name, 4.0)).await, &first);
            return;
        }
    }
    panic!("no request was ever in flight");
}

#[tokio::test]
async fn a_key_is_1_to_255_letters_digits_underscores_and_hyphens() {
    let stage = Stage::open().await;
    let longest = "x".repeat(255);
    for name in ["a", "A-z_0", longest.as_str()] {
        stage.ask(place(&stage, name, 4.0)).await.expect(200);
    }
    let too_long = "x".repeat(256);
    for name in ["", "a b", "a.b", "\u{e9}", too_long.as_str()] {
        let body = stage.ask(place(&stage, name, 4.0)).await.refused(400, "bad_request");
        assert!(text(&body["message"]).contains("Idempotency-Key"), "{body}");
    }
    let twice = place(&stage, "one", 4.0).idempotent("two");
    stage.ask(twice).await.refused(400, "bad_request");
    assert_eq!(orders(&stage).await, 3);
}

#[tokio::test]
async fn a_window_is_60_to_86400_seconds() {
    let stage = Stage::open().await;
    for (place_number, window) in ["60", "600", "0600", "86400"].into_iter().enumerate() {
        let name = format!("window-{place_number}");
        stage.ask(place(&stage, &name, 4.0).header("idempotency-window", window)).await.expect(200);
    }
    for window in ["", "0", "59", "86401", "4294967297", "-60", "+60", "60.0", "6e2", "1m", "60 60"] {
        let asked = place(&stage, "bad", 4.0).header("idempotency-window", window);
        let body = stage.ask(asked).await.refused(400, "bad_request");
        assert!(text(&body["message"]).contains("Idempotency-Window"), "{window}: {body}");
    }
    let twice =
        place(&stage, "bad", 4.0).header("idempotency-window", "60").header("idempotency-window", "60");
    stage.ask(twice).await.refused(400, "bad_request");
    assert_eq!(orders(&stage).await, 4);
}

/// Uses up keys of Alice's with requests that find nothing and are recorded. Submits straight to the writer, many at
/// once.
async fn use_up(stage: &Stage, keys: u32) {
    let key = KeyId::new(stage.alice.key.id.as_u128());
    for first in (0..keys).step_by(4_000) {
        let asked = (first..keys.min(first + 4_000)).map(|number| Request {
            actor: Actor::Key { key, generation: 0 },
            idempotency: Some(IdempotencyKey {
                scope: u64::from(number),
                scope_low: 0,
                body: 0,
                window: None,
            }),
            command: Command::CancelOrder(CancelOrder { order: OrderId::new(404) }),
        });
        let submit = |request| {
            let sequencer = stage.app().writing().sequencer().clone();
            tokio::spawn(async move { sequencer.submit(request).await })
        };
        for submitted in asked.map(submit).collect::<Vec<_>>() {
            let answer = submitted.await.expect("no panic").expect("an answer");
            assert_eq!(answer.result, Err(Reject::OrderNotFound));
        }
    }
}

#[tokio::test]
async fn a_user_with_200_000_live_keys_waits_for_one_to_be_forgotten() {
    let stage = Stage::open().await;
    let first = stage.ask(place(&stage, "first", 4.0)).await;
    first.expect(200);
    use_up(&stage, KEYS_PER_USER_MAX - 1).await;
    let refused = stage.ask(place(&stage, "one-too-many", 4.0)).await;
    let body = refused.limited(60);
    assert_eq!(
        body,
        json!({
            "error": "rate_limit",
            "code": "TOO_MANY_IDEMPOTENCY_KEYS",
            "message": "Too many idempotency keys are in use: they are kept for 24 hours, or for their Idempotency-Window",
            "statusCode": 429,
            "retryAfter": 60,
        })
    );
    replayed(&stage.ask(place(&stage, "first", 4.0)).await, &first);
    stage.ask(place(&stage, "x", 4.0).without("idempotency-key")).await.expect(200);
    assert_eq!(orders(&stage).await, 2, "without a key there is no limit");
    stage.clock.advance_seconds(86_400);
    let later = stage.ask(place(&stage, "one-too-many", 4.0)).await;
    later.expect(200);
    assert_eq!(later.header("idempotent-replayed"), None, "a 429 is not remembered");
}
