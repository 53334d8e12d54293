//! Orders of both engines, and a user's list of them.

use api::query::OrdersQuery;
use api::response::{Order, Orders};
use exchange::change::Change;
use exchange::order::OrderRecord;
use expect_test::expect;
use server::view;

use crate::stage::{Stage, id, uuid};

#[test]
fn an_order_that_rests_in_part_shows_what_filled_and_what_remains() {
    let mut stage = Stage::usual();
    stage.limit("alice", "maker", "BUY NO", "40", "0.45");
    let body = r#"{"side":"BUY","outcomeId":"{rain YES}","amount":60,"type":"LIMIT","price":0.6,"timeInForce":"GTD",
        "expiresAt":"2026-01-02T00:00:00Z","stpMode":"CANCEL_BOTH","clientOrderId":"mm-001"}"#;
    let record = stage.place("bob", "taker", "rain", body).expect("an order");
    let shown = view::order::record(&stage.exchange, &record);
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
    let Order::Clob(order) = view::order::record(&stage.exchange, &record) else {
        panic!("an order on a book")
    };
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
    let shown = view::order::record(&stage.exchange, &record);
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

/// Bob's closed orders, as history would have them, out of the changes of each command.
fn busy() -> (Stage, Vec<OrderRecord>) {
    let mut stage = Stage::usual();
    let mut closed = Vec::new();
    let mut keep = |stage: &Stage| {
        let record = |change: &Change| match change {
            Change::Order { record, .. } if !record.status.is_open() => Some(record.clone()),
            _ => None,
        };
        closed.extend(stage.exchange.changes().iter().filter_map(record));
    };
    stage.limit("bob", "first", "BUY YES", "10", "0.30");
    let pool = r#"{"side":"BUY","outcomeId":"{snow YES}","amount":500,"type":"MARKET","currency":"NGN"}"#;
    stage.place("bob", "second", "snow", pool).expect("a fill");
    keep(&stage);
    let third = r#"{"side":"BUY","outcomeId":"{rain NO}","quantity":10,"type":"LIMIT","price":0.5,"clientOrderId":"own"}"#;
    stage.place("bob", "third", "rain", third).expect("an order");
    stage.limit("alice", "other", "BUY YES", "4", "0.50");
    keep(&stage);
    let id = stage.order_id("first");
    stage.by("bob", view::command::cancel_order(uuid(id.as_u128()))).expect("a cancel");
    keep(&stage);
    stage.limit("bob", "fourth", "BUY YES", "20", "0.20");
    (stage, closed)
}

fn list(stage: &Stage, query: &str, closed: &[OrderRecord]) -> Orders {
    let query = OrdersQuery::parse(&stage.ids_in(query)).expect("a readable query");
    view::orders(&stage.exchange, stage.user_index("bob"), &query, closed).expect("a page")
}

fn names(stage: &Stage, orders: &Orders) -> String {
    let name = |order: &Order| {
        let of = match order {
            Order::Clob(order) => order.id,
            Order::Amm(order) => order.id,
        };
        let known = ["first", "second", "third", "fourth", "other"];
        known.into_iter().find(|name| uuid(id(name)) == of).expect("a named order")
    };
    assert!(orders.orders.len() <= stage.exchange.seq() as usize);
    orders.orders.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn open_and_closed_orders_come_newest_first_through_every_filter() {
    let (stage, closed) = busy();
    assert_eq!(closed.len(), 3, "Alice's closed order is among them, and is not shown");
    let table = [
        ("", "fourth third second first"),
        ("status=open", "fourth"),
        ("status=partial_filled", "third"),
        ("status=filled", "second"),
        ("status=cancelled", "first"),
        ("status=pending", ""),
        ("side=BUY", "fourth third second first"),
        ("side=SELL", ""),
        ("eventId={snow/event}", "second"),
        ("marketId={rain}", "fourth third first"),
        ("outcomeId={rain NO}", "third"),
        ("currency=NGN", "second"),
        ("currency=USD", "fourth third first"),
        ("clientOrderId=own", "third"),
        ("size=3", "fourth third second"),
        ("size=3&page=2", "first"),
        ("size=3&page=3", ""),
    ];
    for (query, expected) in table {
        assert_eq!(names(&stage, &list(&stage, query, &closed)), expected, "{query}");
    }
}

#[test]
fn a_cursor_goes_on_behind_the_last_order() {
    let (mut stage, closed) = busy();
    let first = list(&stage, "size=2", &closed);
    let cursor = first.next_cursor.expect("more orders");
    stage.limit("bob", "fifth", "BUY YES", "20", "0.10");
    let second = list(&stage, &format!("size=2&after={cursor}"), &closed);
    assert_eq!((names(&stage, &second), &second.next_cursor), ("second first".into(), &None));
    let third = list(&stage, "size=2&after=0", &closed);
    assert_eq!((third.orders.len(), third.next_cursor, third.pagination.total_count), (0, None, 5));
    let query = OrdersQuery::parse("after=soon").expect("a readable query");
    assert!(view::orders(&stage.exchange, stage.user_index("bob"), &query, &closed).is_err());
}

#[test]
fn an_order_that_history_has_as_closed_is_shown_once_and_closed() {
    let (mut stage, mut closed) = busy();
    let before = stage.exchange.clone();
    let order = stage.order_id("fourth");
    stage.by("bob", view::command::cancel_order(uuid(order.as_u128()))).expect("a cancel");
    let Some(Change::Order { record, .. }) = stage.exchange.changes().first().cloned() else {
        panic!("an order")
    };
    closed.push(record);
    // The look at the exchange is older than the look at history.
    stage.exchange = before;
    assert_eq!(names(&stage, &list(&stage, "", &closed)), "fourth third second first");
    assert_eq!(names(&stage, &list(&stage, "status=open", &closed)), "");
    assert_eq!(names(&stage, &list(&stage, "status=cancelled", &closed)), "fourth first");
}
