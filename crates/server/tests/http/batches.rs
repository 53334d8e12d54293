//! Batches: place, cancel, amend. Each item on its own, in the order of the request.

use serde_json::{Value, json};
use stage::node::{Answered, Key, Stage, keys, limit, market, number, post, text};
use uuid::Uuid;

use crate::socket::listen;

const BATCH: &str = "/v1/pm/orders/batch";
const AMEND: &str = "/v1/pm/orders/batch/amend";

async fn send(stage: &Stage, method: &str, path: &str, body: Value) -> Answered {
    // Long enough to pay off the debt of the largest batch.
    stage.clock.advance_seconds(5);
    stage.write(&stage.alice.key, method, path, &body).await
}

async fn rest(stage: &Stage, amount: f64, price: f64) -> String {
    let order =
        stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", amount, price)).await;
    text(&order["id"]).to_owned()
}

#[track_caller]
fn failed(result: &Value, code: &str) {
    assert_eq!((&result["success"], &result["error"]["code"]), (&json!(false), &json!(code)), "{result}");
    assert!(!text(&result["error"]["message"]).is_empty(), "{result}");
    assert!(result.get("order").is_none(), "{result}");
}

#[tokio::test]
async fn placing_gives_a_result_for_each_item() {
    let stage = Stage::open().await;
    let mut named = limit(stage.book.yes, "BUY", 40.0, 0.40);
    named["clientOrderId"] = json!("mm-001");
    let mut poor = limit(stage.book.yes, "BUY", 5_000.0, 0.40);
    poor["clientOrderId"] = json!("mm-002");
    let mut malformed = limit(stage.book.yes, "BUY", 10.0, 0.405);
    malformed["clientOrderId"] = json!("mm-003");
    let items = [
        named,
        poor,
        malformed,
        limit(stage.book.yes, "SELL", 10.0, 0.60),
        market(stage.pool.yes, "BUY", 10.0),
        limit(Uuid::now_v7(), "BUY", 10.0, 0.40),
        json!("not an object"),
    ];
    let body = send(&stage, "POST", BATCH, json!({"orders": items})).await.expect(200);
    assert_eq!(keys(&body), ["engine", "results", "summary"]);
    assert_eq!(body["engine"], "CLOB");
    assert_eq!(body["summary"], json!({"total": 7, "succeeded": 1, "failed": 6}));
    let results = body["results"].as_array().expect("results");
    for (index, result) in results.iter().enumerate() {
        assert_eq!(result["index"], index);
    }
    assert_eq!((&results[0]["success"], &results[0]["clientOrderId"]), (&json!(true), &json!("mm-001")));
    assert_eq!((text(&results[0]["order"]["status"]), number(&results[0]["order"]["size"])), ("open", 100.0));
    assert!(results[0].get("error").is_none());
    failed(&results[1], "INSUFFICIENT_BALANCE");
    assert_eq!(results[1]["clientOrderId"], "mm-002");
    failed(&results[2], "BAD_REQUEST");
    assert_eq!(results[2]["clientOrderId"], "mm-003", "what could not be read keeps its name");
    failed(&results[3], "INSUFFICIENT_SHARES");
    failed(&results[4], "UNSUPPORTED_ENGINE");
    failed(&results[5], "BAD_REQUEST");
    assert_eq!(results[5]["error"]["reason"], "OUTCOME_NOT_FOUND");
    failed(&results[6], "BAD_REQUEST");
    assert!(results[6].get("clientOrderId").is_none());
}

#[tokio::test]
async fn an_item_that_was_placed_and_ended_by_its_own_terms_is_a_success() {
    let stage = Stage::open().await;
    let mut item = limit(stage.book.yes, "BUY", 40.0, 0.40);
    item["timeInForce"] = json!("FOK");
    let body = send(&stage, "POST", BATCH, json!({"orders": [item]})).await.expect(200);
    let result = &body["results"][0];
    assert_eq!((&result["success"], &result["order"]["status"]), (&json!(true), &json!("rejected")));
}

