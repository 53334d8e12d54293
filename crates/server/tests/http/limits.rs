//! Spec, Limits: buckets with debt, exact waits, key management, two keys at most.

use std::collections::BTreeMap;

use serde_json::json;
use server::web::WebSettings;
use stage::node::{Answered, Stage, User, ask, delete, get, limit, post};
use uuid::Uuid;

const KEYS: &str = "/v1/user/me/api-keys";
const BATCH: &str = "/v1/pm/orders/batch";

async fn watch(stage: &Stage, user: &User) -> Answered {
    stage.write_empty(&user.key, "PUT", &stage.book.watchlist()).await
}

/// Cancels an order that does not exist: it is still charged.
async fn cancel_one(stage: &Stage) -> Answered {
    stage.write_empty(&stage.alice.key, "DELETE", &format!("/v1/pm/orders/{}", Uuid::now_v7())).await
}

async fn cancel_batch(stage: &Stage, count: usize) -> Answered {
    let body = json!({"orderIds": vec![Uuid::now_v7(); count]});
    stage.write(&stage.alice.key, "DELETE", BATCH, &body).await
}

/// Moves the clock by milliseconds.
fn advance(stage: &Stage, milliseconds: i64) {
    stage.clock.advance_micros(milliseconds * 1_000);
}

#[tokio::test]
async fn twenty_writes_pass_in_a_second_and_each_key_has_its_own() {
    let stage = Stage::open().await;
    for _ in 0..20 {
        watch(&stage, &stage.alice).await.expect(200);
    }
    let body = watch(&stage, &stage.alice).await.limited(1);
    assert_eq!(body["message"], "Too many requests: wait before the next one");
    watch(&stage, &stage.bob).await.expect(200);
    advance(&stage, 49);
    watch(&stage, &stage.alice).await.limited(1);
    advance(&stage, 1);
    watch(&stage, &stage.alice).await.expect(200);
    watch(&stage, &stage.alice).await.limited(1);
    stage.clock.advance_seconds(60);
    for _ in 0..20 {
        watch(&stage, &stage.alice).await.expect(200);
    }
    watch(&stage, &stage.alice).await.limited(1);
}

#[tokio::test]
async fn a_limited_write_changes_nothing() {
    let stage = Stage::open().await;
    for _ in 0..20 {
        watch(&stage, &stage.alice).await.expect(200);
    }
    let before = (stage.seq(), stage.digest());
    let order = limit(stage.book.yes, "BUY", 40.0, 0.40);
    stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order).await.limited(1);
    assert_eq!((stage.seq(), stage.digest()), before);
}

#[tokio::test]
async fn a_batch_costs_its_items_and_leaves_a_debt() {
    let stage = Stage::open().await;
    cancel_batch(&stage, 100).await.expect(200);
    cancel_one(&stage).await.limited(5);
    cancel_batch(&stage, 100).await.limited(5);
    advance(&stage, 4_049);
    cancel_one(&stage).await.limited(1);
    advance(&stage, 1);
    cancel_one(&stage).await.expect(404);
    cancel_one(&stage).await.limited(1);
    advance(&stage, 500);
    // A batch that is larger than the bucket needs a full one. A refused batch pays nothing; otherwise retries would
    // keep the bucket from ever being full.
    for _ in 0..3 {
        cancel_batch(&stage, 21).await.limited(1);
    }
    advance(&stage, 499);
    cancel_batch(&stage, 21).await.limited(1);
    advance(&stage, 1);
    cancel_batch(&stage, 21).await.expect(200);
    // One more than the bucket holds was taken: a debt of one, and a token for the next.
    advance(&stage, 99);
    cancel_one(&stage).await.limited(1);
    advance(&stage, 1);
    cancel_one(&stage).await.expect(404);
    cancel_one(&stage).await.limited(1);
}

