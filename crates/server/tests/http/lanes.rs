//! A hot route answers alike in a lane and behind hyper: status, headers and body, except for times and counters.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use http::HeaderMap;
use serde_json::json;
use server::limits::{AnswerKind, Network, UNREAD_BYTES_MAX};
use stage::node::{Answered, Draft, Stage, delete, get, lane, limit, post};

/// The example of the specification of `traceparent`.
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Header fields without those that differ between any two responses.
fn comparable(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let differs =
        ["date", "x-request-id", "x-server-time-ms", "x-sequence", "ratelimit", "transfer-encoding"];
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in headers {
        if !differs.contains(&name.as_str()) && name != "content-length" {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            fields.entry(name.to_string()).or_default().push(value);
        }
    }
    fields
}

async fn both(stage: &Stage, draft: impl Fn() -> Draft) -> [Answered; 2] {
    let (app, router) = (stage.app(), stage.router());
    [stage::node::ask(router.clone(), draft()).await, lane::ask(app, router, draft()).await]
}

/// The answers to one request on both sides, which must be equal.
async fn check_equal(stage: &Stage, what: &str, draft: impl Fn() -> Draft) -> Answered {
    let [behind_hyper, in_a_lane] = both(stage, draft).await;
    assert_eq!(behind_hyper.status, in_a_lane.status, "{what}: {}", in_a_lane.text());
    assert_eq!(comparable(&behind_hyper.headers), comparable(&in_a_lane.headers), "{what}");
    assert_eq!(behind_hyper.text(), in_a_lane.text(), "{what}");
    for name in ["ratelimit", "x-request-id", "x-sequence", "x-server-time-ms"] {
        assert_eq!(behind_hyper.header(name).is_some(), in_a_lane.header(name).is_some(), "{what}: {name}");
    }
    in_a_lane
}

#[tokio::test]
async fn a_network_that_does_not_read_is_refused_alike_on_both_sides() {
    let stage = Stage::open().await;
    let network = Network::of(Ipv4Addr::LOCALHOST.into());
    let unread = stage.app().limits().unread.count(network, UNREAD_BYTES_MAX, AnswerKind::Read);
    let unread = unread.expect("room").expect("a large answer");
    let event = format!("/v1/pm/events/{}", stage.book.event);
    let refused = check_equal(&stage, &event, || get(&event)).await;
    assert_eq!(refused.status, 429);
    drop(unread);
    assert_eq!(check_equal(&stage, &event, || get(&event)).await.status, 200);
}

#[tokio::test]
async fn a_hot_read_has_the_same_answer_on_both_sides() {
    let stage = Stage::open().await;
    let (book, alice) = (&stage.book, &stage.alice.key);
    let placed = stage.place(alice, book, &limit(book.yes, "BUY", 10.0, 0.4)).await;
    let order = format!("/v1/pm/orders/{}", placed["id"].as_str().expect("an id"));
    let event = format!("/v1/pm/events/{}", book.event);
    let quote = book.quote();
    let asked = json!({"side": "BUY", "outcomeId": book.yes, "amount": 10, "currency": "USD"});
    let books = format!("/v1/pm/books?outcomeId={}&depth=5", book.yes);
    let ticker = format!("/v1/pm/markets/{}/ticker?outcomeId={}", book.market, book.yes);
    let unknown = "/v1/pm/events/01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
    for path in [&*event, &*books, &*ticker, unknown, "/v1/pm/books", "/v1/pm/books?outcomeId=x"] {
        check_equal(&stage, path, || get(path)).await;
        check_equal(&stage, path, || get(path).named(alice)).await;
        check_equal(&stage, path, || get(path).header("x-public-key", "pk_unknown")).await;
        check_equal(&stage, path, || get(path).header("x-trace-id", "a-trace")).await;
    }
    for (name, value, expected) in [
        ("x-request-id", "the-callers.own_1", Some("the-callers.own_1")),
        ("x-request-id", "not allowed", None),
        ("traceparent", PARENT, Some("4bf92f3577b34da6a3ce929d0e0e4736")),
        ("traceparent", "00-4bf9", None),
    ] {
        for answered in both(&stage, || get(&books).header(name, value)).await {
            let id = answered.header("x-request-id").expect("an id");
            assert!(expected.map_or(id.len() == 16, |expected| id == expected), "{name} {value}: {id}");
        }
    }
    check_equal(&stage, "order", || get(&order).named(alice)).await.expect(200);
    check_equal(&stage, "another's order", || get(&order).named(&stage.bob.key))
        .await
        .refused(404, "not_found");
    check_equal(&stage, "no key", || get(&order)).await.refused(401, "unauthorized");
    check_equal(&stage, "quote", || post(&quote).json(&asked)).await.expect(200);
    let mut asked = limit(book.yes, "BUY", 5_000.0, 0.6);
    check_equal(&stage, "quote of an order", || post(&quote).json(&asked)).await.expect(200);
    check_equal(&stage, "refused order", || post(&quote).json(&asked).named(alice)).await.expect(200);
    asked["price"] = json!(0.605);
    check_equal(&stage, "bad quote of an order", || post(&quote).json(&asked)).await;
    check_equal(&stage, "bad quote", || post(&quote).json(&json!({"side": "HOLD"}))).await;
    stage.close().await;
}

