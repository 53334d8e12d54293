//! Batches: each item's result in its place, with one of five codes.

use api::json::Decimals;
use api::request::{BatchAmend, BatchCancel, BatchPlace, CancelAll};
use api::response::{ItemError, SentId};
use exchange::Shelf;
use exchange::command::Command;
use exchange::id::OrderId;
use exchange::numbers::{Currency, Money};
use exchange::order::OrderRecord;
use exchange::reply::Reply;
use expect_test::expect;
use serde_json::Value;
use server::respond::content::ItemContent;
use server::respond::{Content, Shape, stored};
use server::view;
use server::view::live_and_retired::LiveAndRetired;

use crate::stage::{Stage, id, uuid};

/// `code reason: message` of each failure, `-` for a success.
fn errors<'a>(errors: impl Iterator<Item = &'a Option<ItemError>>) -> String {
    let line = |error: &Option<ItemError>| match error {
        Some(error) => {
            format!("{} {}: {}\n", error.code, error.reason.as_deref().unwrap_or_default(), error.message)
        }
        None => "-\n".to_owned(),
    };
    errors.map(line).collect()
}

/// The errors of a batch after history has distinguished closed orders from unknown ones. An item without a result from
/// history stays as it is.
fn told(stage: &Stage, mut content: Content, history: &[OrderRecord]) -> String {
    let before = content.clone();
    content.correct_orders(|_| None);
    assert_eq!(content, before, "nothing to correct, nothing changed");
    let known = LiveAndRetired::new(&stage.exchange, Shelf::empty());
    content.correct_orders(|order| {
        let record = history.iter().find(|record| record.terms.id == order)?;
        Some(view::refusal::of_closed_item(known.exchange_of(record.market), record))
    });
    let (before, after): (Value, Value) = (json(&before), json(&content));
    assert_eq!((&before["engine"], &before["summary"]), (&after["engine"], &after["summary"]));
    let text = |error: &Value, key: &str| error[key].as_str().unwrap_or_default().to_owned();
    let results = before["results"]
        .as_array()
        .expect("results")
        .iter()
        .zip(after["results"].as_array().expect("results"));
    results
        .map(|(before, after)| match after.get("error") {
            Some(error) => {
                format!("{} {}: {}\n", text(error, "code"), text(error, "reason"), text(error, "message"))
            }
            None => {
                assert_eq!(before, after);
                "-\n".to_owned()
            }
        })
        .collect()
}

fn json(content: &Content) -> Value {
    serde_json::from_slice(&content.render(Decimals::Numbers).1).expect("JSON")
}

/// The content of a batch's response; its stored form gives the same.
fn content_of(stage: &mut Stage, user: &str, command: Command) -> Content {
    let (shape, result) = (Shape::of(&command), stage.by(user, command));
    let (at, encoded) = (stage.exchange.now(), stored::encode(shape, &result, stage.exchange.now()));
    let content = Content::of(shape, result, at);
    assert_eq!(stored::decode(&encoded).expect("our own encoding"), content);
    content
}

fn place(stage: &mut Stage, user: &str, body: &str) -> Vec<ItemContent> {
    let batch = BatchPlace::read(stage.ids_in(body).as_bytes()).expect("a readable batch");
    let mut names = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"].into_iter();
    let command = view::command::place_orders(&batch, || OrderId::new(id(names.next().expect("few items"))));
    match content_of(stage, user, command) {
        Content::PlaceOrders(items) => items,
        other => panic!("a batch is answered by items, not {other:?}"),
    }
}

