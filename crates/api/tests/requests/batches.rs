//! Placing, amending and cancelling in batches.

use api::decimal::{Price, Shares};
use api::request::{BatchAmend, BatchCancel, BatchPlace};

use crate::requests::{OUTCOME, body};

#[test]
fn batch_place_keeps_unreadable_items_in_their_place() {
    let batch = BatchPlace::read(&body(
        r#"{"orders":[
            {"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET","clientOrderId":"a"},
            {"side":"BUY","outcomeId":"x","amount":1,"type":"MARKET","clientOrderId":"b"},
            7,
            {"clientOrderId":5},
            {"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET","clientOrderId":"no good"}]}"#,
    ))
    .unwrap();
    let seen: Vec<_> = batch
        .items
        .iter()
        .map(|item| {
            let message = item.order.as_ref().err().map(|bad_request| bad_request.message.as_str());
            (item.client_order_id.as_deref(), message)
        })
        .collect();
    assert_eq!(
        seen,
        [
            (Some("a"), None),
            (Some("b"), Some("outcomeId: must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00")),
            (None, Some("The item must be a JSON object")),
            (None, Some("clientOrderId: invalid type: integer `5`, expected a string")),
            (None, Some("clientOrderId: must be 1 to 64 letters, digits, _ or -")),
        ]
    );
}

#[test]
fn batches_are_refused_whole_by_size_and_shape() {
    let many =
        |name: &str, item: &str, count: usize| format!(r#"{{"{name}":[{}]}}"#, vec![item; count].join(","));
    let place =
        |text: &str| BatchPlace::read(&body(text)).map(|batch| batch.items.len()).map_err(|bad| bad.message);
    let amend =
        |text: &str| BatchAmend::read(&body(text)).map(|batch| batch.items.len()).map_err(|bad| bad.message);
    let cancel = |text: &str| {
        BatchCancel::read(&body(text)).map(|batch| batch.order_ids.len()).map_err(|bad| bad.message)
    };
    let refused = |message: &str| Err(message.to_owned());
    assert_eq!(place(&many("orders", "{}", 20)), Ok(20));
    assert_eq!(place(&many("orders", "{}", 21)), refused("orders: must have 1 to 20 items, not 21"));
    assert_eq!(place(r#"{"orders":[]}"#), refused("orders: must have 1 to 20 items, not 0"));
    assert_eq!(place(r#"{"orderIds":[$]}"#), refused("orders: is required"));
    assert_eq!(place(r#"{"orders":{}}"#), refused("orders: invalid type: object, expected an array"));
    assert_eq!(place(r#"[]"#), refused("The body must be a JSON object"));
    assert_eq!(amend(&many("items", "{}", 20)), Ok(20));
    assert_eq!(amend(&many("orders", "{}", 1)), Ok(1));
    assert_eq!(amend(&many("orders", "{}", 21)), refused("orders: must have 1 to 20 items, not 21"));
    assert_eq!(
        amend(r#"{"items":[{}],"orders":[{}]}"#),
        refused("items and orders: give one of them, not both")
    );
    assert_eq!(amend("{}"), refused("items: is required"));
    assert_eq!(cancel(&many("orderIds", "$", 100)), Ok(100));
    assert_eq!(cancel(&many("orderIds", "$", 101)), refused("orderIds: must have 1 to 100 ids, not 101"));
    assert_eq!(cancel(r#"{"orderIds":[]}"#), refused("orderIds: must have 1 to 100 ids, not 0"));
    assert_eq!(
        cancel(r#"{"orderIds":[$,"x"]}"#),
        refused("orderIds[1]: must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00")
    );
    assert_eq!(
        cancel(r#"{"orderIds":[$,1]}"#),
        refused("orderIds[1]: invalid type: integer `1`, expected a string")
    );
    assert_eq!(
        cancel(r#"{"orderIds":"x"}"#),
        refused(r#"orderIds: invalid type: string "x", expected an array"#)
    );
}

#[test]
fn batch_amend_echoes_ids_as_they_were_sent() {
    let long = "y".repeat(500);
    let text = format!(
        r#"{{"items":[{{"orderId":$,"newPrice":0.5,"newSize":15}},{{"orderId":$}},{{"orderId":"x"}},{{}},{{"orderId":$,"newPrice":0.555}},
            {{"orderId":"{long}"}}]}}"#
    );
    let batch = BatchAmend::read(&body(&text)).unwrap();
    let first = batch.items[0].amendment.as_ref().unwrap();
    assert_eq!(
        (first.order_id, first.new_price, first.new_size),
        (OUTCOME, Some(Price::from_cents(50)), Some(Shares::from_units(150_000)))
    );
    let second = batch.items[1].amendment.as_ref().unwrap();
    assert_eq!((second.new_price, second.new_size), (None, None));
    let refused: Vec<_> = batch.items[2..]
        .iter()
        .map(|item| (item.order_id.clone(), item.amendment.as_ref().unwrap_err().message.clone()))
        .collect();
    let not_an_id = "orderId: must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
    assert_eq!(
        refused,
        [
            ("x".to_owned(), not_an_id.to_owned()),
            (String::new(), "orderId: is required".to_owned()),
            (OUTCOME.to_string(), "newPrice: must be a whole number of cents, such as 0.65".to_owned()),
            ("y".repeat(64), not_an_id.to_owned()),
        ]
    );
}
