//! `/ws/v1/user`: every state of an own order.

use exchange::command::CloseTrading;
use serde_json::{Value, json};
use stage::node::{Market, User, limit, market, text};

use crate::hall::Hall;
use crate::reader::Reader;

const PATH: &str = "/ws/v1/user";
const START_SECONDS: i64 = 1_893_456_000;

/// A reader of a user's orders in one market.
async fn watching(hall: &Hall, user: &User, place: &Market) -> Reader {
    let message = json!({
        "type": "subscribe", "channel": "orders", "marketIds": [place.market], "auth": {"apiKey": user.key.public},
    });
    let mut reader = hall.subscribed(PATH, message).await;
    reader.acknowledged(&format!("orders:{}:{}", user.id, place.market)).await;
    reader
}

/// The cause of the next message, the order's status, its filled and remaining shares.
async fn told(reader: &mut Reader) -> (String, String, String, f64, f64) {
    let message = reader.next().await;
    let (data, order) = (&message["data"], &message["data"]["order"]);
    assert_eq!((&message["type"], &data["orderId"]), (&json!("order_updated"), &order["id"]), "{message}");
    let number = |key: &str| order[key].as_f64().expect("a number");
    let word = |value: &Value| text(value).to_owned();
    (
        word(&order["id"]),
        word(&data["cause"]),
        word(&order["status"]),
        number("filledQuantity"),
        number("remainingQuantity"),
    )
}

fn expected(
    id: &Value,
    cause: &str,
    status: &str,
    filled: f64,
    remaining: f64,
) -> (String, String, String, f64, f64) {
    (text(id).to_owned(), cause.to_owned(), status.to_owned(), filled, remaining)
}

#[tokio::test]
async fn both_sides_of_a_mint_get_the_whole_fill_in_their_own_terms() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let (mut alice, mut bob) =
        (watching(&hall, &stage.alice, book).await, watching(&hall, &stage.bob, book).await);
    let mut body = limit(book.yes, "BUY", 40.0, 0.40);
    body["clientOrderId"] = json!("mine-1");
    let resting = stage.place(&stage.alice.key, book, &body).await;
    let placed = stage.seq();
    stage.clock.advance_seconds(60);
    let taking = stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let filled = stage.seq();
    let message = |sequence: u64, at: i64, cause: &str, order: Value| {
        json!({
            "type": "order_updated",
            "data": {
                "orderId": order["id"], "eventId": book.event, "marketId": book.market, "order": order,
                "timestamp": at, "cause": cause,
            },
            "sequence": sequence, "timestamp": at * 1_000,
        })
    };
    let mut order = json!({
        "id": resting["id"], "userId": stage.alice.id, "marketId": book.market, "outcomeId": book.yes,
        "outcomeLabel": "YES", "side": "BUY", "price": 0.4, "quantity": 100, "filledQuantity": 0,
        "remainingQuantity": 100, "avgFillPrice": 0, "status": "OPEN", "timeInForce": "GTC",
        "createdAt": START_SECONDS, "updatedAt": START_SECONDS, "orderType": "LIMIT", "currency": "USD", "fee": 0,
        "clientOrderId": "mine-1",
    });
    assert_eq!(alice.next().await, message(placed, START_SECONDS, "PLACED", order.clone()));
    let later = START_SECONDS + 60;
    order["filledQuantity"] = json!(50);
    order["remainingQuantity"] = json!(50);
    order["avgFillPrice"] = json!(0.4);
    order["status"] = json!("PARTIAL_FILLED");
    order["updatedAt"] = json!(later);
    assert_eq!(alice.next().await, message(filled, later, "FILLED", order));
    let taken = json!({
        "id": taking["id"], "userId": stage.bob.id, "marketId": book.market, "outcomeId": book.no,
        "outcomeLabel": "NO", "side": "BUY", "price": 0.6, "quantity": 50, "filledQuantity": 50,
        "remainingQuantity": 0, "avgFillPrice": 0.6, "status": "FILLED", "timeInForce": "GTC", "createdAt": later,
        "updatedAt": later, "orderType": "LIMIT", "currency": "USD", "fee": 0.6,
    });
    assert_eq!(bob.next().await, message(filled, later, "PLACED", taken));
}