#[test]
fn a_batch_of_placements_answers_each_item() {
    let mut stage = Stage::usual();
    for name in ["p0", "p1"] {
        stage.order_id(name);
    }
    let items = place(
        &mut stage,
        "bob",
        r#"{"orders":[
        {"side":"BUY","outcomeId":"{rain YES}","amount":10,"type":"LIMIT","price":0.5,"clientOrderId":"mm-001"},
        {"side":"BUY","outcomeId":"{rain YES}","amount":2000,"type":"LIMIT","price":0.5,"clientOrderId":"mm-002"}]}"#,
    );
    let response = view::batch::placed(&items);
    expect![[r#"
        {
          "engine": "CLOB",
          "results": [
            {
              "index": 0,
              "clientOrderId": "mm-001",
              "success": true,
              "order": {
                "id": "{p0}",
                "marketId": "{rain}",
                "userId": "{bob}",
                "outcome": "YES",
                "side": "BUY",
                "orderType": "LIMIT",
                "type": "GTC",
                "status": "open",
                "amount": 10,
                "price": 0.5,
                "size": 20,
                "filledSize": 0,
                "remainingSize": 20,
                "avgFillPrice": 0,
                "fee": 0,
                "postOnly": false,
                "stpMode": "SKIP",
                "quantity": 0,
                "createdAt": "2026-01-01T00:00:01Z",
                "updatedAt": "2026-01-01T00:00:01Z",
                "eventId": "{rain/event}",
                "outcomeId": "{rain YES}",
                "outcomeLabel": "YES",
                "currency": "USD",
                "timeInForce": "GTC",
                "expiresAt": "",
                "clientOrderId": "mm-001"
              }
            },
            {
              "index": 1,
              "clientOrderId": "mm-002",
              "success": false,
              "error": {
                "code": "INSUFFICIENT_BALANCE",
                "message": "Insufficient balance: need 2000.00, have 990.00",
                "reason": "INSUFFICIENT_BALANCE"
              }
            }
          ],
          "summary": {
            "total": 2,
            "succeeded": 1,
            "failed": 1
          }
        }"#]]
    .assert_eq(&stage.show(&response));
}

#[test]
fn every_failure_of_a_placement_has_one_of_five_codes_and_a_finer_reason() {
    let mut stage = Stage::usual();
    stage.limit("alice", "maker", "BUY NO", "10", "0.50");
    let items = place(
        &mut stage,
        "bob",
        r#"{"orders":[
        {"side":"BUY","outcomeId":"{rain YES}","amount":10,"type":"LIMIT","price":0.555},
        {"side":"BUY","outcomeId":"{snow YES}","amount":10,"type":"MARKET"},
        {"side":"BUY","outcomeId":"{rain}","amount":10,"type":"MARKET"},
        {"side":"SELL","outcomeId":"{rain YES}","quantity":10,"type":"LIMIT","price":0.5},
        {"side":"BUY","outcomeId":"{rain YES}","amount":5000,"type":"LIMIT","price":0.4},
        {"side":"BUY","outcomeId":"{rain YES}","amount":0.5,"type":"LIMIT","price":0.4},
        {"side":"BUY","outcomeId":"{rain YES}","amount":10,"type":"LIMIT","price":0.5,"postOnly":true}]}"#,
    );
    let response = view::batch::placed(&items);
    expect![[r#"
        BAD_REQUEST MALFORMED: price: must be a whole number of cents, such as 0.65
        UNSUPPORTED_ENGINE UNSUPPORTED_ENGINE: Only orders of a CLOB event can be cancelled, amended or placed in a batch
        BAD_REQUEST OUTCOME_NOT_FOUND: Outcome not found
        INSUFFICIENT_SHARES INSUFFICIENT_SHARES: Insufficient shares: need 10, have 0
        INSUFFICIENT_BALANCE INSUFFICIENT_BALANCE: Insufficient balance: need 5000.00, have 1000.00
        BAD_REQUEST BELOW_MINIMUM: Minimum buy amount is USD 1.00
        -
    "#]].assert_eq(&errors(response.results.iter().map(|result| &result.error)));
    let rejected = response.results[6].order.as_ref().expect("a rejected order is an order");
    assert_eq!(rejected.status.to_string(), "rejected");
    assert_eq!((response.summary.total, response.summary.succeeded, response.summary.failed), (7, 1, 6));
}

#[test]
fn a_batch_of_amendments_answers_each_item() {
    let mut stage = Stage::usual();
    stage.limit("bob", "first", "BUY YES", "20", "0.40");
    stage.limit("bob", "second", "BUY YES", "20", "0.40");
    let body = r#"{"items":[
        {"orderId":"{first}","newPrice":0.5,"newSize":15},
        {"orderId":"{first}","newSize":10},
        {"orderId":"{second}"},
        {"orderId":"{second}","newPrice":2},
        {"orderId":"{rain}","newSize":10}]}"#;
    let batch = BatchAmend::read(stage.ids_in(body).as_bytes()).expect("a readable batch");
    let Content::AmendOrders(items) = content_of(&mut stage, "bob", view::command::amend_orders(&batch))
    else {
        panic!("amendments are answered by items")
    };
    let response = view::batch::amended(&items);
    expect![[r#"
        -
        BAD_REQUEST AMENDED_TWICE: The batch names this order twice
        BAD_REQUEST NOTHING_TO_AMEND: newPrice or newSize: one of them is required
        BAD_REQUEST MALFORMED: newPrice: must be between 0.01 and 0.99
        ORDER_NOT_FOUND ORDER_NOT_FOUND: Order not found
    "#]]
    .assert_eq(&errors(response.results.iter().map(|result| &result.error)));
    let amended = response.results[0].order.as_ref().expect("an amended order");
    let numbers = [amended.amount.to_string(), amended.price.to_string(), amended.size.to_string()];
    assert_eq!(numbers, ["7.5", "0.5", "15"]);
    assert_eq!(response.results[0].order_id, SentId::Id(uuid(id("first"))));
}

/// Bob has an open order; his closed ones, on the book and on the pool, are in history. Alice has one too.
fn with_history() -> (Stage, [OrderRecord; 2]) {
    let mut stage = Stage::usual();
    stage.limit("bob", "open", "BUY YES", "20", "0.40");
    stage.limit("bob", "closed", "BUY YES", "20", "0.40");
    let Ok(Reply::Order(closed)) = stage.by("bob", view::command::cancel_order(uuid(id("closed")))) else {
        panic!("a cancelled order")
    };
    let body = r#"{"side":"BUY","outcomeId":"{snow YES}","amount":10,"type":"MARKET"}"#;
    let pool = stage.place("bob", "pool", "snow", body).expect("a fill");
    stage.limit("alice", "other", "BUY YES", "20", "0.40");
    (stage, [closed.record, pool])
}

#[test]
fn a_batch_of_cancellations_answers_each_id() {
    let (mut stage, _) = with_history();
    let body = r#"{"orderIds":["{open}","{other}"]}"#;
    let batch = BatchCancel::read(stage.ids_in(body).as_bytes()).expect("a readable batch");
    let Content::CancelOrders(items) = content_of(&mut stage, "bob", view::command::cancel_orders(&batch))
    else {
        panic!("cancels are answered by items")
    };
    expect![[r#"
        {
          "engine": "CLOB",
          "results": [
            {
              "orderId": "{open}",
              "success": true
            },
            {
              "orderId": "{other}",
              "success": false,
              "error": {
                "code": "ORDER_NOT_FOUND",
                "message": "Order not found",
                "reason": "ORDER_NOT_FOUND"
              }
            }
          ],
          "summary": {
            "total": 2,
            "succeeded": 1,
            "failed": 1
          }
        }"#]]
    .assert_eq(&stage.show(&view::batch::cancelled(&items)));
}

#[test]
fn history_distinguishes_closed_orders_and_orders_of_pools_from_unknown_ones() {
    let (mut stage, history) = with_history();
    let body = r#"{"orderIds":["{open}","{open}","{closed}","{pool}","{other}"]}"#;
    let batch = BatchCancel::read(stage.ids_in(body).as_bytes()).expect("a readable batch");
    let content = content_of(&mut stage, "bob", view::command::cancel_orders(&batch));
    let response = told(&stage, content, &history);
    expect![[r#"
        -
        ORDER_NOT_FOUND ORDER_NOT_FOUND: Order not found
        ORDER_NOT_FOUND ORDER_NOT_OPEN: The order is no longer open: it is cancelled
        UNSUPPORTED_ENGINE UNSUPPORTED_ENGINE: Only orders of a CLOB event can be cancelled, amended or placed in a batch
        ORDER_NOT_FOUND ORDER_NOT_FOUND: Order not found
    "#]].assert_eq(&response);

    stage.limit("bob", "still", "BUY YES", "20", "0.40");
    let body = r#"{"items":[{"orderId":"{pool}","newSize":10},{"orderId":"{closed}","newSize":10},{"orderId":"{still}","newSize":10}]}"#;
    let batch = BatchAmend::read(stage.ids_in(body).as_bytes()).expect("a readable batch");
    let content = content_of(&mut stage, "bob", view::command::amend_orders(&batch));
    let response = told(&stage, content, &history);
    expect![[r#"
        UNSUPPORTED_ENGINE UNSUPPORTED_ENGINE: Only orders of a CLOB event can be cancelled, amended or placed in a batch
        ORDER_NOT_FOUND ORDER_NOT_OPEN: The order is no longer open: it is cancelled
        -
    "#]].assert_eq(&response);

    let single = history.map(|record| view::refusal::of_closed(&stage.exchange, &record));
    let single = single.map(|body| format!("{} {}", body.status_code, body.code.expect("a code")));
    assert_eq!(single, ["422 ORDER_NOT_OPEN", "422 UNSUPPORTED_ENGINE"]);
}

#[test]
fn cancel_all_is_bounded_by_what_it_names() {
    let mut stage = Stage::usual();
    stage.limit("bob", "first", "BUY YES", "20", "0.40");
    let cancel = |stage: &mut Stage, body: &str| {
        let body = stage.ids_in(body);
        let request: CancelAll = api::read::read(body.as_bytes()).expect("a readable body");
        match stage.by("bob", view::command::cancel_all_orders(&request)) {
            Ok(Reply::Orders(orders)) => orders.len(),
            other => panic!("orders, not {other:?}"),
        }
    };
    assert_eq!(cancel(&mut stage, r#"{"currency":"NGN"}"#), 0);
    assert_eq!(cancel(&mut stage, r#"{"eventId":"{snow/event}"}"#), 0);
    assert_eq!(stage.exchange.ledger().wallet(stage.user_index("bob"), Currency::Usd).held, Money::whole(8));
    assert_eq!(cancel(&mut stage, r#"{"eventId":"{rain/event}","marketId":"{rain}","currency":"USD"}"#), 1);
}
