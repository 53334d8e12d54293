//! A user's activities: every type, its group, its numbers as strings.

use exchange::command::{CancelMarkets, CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::numbers::Cents;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Key, Stage, has_keys, limit, market, text, traded};

async fn list(stage: &Stage, key: &Key, query: &str) -> Value {
    stage.clock.advance_seconds(1);
    stage.read(key, &format!("/v1/pm/activities?{query}")).await.expect(200)
}

async fn types(stage: &Stage, key: &Key, query: &str) -> Vec<String> {
    let body = list(stage, key, query).await;
    body["activities"].as_array().expect("rows").iter().map(|row| text(&row["type"]).to_owned()).collect()
}

fn book_market(stage: &Stage) -> MarketId {
    MarketId::new(stage.book.market.as_u128())
}

#[tokio::test]
async fn activities_stand_in_their_groups_newest_first() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    let rows = [
        (alice, "", vec!["SELL_LIMIT_ORDER_CREATED", "BUY_LIMIT_ORDER_CREATED"]),
        (alice, "type=limits", vec!["SELL_LIMIT_ORDER_CREATED", "BUY_LIMIT_ORDER_CREATED"]),
        (alice, "type=buys", vec!["BUY_TRADE_FILL"]),
        (alice, "type=sells", vec!["SELL_TRADE_FILL"]),
        (alice, "type=payout", vec![]),
        (bob, "", vec!["BUY_MARKET_ORDER_CREATED", "BUY_LIMIT_ORDER_CREATED"]),
        (bob, "type=buys", vec!["BUY_MARKET_ORDER_CREATED", "BUY_TRADE_FILL", "BUY_TRADE_FILL"]),
    ];
    for (key, query, wanted) in rows {
        assert_eq!(types(&stage, key, query).await, wanted, "{query}");
    }
    assert_eq!(types(&stage, bob, "type=buys&size=1&page=2").await, ["BUY_TRADE_FILL"]);
    let first = list(&stage, bob, "type=buys&size=2").await;
    let cursor = text(&first["nextCursor"]);
    let last = list(&stage, bob, &format!("type=buys&size=2&after={cursor}")).await;
    assert_eq!(last["activities"].as_array().map(Vec::len), Some(1));
    assert_eq!(last["pagination"]["totalCount"], json!(3));
    stage.read(bob, "/v1/pm/activities?type=loans").await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_fill_and_its_order_show_exact_numbers_as_strings() {
    let stage = Stage::open().await;
    let orders = traded(&stage).await;
    let fills = list(&stage, &stage.alice.key, "type=sells").await;
    let fill = &fills["activities"][0];
    has_keys(fill, &["id", "eventId", "marketId", "outcomeId", "transactionId", "imageUrl", "updatedAt"]);
    assert_eq!((&fill["orderId"], &fill["outcome"]), (&json!(orders[2]), &json!("YES")));
    assert_eq!(
        (&fill["size"], &fill["price"], &fill["fee"]),
        (&json!("21.7864"), &json!("0.45"), &json!("0"))
    );
    assert_eq!((&fill["amount"], &fill["totalCost"]), (&json!("9.80388"), &json!("9.80388")));
    assert_eq!((&fill["eventType"], &fill["status"]), (&json!("SINGLE"), &json!("FILLED")));
    assert_eq!(
        (text(&fill["eventTitle"]), &fill["currencyBaseMultiplier"]),
        ("Will the book hold?", &json!("1"))
    );

    let taken = list(&stage, &stage.bob.key, "type=buys").await;
    let order = &taken["activities"][0];
    assert_eq!((&order["amount"], &order["fee"]), (&json!("10"), &json!("0.196078")));
    assert_eq!((&order["totalCost"], &order["avgFillPrice"]), (&json!("9.999958"), &json!("0.45")));
    assert_eq!((&order["filledSize"], &order["remainingSize"]), (&json!("21.7864"), &json!("0")));

    let open = list(&stage, &stage.alice.key, "type=limits").await;
    let sale = &open["activities"][0];
    assert_eq!((&sale["status"], &sale["remainingSize"]), (&json!("PARTIAL_FILLED"), &json!("28.2136")));
}