#[tokio::test]
async fn a_hot_write_is_refused_alike_on_both_sides() {
    let stage = Stage::open().await;
    let (book, alice) = (&stage.book, &stage.alice.key);
    let orders = book.orders();
    let order = limit(book.yes, "BUY", 10.0, 0.4);
    let now = stage.now_seconds();
    let missing = "/v1/pm/orders/01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
    check_equal(&stage, "unsigned", || post(&orders).json(&order)).await.refused(401, "unauthorized");
    check_equal(&stage, "old", || post(&orders).json(&order).signed(alice, now - 4_000)).await;
    check_equal(&stage, "a query", || post(&format!("{orders}?a=1")).json(&order).signed(alice, now)).await;
    check_equal(&stage, "no JSON", || post(&orders).signed(alice, now)).await.refused(400, "bad_request");
    check_equal(&stage, "an unknown order", || delete(missing).signed(alice, now)).await;
    let many = json!({"orderIds": ["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00"]});
    let batch = "/v1/pm/orders/batch/cancel";
    check_equal(&stage, "a batch", || post(batch).json(&many).signed(alice, now)).await.expect(200);
    let empty = json!({"orders": []});
    check_equal(&stage, "no items", || post("/v1/pm/orders/batch").json(&empty).signed(alice, now)).await;
    let key = ("idempotency-key", "not allowed!");
    check_equal(&stage, "a bad key", || post(&orders).json(&order).header(key.0, key.1).signed(alice, now))
        .await;
    stage.close().await;
}

/// The second request of a key gets the first one's response, whichever side served either.
#[tokio::test]
async fn a_write_is_replayed_across_sides() {
    let stage = Stage::open().await;
    let (book, alice, now) = (&stage.book, &stage.alice.key, stage.now_seconds());
    let draft = |key: &'static str| {
        let order = limit(book.yes, "BUY", 10.0, 0.4);
        post(&book.orders()).json(&order).header("idempotency-key", key).signed(alice, now)
    };
    for (key, first_in_a_lane) in [("one", true), ("two", false)] {
        let (app, router) = (stage.app(), stage.router());
        let first = match first_in_a_lane {
            true => lane::ask(app, router.clone(), draft(key)).await,
            false => stage::node::ask(router.clone(), draft(key)).await,
        };
        first.expect(200);
        for replayed in both(&stage, || draft(key)).await {
            assert_eq!((replayed.status, &replayed.bytes), (200, &first.bytes), "{}", replayed.text());
            assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
        }
        assert_eq!(first.header("idempotent-replayed"), None);
    }
    assert_eq!(stage.app().reading().state().orders().len(), 2);
    stage.close().await;
}

#[tokio::test]
async fn a_window_shortens_the_life_of_a_key_on_both_sides() {
    let stage = Stage::open().await;
    let (book, alice) = (&stage.book, &stage.alice.key);
    let draft = |key: &'static str, window: &'static str| {
        let order = limit(book.yes, "BUY", 10.0, 0.4);
        let keyed = post(&book.orders()).json(&order).header("idempotency-key", key);
        keyed.header("idempotency-window", window).signed(alice, stage.now_seconds())
    };
    let orders = || stage.app().reading().state().orders().len();
    for (place, key, in_a_lane) in [(1, "one", true), (2, "two", false)] {
        let ask = async || match in_a_lane {
            true => lane::ask(stage.app(), stage.router(), draft(key, "120")).await,
            false => stage::node::ask(stage.router(), draft(key, "120")).await,
        };
        let first = ask().await;
        first.expect(200);
        stage.clock.advance_seconds(119);
        let replayed = ask().await;
        assert_eq!((&replayed.bytes, replayed.header("idempotent-replayed")), (&first.bytes, Some("true")));
        assert_eq!(orders(), 2 * place - 1);
        stage.clock.advance_seconds(1);
        assert_eq!(ask().await.header("idempotent-replayed"), None, "the key is forgotten");
        assert_eq!(orders(), 2 * place);
    }
    check_equal(&stage, "a bad window", || draft("three", "59")).await.refused(400, "bad_request");
    stage.close().await;
}