#[tokio::test]
async fn a_batch_of_the_wrong_size_or_shape_is_refused_whole() {
    let stage = Stage::open().await;
    let item = limit(stage.book.yes, "BUY", 1.0, 0.40);
    let amendment = json!({"orderId": Uuid::now_v7(), "newPrice": 0.5});
    let ids = |count: usize| vec![Uuid::now_v7(); count];
    let rows = [
        ("POST", BATCH, json!({"orders": vec![item.clone(); 21]})),
        ("POST", BATCH, json!({"orders": []})),
        ("POST", BATCH, json!({"orders": item})),
        ("POST", BATCH, json!({})),
        // The body that one public client sends to cancel.
        ("POST", BATCH, json!({"orderIds": ids(2)})),
        ("POST", AMEND, json!({"items": vec![amendment.clone(); 21]})),
        ("POST", AMEND, json!({"items": []})),
        ("POST", AMEND, json!({})),
        ("POST", AMEND, json!({"items": [amendment.clone()], "orders": [amendment.clone()]})),
        ("DELETE", BATCH, json!({"orderIds": ids(101)})),
        ("DELETE", BATCH, json!({"orderIds": []})),
        ("DELETE", BATCH, json!({"orderIds": ["x"]})),
        ("DELETE", BATCH, json!({"orderIds": [Uuid::now_v7(), 7]})),
        ("DELETE", BATCH, json!({})),
    ];
    let before = stage.digest();
    for (method, path, body) in rows {
        let refusal = send(&stage, method, path, body).await.refused(400, "bad_request");
        assert_eq!(refusal["code"], "BAD_REQUEST");
    }
    assert_eq!(stage.digest(), before, "no item reached the exchange");
}

#[tokio::test]
async fn twenty_placements_and_a_hundred_cancellations_pass() {
    let stage = Stage::open().await;
    let items = vec![limit(stage.book.yes, "BUY", 1.0, 0.40); 20];
    let placed = send(&stage, "POST", BATCH, json!({"orders": items})).await.expect(200);
    assert_eq!(placed["summary"], json!({"total": 20, "succeeded": 20, "failed": 0}));
    let results = placed["results"].as_array().expect("results");
    let mut ids: Vec<Value> = results.iter().map(|result| result["order"]["id"].clone()).collect();
    ids.resize_with(100, || json!(Uuid::now_v7()));
    let cancelled = send(&stage, "DELETE", BATCH, json!({"orderIds": ids})).await.expect(200);
    assert_eq!(cancelled["summary"], json!({"total": 100, "succeeded": 20, "failed": 80}));
    let in_order = cancelled["results"].as_array().expect("results").iter().map(|result| &result["orderId"]);
    assert!(in_order.eq(ids.iter()), "results come in the order of the request");
}

#[tokio::test]
async fn cancelling_reports_why_an_item_failed() {
    let stage = Stage::open().await;
    let open = rest(&stage, 40.0, 0.40).await;
    let closed = rest(&stage, 40.0, 0.40).await;
    stage.write_empty(&stage.alice.key, "DELETE", &format!("/v1/pm/orders/{closed}")).await.expect(200);
    let pooled = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    let bobs = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 10.0, 0.30)).await;
    let ids = json!([open, open, closed, pooled["id"], bobs["id"], Uuid::now_v7()]);
    let body = send(&stage, "DELETE", BATCH, json!({"orderIds": ids})).await.expect(200);
    assert_eq!(body["engine"], "CLOB");
    assert_eq!(body["summary"], json!({"total": 6, "succeeded": 1, "failed": 5}));
    let results = &body["results"];
    assert_eq!(results[0], json!({"orderId": open, "success": true}));
    failed(&results[1], "ORDER_NOT_FOUND");
    failed(&results[2], "ORDER_NOT_FOUND");
    failed(&results[3], "UNSUPPORTED_ENGINE");
    failed(&results[4], "ORDER_NOT_FOUND");
    failed(&results[5], "ORDER_NOT_FOUND");
}

#[tokio::test]
async fn amending_changes_price_and_size_of_what_rests() {
    let stage = Stage::open().await;
    let (first, second) = (rest(&stage, 40.0, 0.40).await, rest(&stage, 20.0, 0.40).await);
    let items = json!([
        {"orderId": first, "newPrice": 0.30},
        {"orderId": second, "newSize": 25},
    ]);
    let body = send(&stage, "POST", AMEND, json!({"items": items})).await.expect(200);
    assert_eq!(
        (&body["engine"], &body["summary"]),
        (&json!("CLOB"), &json!({"total": 2, "succeeded": 2, "failed": 0}))
    );
    let shown = |result: &Value| {
        let order = &result["order"];
        ["price", "size", "amount", "remainingSize"].map(|key| number(&order[key]))
    };
    assert_eq!((&body["results"][0]["index"], &body["results"][0]["orderId"]), (&json!(0), &json!(first)));
    assert_eq!(shown(&body["results"][0]), [0.3, 100.0, 30.0, 100.0]);
    assert_eq!(shown(&body["results"][1]), [0.4, 25.0, 10.0, 25.0]);
    // Another name of the array.
    let renamed = json!({"orders": [{"orderId": first, "newPrice": 0.31, "newSize": 50}]});
    let body = send(&stage, "POST", AMEND, renamed).await.expect(200);
    assert_eq!(shown(&body["results"][0]), [0.31, 50.0, 15.5, 50.0]);
}