#[tokio::test]
async fn every_state_of_an_order_reaches_its_owner_only() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    let mut reader = watching(&hall, &stage.alice, book).await;
    let mut other = watching(&hall, &stage.bob, book).await;

    let order = stage.place(alice, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    assert_eq!(told(&mut reader).await, expected(&order["id"], "PLACED", "OPEN", 0.0, 100.0));
    let amend = json!({"items": [{"orderId": order["id"], "newSize": 80}]});
    stage.write(alice, "POST", "/v1/pm/orders/batch/amend", &amend).await.expect(200);
    assert_eq!(told(&mut reader).await, expected(&order["id"], "AMENDED", "OPEN", 0.0, 80.0));
    let first = stage.place(bob, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    assert_eq!(told(&mut reader).await, expected(&order["id"], "FILLED", "PARTIAL_FILLED", 50.0, 30.0));
    let second = stage.place(bob, book, &market(book.no, "BUY", 6.12)).await;
    assert_eq!(told(&mut reader).await, expected(&order["id"], "FILLED", "PARTIAL_FILLED", 60.0, 20.0));
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    stage.write_empty(alice, "DELETE", &path).await.expect(200);
    assert_eq!(told(&mut reader).await, expected(&order["id"], "CANCELLED", "CANCELLED", 60.0, 0.0));

    let mut all_or_nothing = limit(book.yes, "BUY", 10.0, 0.50);
    all_or_nothing["timeInForce"] = json!("FOK");
    let refused = stage.place(alice, book, &all_or_nothing).await;
    assert_eq!(told(&mut reader).await, expected(&refused["id"], "PLACED", "REJECTED", 0.0, 0.0));

    // Each sells the shares that the other minted with them: a MERGE, again in the terms of each.
    let sale = |outcome, price| json!({"side": "SELL", "outcomeId": outcome, "quantity": 20, "price": price, "type": "LIMIT"});
    let sold = stage.place(alice, book, &sale(book.yes, 0.30)).await;
    assert_eq!(told(&mut reader).await, expected(&sold["id"], "PLACED", "OPEN", 0.0, 20.0));
    let merged = stage.place(bob, book, &sale(book.no, 0.70)).await;
    assert_eq!(told(&mut reader).await, expected(&sold["id"], "FILLED", "FILLED", 20.0, 0.0));

    let mut dated = limit(book.yes, "BUY", 10.0, 0.10);
    dated["timeInForce"] = json!("GTD");
    dated["expiresAt"] = json!("2030-01-01T00:10:00Z");
    let dated = stage.place(alice, book, &dated).await;
    assert_eq!(told(&mut reader).await, expected(&dated["id"], "PLACED", "OPEN", 0.0, 100.0));
    stage.clock.advance_seconds(601);
    let own = stage.place(alice, book, &limit(book.yes, "BUY", 10.0, 0.20)).await;
    assert_eq!(told(&mut reader).await, expected(&dated["id"], "EXPIRED", "EXPIRED", 0.0, 0.0));
    assert_eq!(told(&mut reader).await, expected(&own["id"], "PLACED", "OPEN", 0.0, 50.0));

    // Matches the order before, which self-trade prevention cancels.
    let mut against = limit(book.no, "BUY", 40.0, 0.80);
    against["stpMode"] = json!("CANCEL_OLDEST");
    let against = stage.place(alice, book, &against).await;
    assert_eq!(told(&mut reader).await, expected(&own["id"], "SELF_TRADE", "CANCELLED", 0.0, 0.0));
    assert_eq!(told(&mut reader).await, expected(&against["id"], "PLACED", "OPEN", 0.0, 50.0));
    let target = exchange::command::Target::Market(exchange::id::MarketId::new(book.market.as_u128()));
    stage.operate(exchange::command::Command::CloseTrading(CloseTrading { target })).await;
    assert_eq!(told(&mut reader).await, expected(&against["id"], "MARKET_CLOSED", "CANCELLED", 0.0, 0.0));

    assert_eq!(told(&mut other).await, expected(&first["id"], "PLACED", "FILLED", 50.0, 0.0));
    assert_eq!(told(&mut other).await, expected(&second["id"], "PLACED", "FILLED", 10.0, 0.0));
    assert_eq!(told(&mut other).await, expected(&merged["id"], "PLACED", "FILLED", 20.0, 0.0));
    other.send(json!({"type": "ping", "auth": {"apiKey": bob.public}})).await;
    assert_eq!(other.next().await["type"], "pong", "nothing of Alice's came in between");
}

#[tokio::test]
async fn an_order_against_a_pool_is_sent_with_its_average_price() {
    let hall = Hall::open().await;
    let (stage, pool) = (&hall.stage, &hall.stage.pool);
    let mut reader = watching(&hall, &stage.alice, pool).await;
    let order = stage.place(&stage.alice.key, pool, &market(pool.yes, "BUY", 10.0)).await;
    let message = reader.next().await;
    let told = &message["data"]["order"];
    assert_eq!((&told["id"], &told["status"]), (&order["id"], &json!("FILLED")));
    for (ours, theirs) in
        [("price", "price"), ("quantity", "size"), ("avgFillPrice", "avgFillPrice"), ("fee", "fee")]
    {
        assert_eq!(told[ours], order[theirs], "{ours}");
    }
}
