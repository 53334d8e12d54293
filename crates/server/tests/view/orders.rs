//! Orders of both engines, and a user's list of them.

use api::response::Order;
use expect_test::expect;
use server::view;

use crate::stage::Stage;

#[test]
fn an_order_that_rests_in_part_shows_what_filled_and_what_remains() {
    let mut stage = Stage::usual();
    stage.limit("alice", "maker", "BUY NO", "40", "0.45");
    let body = r#"{"side":"BUY","outcomeId":"{rain YES}","amount":60,"type":"LIMIT","price":0.6,"timeInForce":"GTD",
        "expiresAt":"2026-01-02T00:00:00Z","stpMode":"CANCEL_BOTH","clientOrderId":"mm-001"}"#;
    let record = stage.place("bob", "taker", "rain", body).expect("an order");
    let shown = stage.shown(&record);
    expect![[r#"
        {
          "id": "{taker}",
          "marketId": "{rain}",
          "userId": "{bob}",
          "outcome": "YES",
          "side": "BUY",
          "orderType": "LIMIT",
          "type": "GTD",
          "status": "partial_filled",
          "amount": 60,
          "price": 0.6,
          "size": 100,
          "filledSize": 40,
          "remainingSize": 60,
          "avgFillPrice": 0.55,
          "fee": 0.44,
          "postOnly": false,
          "stpMode": "CANCEL_BOTH",
          "quantity": 40,
          "createdAt": "2026-01-01T00:00:02Z",
          "updatedAt": "2026-01-01T00:00:02Z",
          "eventId": "{rain/event}",
          "outcomeId": "{rain YES}",
          "outcomeLabel": "YES",
          "currency": "USD",
          "timeInForce": "GTD",
          "expiresAt": "2026-01-02T00:00:00Z",
          "clientOrderId": "mm-001"
        }"#]]
    .assert_eq(&stage.show(&shown));

    let order = stage.exchange.order(record.terms.id).expect("an open order");
    assert_eq!(Order::Clob(view::order::open(&stage.exchange, order)), shown);
    let found = |user| view::order::find_open(&stage.exchange, stage.user_index(user), record.terms.id);
    assert_eq!((found("bob").map(Order::Clob), found("alice")), (Some(shown), None));
}

#[test]
fn a_market_order_has_no_price_and_no_remainder() {
    let mut stage = Stage::usual();
    stage.limit("alice", "maker", "BUY NO", "40", "0.45");
    let body = r#"{"side":"BUY","outcomeId":"{rain YES}","amount":100,"type":"MARKET","price":0.9}"#;
    let record = stage.place("bob", "taker", "rain", body).expect("an order");
    let Order::Clob(order) = stage.shown(&record) else { panic!("an order on a book") };
    let numbers = [order.amount.to_string(), order.price.to_string(), order.avg_fill_price.to_string()];
    assert_eq!(numbers, ["100", "0", "0.55"]);
    let sizes =
        [order.size, order.filled_size, order.remaining_size, order.quantity].map(|size| size.to_string());
    assert_eq!(sizes, ["40", "40", "0", "40"]);
    assert_eq!(
        (order.status.to_string(), order.applied_time_in_force.to_string()),
        ("cancelled".into(), "FAK".into())
    );
}

#[test]
fn an_order_on_a_pool_shows_what_the_wallet_moved_by() {
    let mut stage = Stage::usual();
    let body = r#"{"side":"BUY","outcomeId":"{snow NO}","amount":100,"type":"LIMIT","price":0.6,"currency":"USD",
        "postOnly":true,"stpMode":"CANCEL_OLDEST"}"#;
    let record = stage.place("bob", "order", "snow", body).expect("an order");
    let shown = stage.shown(&record);
    expect![[r#"
        {
          "id": "{order}",
          "outcome": "NO",
          "side": "BUY",
          "type": "LIMIT",
          "status": "filled",
          "amount": 99.999984,
          "price": 0.523364,
          "quantity": 187.3249,
          "currency": "USD",
          "createdAt": "2026-01-01T00:00:01Z",
          "updatedAt": "2026-01-01T00:00:01Z",
          "eventId": "{snow/event}",
          "marketId": "{snow}",
          "userId": "{bob}",
          "outcomeId": "{snow NO}",
          "outcomeLabel": "NO",
          "orderType": "LIMIT",
          "size": 187.3249,
          "filledSize": 187.3249,
          "remainingSize": 0,
          "avgFillPrice": 0.523364,
          "fee": 1.960784,
          "postOnly": false,
          "stpMode": "SKIP",
          "timeInForce": "GTC",
          "expiresAt": ""
        }"#]]
    .assert_eq(&stage.show(&shown));
}
