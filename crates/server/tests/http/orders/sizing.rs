//! The size of an order: money or shares, and the digits that count.

use serde_json::{Value, json};
use stage::node::{Stage, limit, market, number, text};

fn with(mut body: Value, key: &str, value: Value) -> Value {
    body[key] = value;
    body
}

async fn dollars(stage: &Stage) -> f64 {
    let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    number(&wallet["assets"][0]["availableBalance"])
}

/// Alice has 100 of both outcomes, and Bob bids 0.40 for 100 YES. The fee is 2 %.
async fn with_shares_and_a_bid() -> Stage {
    let stage = Stage::open().await;
    stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 100})).await.expect(200);
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    stage
}

#[tokio::test]
async fn the_amount_of_a_sale_is_the_money_it_brings() {
    let stage = with_shares_and_a_bid().await;
    assert_eq!(dollars(&stage).await, 900.0);
    let sold = stage.place(&stage.alice.key, &stage.book, &market(stage.book.yes, "SELL", 19.6)).await;
    // 50 shares at 0.40 are 20.00, less 2 %.
    assert_eq!(["filledSize", "fee"].map(|key| number(&sold[key])), [50.0, 0.4]);
    assert_eq!(text(&sold["status"]), "filled");
    assert_eq!(dollars(&stage).await, 919.6);
    // A limit's amount is its notional: 5.00 at 0.50 are ten shares.
    let resting = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "SELL", 5.0, 0.50)).await;
    assert_eq!((text(&resting["status"]), number(&resting["size"])), ("open", 10.0));
}

#[tokio::test]
async fn the_quantity_of_a_sale_is_the_shares_that_go() {
    let stage = with_shares_and_a_bid().await;
    let body = json!({"side": "SELL", "outcomeId": stage.book.yes, "type": "MARKET", "quantity": 50});
    let sold = stage.place(&stage.alice.key, &stage.book, &body).await;
    assert_eq!(["size", "filledSize", "amount"].map(|key| number(&sold[key])), [50.0, 50.0, 19.6]);
    assert_eq!(dollars(&stage).await, 919.6);
}

#[tokio::test]
async fn digits_beyond_the_unit_are_rounded_half_up_and_those_of_a_price_are_refused() {
    let stage = Stage::open().await;
    let resting = limit(stage.book.yes, "BUY", 10.0, 0.40);
    for (given, amount) in [("10.0000005", 10.000_001), ("10.0000004", 10.0)] {
        let exact: Value = serde_json::from_str(given).expect("a number");
        let order = stage.place(&stage.alice.key, &stage.book, &with(resting.clone(), "amount", exact)).await;
        assert_eq!(number(&order["amount"]), amount, "{given}");
    }
    for (given, size) in [(12.500_05, 12.500_1), (12.500_04, 12.5)] {
        let body = json!({"side": "BUY", "outcomeId": stage.book.yes, "quantity": given, "price": 0.4, "type": "LIMIT"});
        let order = stage.place(&stage.alice.key, &stage.book, &body).await;
        assert_eq!(number(&order["size"]), size, "{given}");
    }
    // The float sum 0.1 + 0.2 rounds to a cent; a tenth of a cent is refused.
    let near = with(resting.clone(), "price", json!(0.1 + 0.2));
    assert_eq!(number(&stage.place(&stage.alice.key, &stage.book, &near).await["price"]), 0.3);
    let between = with(resting, "price", json!(0.301));
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &between).await;
    assert!(text(&refused.refused(400, "bad_request")["message"]).contains("cents"));
}
