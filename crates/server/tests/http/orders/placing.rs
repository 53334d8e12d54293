//! Accepted orders: the response on each engine.

use serde_json::{Value, json};
use stage::node::{Stage, has_keys, limit, market, number, text};

const CLOB_KEYS: [&str; 26] = [
    "id",
    "marketId",
    "userId",
    "outcome",
    "side",
    "orderType",
    "type",
    "status",
    "amount",
    "price",
    "size",
    "filledSize",
    "remainingSize",
    "avgFillPrice",
    "fee",
    "postOnly",
    "stpMode",
    "quantity",
    "createdAt",
    "updatedAt",
    "outcomeId",
    "outcomeLabel",
    "currency",
    "timeInForce",
    "expiresAt",
    "eventId",
];
const AMM_KEYS: [&str; 11] = [
    "id",
    "outcome",
    "side",
    "type",
    "status",
    "amount",
    "price",
    "quantity",
    "currency",
    "createdAt",
    "updatedAt",
];

fn with(mut body: Value, key: &str, value: Value) -> Value {
    body[key] = value;
    body
}

#[tokio::test]
async fn a_limit_order_rests_with_every_key_of_a_book_order() {
    let stage = Stage::open().await;
    let body = with(limit(stage.book.yes, "BUY", 40.0, 0.40), "clientOrderId", json!("mm-001"));
    let answered = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &body).await.expect(200);
    assert_eq!(answered["engine"], "CLOB");
    let order = &answered["order"];
    has_keys(order, &CLOB_KEYS);
    let words = [
        "outcome",
        "side",
        "orderType",
        "type",
        "timeInForce",
        "status",
        "stpMode",
        "currency",
        "clientOrderId",
    ];
    let words = words.map(|key| text(&order[key]));
    assert_eq!(words, ["YES", "BUY", "LIMIT", "GTC", "GTC", "open", "SKIP", "USD", "mm-001"]);
    let numbers =
        ["amount", "price", "size", "filledSize", "remainingSize", "avgFillPrice", "fee", "quantity"];
    assert_eq!(numbers.map(|key| number(&order[key])), [40.0, 0.4, 100.0, 0.0, 100.0, 0.0, 0.0, 0.0]);
    assert_eq!((&order["postOnly"], &order["expiresAt"]), (&json!(false), &json!("")));
    assert_eq!(order["marketId"], stage.book.market.to_string());
    assert_eq!(order["eventId"], stage.book.event.to_string());
    assert_eq!(order["userId"], stage.alice.id.to_string());
    assert_eq!(text(&order["createdAt"]), text(&order["updatedAt"]));
}

#[tokio::test]
async fn complementary_orders_meet_and_the_taker_pays_the_fee() {
    let stage = Stage::open().await;
    let made = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let taken = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 30.0, 0.60)).await;
    assert_eq!((text(&taken["status"]), text(&taken["outcome"])), ("filled", "NO"));
    let numbers = ["size", "filledSize", "remainingSize", "avgFillPrice", "fee", "quantity"];
    assert_eq!(numbers.map(|key| number(&taken[key])), [50.0, 50.0, 0.0, 0.6, 0.6, 50.0]);

    let path = format!("/v1/pm/orders/{}", text(&made["id"]));
    let maker = stage.read(&stage.alice.key, &path).await.expect(200);
    assert_eq!(text(&maker["status"]), "partial_filled");
    assert_eq!(numbers.map(|key| number(&maker[key])), [100.0, 50.0, 50.0, 0.4, 0.0, 50.0]);
}

#[tokio::test]
async fn an_order_on_a_pool_fills_at_once() {
    let stage = Stage::open().await;
    let body = market(stage.pool.no, "BUY", 10.0);
    let answered = stage.write(&stage.alice.key, "POST", &stage.pool.orders(), &body).await.expect(200);
    assert_eq!(answered["engine"], "AMM");
    let order = &answered["order"];
    has_keys(order, &AMM_KEYS);
    let words = ["outcome", "side", "type", "status", "currency"].map(|key| text(&order[key]));
    assert_eq!(words, ["NO", "BUY", "MARKET", "filled", "USD"]);
    assert!(number(&order["quantity"]) > 19.0 && number(&order["price"]) > 0.5, "{order}");
    assert!((number(&order["amount"]) - 10.0).abs() < 0.0001, "{order}");

    let sold = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.no, "SELL", 5.0)).await;
    assert_eq!((text(&sold["side"]), text(&sold["status"])), ("SELL", "filled"));
}