#[tokio::test]
async fn each_batch_costs_one_token_an_item() {
    let stage = Stage::open().await;
    let order = limit(stage.book.yes, "BUY", 1.0, 0.40);
    let amendment = json!({"orderId": Uuid::now_v7(), "newPrice": 0.5});
    let rows = [
        ("POST", BATCH, json!({"orders": vec![order; 19]})),
        ("POST", "/v1/pm/orders/batch/amend", json!({"items": vec![amendment; 19]})),
        ("DELETE", BATCH, json!({"orderIds": vec![Uuid::now_v7(); 19]})),
    ];
    for (method, path, body) in rows {
        stage.clock.advance_seconds(1);
        stage.write(&stage.alice.key, method, path, &body).await.expect(200);
        let one_left = stage.write(&stage.alice.key, method, path, &body).await;
        one_left.limited(1);
        stage.write(&stage.alice.key, method, path, &body).await.limited(1);
        let policy = if method == "DELETE" { r#""cancel";q=20;w=1"# } else { r#""write";q=20;w=1"# };
        assert_eq!(one_left.header("ratelimit-policy"), Some(policy));
    }
}

#[tokio::test]
async fn a_key_is_charged_after_its_signature_was_verified_and_before_its_body_is_parsed() {
    let stage = Stage::open().await;
    let wrong = stage.alice.key.with_secret("sk_live_wrong");
    for _ in 0..40 {
        let answered = stage.write(&wrong, "POST", BATCH, &json!({})).await;
        answered.refused(401, "invalid_signature");
        assert_eq!(answered.header("ratelimit-policy"), Some(r#""proofs";q=100;w=1"#));
    }
    for _ in 0..20 {
        stage.write(&stage.alice.key, "POST", BATCH, &json!({})).await.refused(400, "bad_request");
    }
    stage.write(&stage.alice.key, "POST", BATCH, &json!({})).await.limited(1);
}

#[tokio::test]
async fn failed_proofs_are_limited_by_network_and_take_nothing_from_public_requests() {
    let stage = Stage::open().await;
    let wrong = stage.alice.key.with_secret("sk_live_wrong");
    for _ in 0..100 {
        stage.write_empty(&wrong, "PUT", &stage.book.watchlist()).await.refused(401, "invalid_signature");
    }
    stage.write_empty(&wrong, "PUT", &stage.book.watchlist()).await.limited(1);
    let public = stage.ask(get("/version")).await;
    public.expect(200);
    assert_eq!(public.header("ratelimit"), Some(r#""public";r=99;t=1"#));
    // A verified signature returns its token: a network without failures never runs out of attempts.
    stage.clock.advance_seconds(1);
    for round in 0..15 {
        stage.clock.advance_seconds(round % 2);
        for _ in 0..10 {
            watch(&stage, &stage.alice).await.expect(200);
        }
        advance(&stage, 500);
    }
}

#[tokio::test]
async fn cancels_and_other_writes_have_a_bucket_each() {
    let stage = Stage::open().await;
    for _ in 0..20 {
        watch(&stage, &stage.alice).await.expect(200);
    }
    watch(&stage, &stage.alice).await.limited(1);
    let all = json!({"marketId": stage.book.market});
    for _ in 0..9 {
        cancel_one(&stage).await.expect(404);
        stage.write(&stage.alice.key, "DELETE", "/v1/pm/orders", &all).await.expect(200);
    }
    cancel_batch(&stage, 2).await.expect(200);
    cancel_one(&stage).await.limited(1);
}

#[tokio::test]
async fn a_replay_costs_one_token_however_long_the_batch() {
    let stage = Stage::open().await;
    let body = json!({"orderIds": vec![Uuid::now_v7(); 20]});
    let draft =
        || delete(BATCH).json(&body).idempotent("again").signed(&stage.alice.key, stage.now_seconds());
    stage.ask(draft()).await.expect(200);
    advance(&stage, 50);
    let replayed = stage.ask(draft()).await;
    replayed.expect(200);
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
}

#[tokio::test]
async fn thirty_reads_pass_in_a_second() {
    let stage = Stage::open().await;
    for path in ["/v1/pm/portfolio", "/v1/pm/orders", "/v1/wallet/assets"].iter().cycle().take(30) {
        stage.read(&stage.alice.key, path).await.expect(200);
    }
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.limited(1);
    stage.read(&stage.alice.key, &format!("/v1/pm/orders/{}", Uuid::now_v7())).await.limited(1);
    stage.read(&stage.bob.key, "/v1/pm/portfolio").await.expect(200);
    // Writes have a bucket of their own.
    watch(&stage, &stage.alice).await.expect(200);
    advance(&stage, 33);
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.limited(1);
    advance(&stage, 1);
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
}

#[tokio::test]
async fn two_creations_pass_in_half_an_hour_for_each_session() {
    let stage = Stage::open().await;
    let session = stage.alice.elsewhere(stage.app()).await;
    let create = |name: &str| stage.ask(post(KEYS).in_session(&session).json(&json!({"name": name})));
    create("second").await.expect(201);
    stage.clock.advance_seconds(60);
    create("third").await.unprocessable("TOO_MANY_API_KEYS");
    create("third").await.limited(1_740);
    stage.clock.advance_seconds(1_739);
    create("third").await.limited(1);
    stage.clock.advance_seconds(1);
    create("third").await.unprocessable("TOO_MANY_API_KEYS");
    create("third").await.limited(60);
    // The list is not limited, and another session has its own allowance.
    stage.ask(get(KEYS).in_session(&session)).await.expect(200);
    let other = stage.alice.elsewhere(stage.app()).await;
    stage
        .ask(post(KEYS).in_session(&other).json(&json!({"name": "x"})))
        .await
        .unprocessable("TOO_MANY_API_KEYS");
}

#[tokio::test]
async fn revocations_and_rotations_share_two_in_half_an_hour() {
    let stage = Stage::open().await;
    let rotate = format!("{KEYS}/{}/rotate", stage.alice.key.id);
    let revoke = format!("{KEYS}/{}", stage.alice.key.id);
    stage.ask(post(&rotate).in_session(&stage.alice)).await.expect(200);
    stage.ask(post(&rotate).in_session(&stage.alice)).await.expect(200);
    stage.ask(delete(&revoke).in_session(&stage.alice)).await.limited(1_800);
    stage.ask(post(&rotate).in_session(&stage.alice)).await.limited(1_800);
    stage.clock.advance_seconds(1_800);
    stage.ask(delete(&revoke).in_session(&stage.alice)).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_creations_from_many_sessions_leave_two_keys() {
    let stage = Stage::open().await;
    let mut sessions = Vec::new();
    for _ in 0..20 {
        sessions.push(stage.alice.elsewhere(stage.app()).await);
    }
    let mut counts = BTreeMap::new();
    for round in 0..5 {
        let mut asked = Vec::new();
        for (number, session) in sessions.iter().enumerate() {
            let name = format!("key {round} {number}");
            let draft = post(KEYS).in_session(session).json(&json!({"name": name}));
            asked.push(tokio::spawn(ask(stage.router(), draft)));
        }
        for answered in asked {
            *counts.entry(answered.await.expect("an answer").status).or_insert(0) += 1;
        }
        // A user's sessions together make 20 writes a second.
        stage.clock.advance_seconds(1);
    }
    // Alice has one key already; each of the 20 sessions may try twice.
    assert_eq!(counts, BTreeMap::from([(201, 1), (422, 39), (429, 60)]));
    stage.clock.advance_seconds(1);
    let listed = stage.ask(get(KEYS).in_session(&sessions[0])).await.expect(200);
    assert_eq!((&listed["total"], listed["keys"].as_array().map(Vec::len)), (&json!(2), Some(2)));
    stage.close().await;
}

#[tokio::test]
async fn requests_without_a_key_are_limited_by_address() {
    let stage = Stage::open().await;
    for path in ["/version", "/v1/pm/events", "/nowhere", "/v1/pm/portfolio"].iter().cycle().take(100) {
        stage.ask(get(path)).await;
    }
    stage.ask(get("/version")).await.limited(1);
    // A public key proves nothing, so reading by it takes the network's token as well.
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.limited(1);
    advance(&stage, 10);
    stage.ask(get("/version")).await.expect(200);
}

#[tokio::test]
async fn those_behind_a_proxy_that_is_named_are_limited_each_by_their_own_address() {
    let stage = Stage::open().await;
    let proxies = vec!["127.0.0.1".parse().expect("an address")];
    assert!(
        stage.app().web().configure(WebSettings { proxies, ..WebSettings::default() }),
        "configured before the first use"
    );
    let from = |address: &str| get("/version").header("x-forwarded-for", address);
    for _ in 0..100 {
        stage.ask(from("203.0.113.9")).await.expect(200);
    }
    stage.ask(from("203.0.113.9")).await.limited(1);
    stage.ask(from("1.1.1.1, 203.0.113.9")).await.limited(1);
    stage.ask(from("203.0.113.10")).await.expect(200);
    stage.ask(get("/version")).await.expect(200);
}

#[tokio::test]
async fn a_caller_who_is_no_named_proxy_has_no_address_but_its_own() {
    let stage = Stage::open().await;
    for number in 0..100 {
        let asked = get("/version").header("x-forwarded-for", format!("203.0.113.{number}"));
        stage.ask(asked).await.expect(200);
    }
    stage.ask(get("/version").header("x-forwarded-for", "198.51.100.7")).await.limited(1);
}

#[tokio::test]
async fn opening_the_page_again_and_again_takes_nothing_from_what_can_be_asked_on_it() {
    let stage = Stage::open().await;
    let place = || get("/events/some-event").header("accept", "text/html");
    for _ in 0..250 {
        for draft in [get("/"), get("/favicon.svg"), place()] {
            let file = stage.ask(draft).await;
            assert_eq!(file.status, 200, "{}", file.text());
            assert_eq!(file.header("ratelimit-policy"), Some(r#""files";q=1000;w=1"#));
        }
        stage.ask(get("/assets/none.js")).await.refused(404, "not_found");
    }
    let asked = stage.ask(get("/v1/pm/events")).await;
    asked.expect(200);
    assert_eq!(asked.header("ratelimit"), Some(r#""public";r=99;t=1"#));
    // Not without a limit, and requests of programs do not pass as files.
    stage.ask(get("/favicon.svg")).await.limited(1);
    for path in ["/openapi.json", "/docs", "/web/session", "/nowhere", "/v1/pm/none.json"] {
        let answered = stage.ask(get(path)).await;
        assert_eq!(answered.header("ratelimit-policy"), Some(r#""public";q=100;w=1"#), "{path}");
    }
}

#[tokio::test]
async fn every_answer_shows_its_limit_and_the_remaining_tokens() {
    let stage = Stage::open().await;
    let shown = |answered: &Answered| {
        let header = |name: &str| answered.header(name).unwrap_or_default().to_owned();
        (header("ratelimit"), header("ratelimit-policy"))
    };
    let is = |limit: &str, policy: &str| (limit.to_owned(), policy.to_owned());
    let read = stage.read(&stage.alice.key, "/v1/pm/portfolio").await;
    assert_eq!(shown(&read), is(r#""read";r=29;t=1"#, r#""read";q=30;w=1"#));
    let write = watch(&stage, &stage.alice).await;
    assert_eq!(shown(&write), is(r#""write";r=19;t=1"#, r#""write";q=20;w=1"#));
    // The read by a public key has taken a public token too.
    let public = stage.ask(get("/v1/pm/events")).await;
    assert_eq!(shown(&public), is(r#""public";r=98;t=1"#, r#""public";q=100;w=1"#));
    cancel_batch(&stage, 20).await.expect(200);
    let refused = cancel_one(&stage).await;
    refused.limited(1);
    assert_eq!(shown(&refused), is(r#""cancel";r=0;t=1"#, r#""cancel";q=20;w=1"#));
}

#[tokio::test]
async fn a_named_key_does_not_spare_its_address_where_nothing_is_charged_to_the_key() {
    let stage = Stage::open().await;
    let strange = |path: &str| get(path).header("x-public-key", "pk_live_nobody");
    for _ in 0..100 {
        stage.ask(strange("/v1/pm/portfolio")).await.unauthorized("unauthorized", "unknown_key");
    }
    stage.ask(strange("/v1/pm/portfolio")).await.limited(1);
    // A known public key proves no more than an unknown one.
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.limited(1);
    stage.read(&stage.alice.key, "/v1/pm/events").await.limited(1);
    stage.clock.advance_seconds(1);
    let shown = stage.read(&stage.alice.key, "/v1/pm/events").await;
    shown.expect(200);
    assert_eq!(shown.header("ratelimit"), Some("\"public\";r=99;t=1"));
}