#[tokio::test]
async fn cancelled_and_expired_orders_show_their_refund() {
    let stage = Stage::open().await;
    let orders = traded(&stage).await;
    let key = &stage.alice.key;
    stage.write_empty(key, "DELETE", &format!("/v1/pm/orders/{}", orders[2])).await.expect(200);
    let body = list(&stage, key, "").await;
    let cancelled = &body["activities"][0];
    assert_eq!(
        (&cancelled["type"], &cancelled["status"]),
        (&json!("SELL_LIMIT_ORDER_CANCELLED"), &json!("CANCELLED"))
    );
    assert_eq!(
        (&cancelled["amountEarned"], &cancelled["sharesReturned"]),
        (&json!("9.80388"), &json!("28.2136"))
    );

    let mut order = limit(stage.book.yes, "BUY", 30.0, 0.30);
    let expiry = api::timestamp::Timestamp::from_micros((stage.now_seconds() + 60) * 1_000_000).to_string();
    (order["timeInForce"], order["expiresAt"]) = (json!("GTD"), json!(expiry));
    stage.place(key, &stage.book, &order).await;
    stage.clock.advance_seconds(61);
    stage.operate(Command::Tick).await;
    let body = list(&stage, key, "type=limits").await;
    let expired = &body["activities"][0];
    assert_eq!(
        (&expired["type"], &expired["status"]),
        (&json!("BUY_LIMIT_ORDER_EXPIRED"), &json!("EXPIRED"))
    );
    assert_eq!((&expired["amountSpent"], &expired["amountRefunded"]), (&json!("0"), &json!("30")));
    assert_eq!(text(&expired["expiresAt"]), expiry);
}

#[tokio::test]
async fn a_resolution_pays_winners_and_names_losers() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let target = Target::Market(book_market(&stage));
    stage.operate(Command::CloseTrading(CloseTrading { target })).await;
    stage
        .operate(Command::ResolveMarket(ResolveMarket { market: book_market(&stage), outcome: Outcome::Yes }))
        .await;
    let alice = list(&stage, &stage.alice.key, "type=payout").await;
    let win = &alice["activities"][0];
    assert_eq!((&win["type"], &win["resolvedOutcome"]), (&json!("PAYOUT_WIN"), &json!("YES")));
    // 100 bought for 40, of which 21.7864 were sold.
    assert_eq!((&win["size"], &win["payout"]), (&json!("78.2136"), &json!("78.2136")));
    assert_eq!((&win["totalCost"], &win["price"]), (&json!("31.28544"), &json!("1")));
    has_keys(win, &["settlementId"]);
    assert_eq!(win.get("orderId"), None);
    // Bob holds both outcomes: one has won, one has lost.
    assert_eq!(types(&stage, &stage.bob.key, "type=payout").await, ["PAYOUT_LOSS", "PAYOUT_WIN"]);
    let first = types(&stage, &stage.alice.key, "").await;
    assert_eq!(first[..2], ["PAYOUT_WIN", "SELL_LIMIT_ORDER_CANCELLED"], "what rested was given back before");
}

#[tokio::test]
async fn a_cancelled_market_refunds_at_its_price() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let target = Target::Market(book_market(&stage));
    stage.operate(Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF })).await;
    let body = list(&stage, &stage.alice.key, "").await;
    let refund = &body["activities"][0];
    assert_eq!((&refund["type"], &refund["price"]), (&json!("BUY_REFUND"), &json!("0.5")));
    assert_eq!(refund["amount"], json!("39.1068"));
    assert_eq!(refund.get("resolvedOutcome"), None);
    assert_eq!(types(&stage, &stage.alice.key, "type=payout").await, [""; 0], "there were no payouts");
}

#[tokio::test]
async fn orders_on_a_pool_are_activities_too() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "SELL", 2.0)).await;
    let wanted = ["SELL_MARKET_ORDER_CREATED", "BUY_MARKET_ORDER_CREATED"];
    assert_eq!(types(&stage, &stage.alice.key, "").await, wanted);
}

#[tokio::test]
async fn a_mint_and_a_burn_leave_a_line_each() {
    let stage = Stage::open().await;
    let key = &stage.alice.key;
    let minted = stage.write(key, "POST", &stage.book.mint(), &json!({"quantity": 20})).await.expect(200);
    let burned = stage.write(key, "POST", &stage.book.burn(), &json!({"quantity": 5})).await.expect(200);
    for query in ["", "type=sets"] {
        assert_eq!(types(&stage, key, query).await, ["BURN", "MINT"], "{query}");
    }
    for query in ["type=buys", "type=sells", "type=limits", "type=payout"] {
        assert_eq!(types(&stage, key, query).await, [""; 0], "{query}");
    }
    let body = list(&stage, key, "").await;
    let (burn, mint) = (&body["activities"][0], &body["activities"][1]);
    assert_eq!(
        (&mint["amount"], &mint["size"], &mint["totalCost"]),
        (&json!("20"), &json!("20"), &json!("20"))
    );
    assert_eq!((&burn["amount"], &burn["size"], &burn["totalCost"]), (&json!("5"), &json!("5"), &json!("5")));
    assert_eq!(
        (&mint["transactionId"], &burn["transactionId"]),
        (&minted["operationId"], &burned["operationId"])
    );
    assert_eq!((&mint["marketId"], &mint["outcomeId"]), (&json!(stage.book.market), &json!(stage.book.yes)));
    assert_eq!((&mint["status"], &mint["price"], &mint["fee"]), (&json!("FILLED"), &json!("1"), &json!("0")));
    assert_eq!(mint.get("orderId"), None);
    assert_ne!(mint["id"], burn["id"]);
}
