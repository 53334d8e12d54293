//! Reading orders back: one, and pages of them with every filter.

use serde_json::{Value, json};
use stage::node::{Stage, limit, market, number, text};
use uuid::Uuid;

const ORDERS: &str = "/v1/pm/orders";

async fn ids(stage: &Stage, query: &str) -> Vec<String> {
    stage.clock.advance_seconds(1);
    let body = stage.read(&stage.alice.key, &format!("{ORDERS}?{query}")).await.expect(200);
    body["orders"].as_array().expect("orders").iter().map(|order| text(&order["id"]).to_owned()).collect()
}

/// Alice's: a resting BUY, a cancelled BUY in naira with a name, a filled order on the pool.
async fn three_orders(stage: &Stage) -> [String; 3] {
    let id = |order: &Value| text(&order["id"]).to_owned();
    let key = &stage.alice.key;
    let open = stage.place(key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let mut body = limit(stage.book.no, "BUY", 400.0, 0.20);
    (body["currency"], body["clientOrderId"]) = (json!("NGN"), json!("mine-1"));
    let cancelled = stage.place(key, &stage.book, &body).await;
    stage.write_empty(key, "DELETE", &format!("{ORDERS}/{}", id(&cancelled))).await.expect(200);
    let filled = stage.place(key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 10.0, 0.30)).await;
    [id(&open), id(&cancelled), id(&filled)]
}

#[tokio::test]
async fn the_list_has_open_and_closed_orders_of_both_engines_newest_first() {
    let stage = Stage::open().await;
    let [open, cancelled, filled] = three_orders(&stage).await;
    assert_eq!(ids(&stage, "").await, [filled.clone(), cancelled.clone(), open.clone()]);
    let body = stage.read(&stage.alice.key, ORDERS).await.expect(200);
    assert_eq!(body["pagination"], json!({"page": 1, "size": 20, "lastPage": 1, "totalCount": 3}));
    // A pool's order has the fields of a book's order.
    let pooled = &body["orders"][0];
    assert_eq!((text(&pooled["type"]), text(&pooled["stpMode"])), ("MARKET", "SKIP"));
    assert_eq!(number(&pooled["size"]), number(&pooled["filledSize"]));
    assert_eq!(number(&pooled["remainingSize"]), 0.0);

    assert_eq!(ids(&stage, "size=2&page=2").await, [open]);
    let first = stage.read(&stage.alice.key, &format!("{ORDERS}?size=2")).await.expect(200);
    assert_eq!(first["pagination"], json!({"page": 1, "size": 2, "lastPage": 2, "totalCount": 3}));
}

#[tokio::test]
async fn the_list_filters_by_every_parameter() {
    let stage = Stage::open().await;
    let [open, cancelled, filled] = three_orders(&stage).await;
    let rows = [
        ("side=BUY".to_owned(), vec![&filled, &cancelled, &open]),
        ("side=SELL".to_owned(), vec![]),
        ("status=open".to_owned(), vec![&open]),
        ("status=cancelled".to_owned(), vec![&cancelled]),
        ("status=filled".to_owned(), vec![&filled]),
        ("status=pending".to_owned(), vec![]),
        (format!("eventId={}", stage.pool.event), vec![&filled]),
        (format!("marketId={}", stage.book.market), vec![&cancelled, &open]),
        (format!("outcomeId={}", stage.book.yes), vec![&open]),
        ("currency=USD".to_owned(), vec![&filled, &open]),
        ("currency=NGN".to_owned(), vec![&cancelled]),
        ("clientOrderId=mine-1".to_owned(), vec![&cancelled]),
        ("clientOrderId=mine".to_owned(), vec![]),
        (format!("marketId={}&status=open&side=BUY&currency=USD", stage.book.market), vec![&open]),
        (format!("marketId={}", Uuid::now_v7()), vec![]),
    ];
    for (query, wanted) in rows {
        assert_eq!(ids(&stage, &query).await.iter().collect::<Vec<_>>(), wanted, "{query}");
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_read_is_refused() {
    let stage = Stage::open().await;
    for query in
        ["size=0", "size=101", "page=0", "side=HOLD", "status=done", "marketId=x", "currency=EUR", "after=x"]
    {
        stage.read(&stage.alice.key, &format!("{ORDERS}?{query}")).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn one_order_is_shown_to_its_owner_open_closed_and_after_a_restart() {
    let mut stage = Stage::open().await;
    let orders = three_orders(&stage).await;
    let mut before = Vec::new();
    for (id, status) in orders.iter().zip(["open", "cancelled", "filled"]) {
        let shown = stage.read(&stage.alice.key, &format!("{ORDERS}/{id}")).await.expect(200);
        assert_eq!((text(&shown["id"]), text(&shown["status"])), (id.as_str(), status));
        before.push(shown);
    }
    stage.restart().await;
    for (id, before) in orders.iter().zip(before) {
        let shown = stage.read(&stage.alice.key, &format!("{ORDERS}/{id}")).await.expect(200);
        assert_eq!(shown, before, "a restart changes nothing");
    }
}

#[tokio::test]
async fn anothers_order_and_an_unknown_one_are_not_found() {
    let stage = Stage::open().await;
    let orders = three_orders(&stage).await;
    for id in orders.iter().cloned().chain([Uuid::now_v7().to_string(), "batch-of-one".to_owned()]) {
        let body = stage.read(&stage.bob.key, &format!("{ORDERS}/{id}")).await.expect(404);
        assert_eq!(body, json!({"error": "not_found", "message": "Order not found", "statusCode": 404}));
    }
}

#[tokio::test]
async fn a_cursor_continues_after_the_last_order_even_if_new_ones_have_arrived() {
    let stage = Stage::open().await;
    let [open, cancelled, filled] = three_orders(&stage).await;
    for filter in ["", "&side=BUY"] {
        let first =
            stage.read(&stage.alice.key, &format!("{ORDERS}?size=2{filter}&currency=")).await.expect(200);
        let cursor = text(&first["nextCursor"]).to_owned();
        stage.clock.advance_seconds(1);
        stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 10.0, 0.10)).await;
        let second = stage
            .read(&stage.alice.key, &format!("{ORDERS}?size=2{filter}&after={cursor}"))
            .await
            .expect(200);
        let shown = second["orders"].as_array().expect("orders");
        let last = &shown[shown.len() - 1];
        if filter.is_empty() {
            assert_eq!(first["orders"][0]["id"], json!(filled));
            assert_eq!(first["orders"][1]["id"], json!(cancelled));
            assert_eq!((shown.len(), &last["id"]), (1, &json!(open)));
            assert_eq!(second.get("nextCursor"), None, "that was the last page");
        } else {
            // The order that the first round placed is now the newest, so one more is behind the cursor.
            assert_eq!(first["orders"][1]["id"], json!(filled));
            assert_eq!((shown.len(), &last["id"]), (2, &json!(open)));
        }
    }
    let none = stage.read(&stage.alice.key, &format!("{ORDERS}?after=0")).await.expect(200);
    assert_eq!(none["orders"], json!([]));
    assert_eq!(none["pagination"]["totalCount"], json!(5));
}