#[tokio::test]
async fn amending_reports_why_an_item_failed() {
    let stage = Stage::open().await;
    let order = rest(&stage, 40.0, 0.40).await;
    let asks = rest(&stage, 40.0, 0.40).await;
    let pooled = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    let bobs = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 10.0, 0.30)).await;
    let items = json!([
        {"orderId": order},
        {"orderId": asks, "newPrice": 0.405},
        {"orderId": Uuid::now_v7(), "newPrice": 0.5},
        {"orderId": bobs["id"], "newPrice": 0.5},
        {"orderId": pooled["id"], "newPrice": 0.5},
        {"orderId": asks, "newSize": 100_000},
        {"orderId": asks, "newSize": 90},
        {"newSize": 90},
        7,
        {"orderId": "no \"id\"", "newSize": 90},
    ]);
    let body = send(&stage, "POST", AMEND, json!({"items": items})).await.expect(200);
    assert_eq!(body["summary"], json!({"total": 10, "succeeded": 0, "failed": 10}));
    let results = &body["results"];
    failed(&results[0], "BAD_REQUEST");
    failed(&results[1], "BAD_REQUEST");
    failed(&results[2], "ORDER_NOT_FOUND");
    failed(&results[3], "ORDER_NOT_FOUND");
    failed(&results[4], "UNSUPPORTED_ENGINE");
    failed(&results[5], "INSUFFICIENT_BALANCE");
    failed(&results[6], "BAD_REQUEST");
    assert_eq!(results[6]["error"]["reason"], "AMENDED_TWICE");
    failed(&results[7], "BAD_REQUEST");
    failed(&results[8], "BAD_REQUEST");
    failed(&results[9], "BAD_REQUEST");
    let named = [&results[1], &results[7], &results[8], &results[9]].map(|result| text(&result["orderId"]));
    assert_eq!(named, [asks.as_str(), "", "", "no \"id\""], "an id comes back as it was sent");
}

#[tokio::test]
async fn an_amend_to_a_new_price_must_leave_the_minimum_unfilled_through_a_socket() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let sent = async |path: &str, key: &Key, body: Value| {
        listening.answer(post(path).json(&body).signed(key, stage.now_seconds())).await.expect(200)
    };
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    // 10 shares at 0.40, of which 8 fill: 2 shares rest.
    let placed = sent(&stage.book.orders(), alice, limit(stage.book.yes, "BUY", 4.0, 0.40)).await;
    sent(&stage.book.orders(), bob, limit(stage.book.no, "BUY", 4.8, 0.60)).await;
    let id = placed["order"]["id"].clone();
    let amend = async |change: Value| {
        let mut item = json!({"orderId": id});
        item.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        sent(AMEND, alice, json!({"items": [item]})).await["results"][0].clone()
    };
    // 10 × 0.30 reaches 1 USD, 2 × 0.30 does not.
    let refused = amend(json!({"newPrice": 0.30})).await;
    failed(&refused, "BAD_REQUEST");
    assert_eq!(refused["error"]["reason"], "BELOW_MINIMUM", "{refused}");
    failed(&amend(json!({"newPrice": 0.49, "newSize": 10})).await, "BAD_REQUEST");
    let moved = amend(json!({"newPrice": 0.50})).await;
    assert_eq!(moved["success"], true, "2 × 0.50 is the minimum: {moved}");
    // The price stays: partial fills may leave less than the minimum, and so may a new size.
    let smaller = amend(json!({"newSize": 9})).await;
    assert_eq!(
        (&smaller["success"], number(&smaller["order"]["remainingSize"])),
        (&json!(true), 1.0),
        "{smaller}"
    );
}