#[tokio::test]
async fn an_order_in_naira_and_one_by_quantity_are_taken() {
    let stage = Stage::open().await;
    let naira = with(limit(stage.book.yes, "BUY", 4_000.0, 0.40), "currency", json!("NGN"));
    let order = stage.place(&stage.alice.key, &stage.book, &naira).await;
    assert_eq!(
        (text(&order["currency"]), number(&order["size"]), number(&order["amount"])),
        ("NGN", 100.0, 4_000.0)
    );
    let body =
        json!({"side": "BUY", "outcomeId": stage.book.yes, "quantity": 12.5, "price": 0.4, "type": "LIMIT"});
    let order = stage.place(&stage.alice.key, &stage.book, &body).await;
    assert_eq!((number(&order["size"]), number(&order["amount"])), (12.5, 5.0));
}

#[tokio::test]
async fn each_time_in_force_ends_as_in_the_table() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.no, "BUY", 50.0, 0.50)).await;
    let take = |time_in_force: &str| {
        let body = with(limit(stage.book.yes, "BUY", 100.0, 0.50), "timeInForce", json!(time_in_force));
        let stage = &stage;
        async move { stage.place(&stage.bob.key, &stage.book, &body).await }
    };
    let fok = take("FOK").await;
    assert_eq!((text(&fok["status"]), number(&fok["filledSize"])), ("rejected", 0.0));
    let fak = take("FAK").await;
    assert_eq!(
        (text(&fak["status"]), number(&fak["filledSize"]), number(&fak["remainingSize"])),
        ("cancelled", 100.0, 0.0)
    );
    let gtc = take("GTC").await;
    assert_eq!((text(&gtc["status"]), number(&gtc["remainingSize"])), ("open", 200.0));
    let market = stage.place(&stage.alice.key, &stage.book, &market(stage.book.no, "BUY", 51.0)).await;
    let shown = (
        text(&market["orderType"]),
        text(&market["type"]),
        text(&market["status"]),
        number(&market["price"]),
    );
    assert_eq!(shown, ("MARKET", "FAK", "filled", 0.0));
    assert_eq!(number(&market["size"]), number(&market["filledSize"]));
}

#[tokio::test]
async fn a_gtd_order_expires_when_its_time_comes() {
    let stage = Stage::open().await;
    let body = with(limit(stage.book.yes, "BUY", 40.0, 0.40), "timeInForce", json!("GTD"));
    // Ten seconds after the stage's beginning.
    let body = with(body, "expiresAt", json!("2030-01-01T00:00:10Z"));
    let order = stage.place(&stage.alice.key, &stage.book, &body).await;
    assert_eq!((text(&order["type"]), text(&order["status"])), ("GTD", "open"));
    assert!(text(&order["expiresAt"]).starts_with("2030-01-01T00:00:10"), "{order}");
    stage.clock.advance_seconds(10);
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 1.0)).await;
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    let shown = stage.read(&stage.alice.key, &path).await.expect(200);
    assert_eq!((text(&shown["status"]), number(&shown["remainingSize"])), ("expired", 0.0));
}

#[tokio::test]
async fn a_post_only_order_that_would_cross_is_rejected_as_an_order() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.no, "BUY", 50.0, 0.50)).await;
    let crossing = with(limit(stage.book.yes, "BUY", 10.0, 0.50), "postOnly", json!(true));
    let order = stage.place(&stage.bob.key, &stage.book, &crossing).await;
    assert_eq!((text(&order["status"]), &order["postOnly"]), ("rejected", &json!(true)));
    let resting = with(limit(stage.book.yes, "BUY", 10.0, 0.49), "postOnly", json!(true));
    assert_eq!(stage.place(&stage.bob.key, &stage.book, &resting).await["status"], "open");
}

#[tokio::test]
async fn every_self_trade_mode_acts_as_in_its_row() {
    let rows = [
        ("SKIP", "open", "open"),
        ("CANCEL_OLDEST", "open", "cancelled"),
        ("CANCEL_NEWEST", "rejected", "open"),
        ("CANCEL_BOTH", "rejected", "cancelled"),
        // Spec: unknown values fall back to SKIP.
        ("CANCEL_NOBODY", "open", "open"),
    ];
    for (mode, taker, maker) in rows {
        let stage = Stage::open().await;
        let own = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
        let body = with(limit(stage.book.no, "BUY", 60.0, 0.60), "stpMode", json!(mode));
        let order = stage.place(&stage.alice.key, &stage.book, &body).await;
        assert_eq!(text(&order["status"]), taker, "{mode}");
        assert_eq!(text(&order["stpMode"]), if mode == "CANCEL_NOBODY" { "SKIP" } else { mode });
        let path = format!("/v1/pm/orders/{}", text(&own["id"]));
        assert_eq!(stage.read(&stage.alice.key, &path).await.expect(200)["status"], maker, "{mode}");
    }
}
