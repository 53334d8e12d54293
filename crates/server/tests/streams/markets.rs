//! `/ws/v1/markets`: activity, prices, books, trades of a user.

use exchange::command::{CloseTrading, Command, PauseTrading, ResolveMarket, Target};
use exchange::id::{EventId, MarketId};
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Market, User, limit, market};

use crate::hall::Hall;

const PATH: &str = "/ws/v1/markets";
/// When a stage begins, and a minute later.
const START: &str = "2030-01-01T00:00:00Z";
const START_MILLIS: i64 = 1_893_456_000_000;
const MINUTE_LATER: &str = "2030-01-01T00:01:00Z";

/// As it is written: whole numbers have no decimals.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// One party's side of a fill.
#[allow(clippy::too_many_arguments, reason = "each is a field of the message")]
fn fill(
    place: &Market,
    title: &str,
    user: (&User, &str),
    order: Value,
    amounts: [f64; 3],
    side: &str,
    outcome: &str,
    made: [&str; 4],
) -> Value {
    let ([amount, quantity, price], [created, updated, engine, kind]) = (amounts.map(number), made);
    json!({
        "user": {"id": user.0.id, "tag": user.1, "imageUrl": null},
        "order": {
            "id": order, "amount": amount, "quantity": quantity, "price": price, "status": "FILLED", "type": side,
            "outcome": outcome, "outcomeLabel": outcome, "currency": "USD", "createdAt": created,
            "updatedAt": updated, "engine": engine, "orderType": kind,
        },
        "event": {
            "id": place.event, "slug": place.slug, "title": title, "type": "SINGLE_MARKET", "createdAt": START,
            "imageUrl": null,
        },
        "market": {"id": place.market, "title": title, "imageUrl": null},
    })
}

#[tokio::test]
async fn a_fill_in_a_book_is_sent_to_event_market_and_follower_in_the_terms_of_each_party() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let (alice, bob) = (&stage.alice, &stage.bob);
    let activity = json!({"type": "subscribe", "channel": "activity", "eventId": book.event});
    let mut event = hall.subscribed(PATH, activity.clone()).await;
    event.acknowledged(&format!("activity:{}", book.event)).await;
    let mut of_market = activity;
    of_market["marketId"] = json!(book.market);
    event.send(of_market).await;
    event.acknowledged(&format!("activity:{}:{}", book.event, book.market)).await;
    let follow = json!({"type": "subscribe", "channel": "user_trades", "userId": alice.id});
    let mut follower = hall.subscribed(PATH, follow).await;
    follower.acknowledged(&format!("user_trades:{}", alice.id)).await;

    let resting = stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.clock.advance_seconds(60);
    let taking = stage.place(&bob.key, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let sequence = stage.seq();
    let title = "Will the book hold?";
    let (made, took) =
        ([START, MINUTE_LATER, "CLOB", "LIMIT"], [MINUTE_LATER, MINUTE_LATER, "CLOB", "LIMIT"]);
    let bobs = fill(book, title, (bob, "bob"), taking["id"].clone(), [30.0, 50.0, 0.6], "BUY", "NO", took);
    let alices =
        fill(book, title, (alice, "alice"), resting["id"].clone(), [20.0, 50.0, 0.4], "BUY", "YES", made);
    let told = |data: &Value| json!({"type": "buy_order", "data": data, "sequence": sequence, "timestamp": START_MILLIS + 60_000});
    assert_eq!(event.next().await, told(&bobs), "two rooms, one message");
    assert_eq!(event.next().await, told(&alices));
    assert_eq!(follower.next().await, told(&alices));

    let sale = json!({"side": "SELL", "outcomeId": book.no, "quantity": 10, "price": 0.5, "type": "LIMIT"});
    stage.place(&bob.key, book, &sale).await;
    let sold = stage.place(&alice.key, book, &market(book.no, "BUY", 2.0)).await;
    let message = follower.next().await;
    assert_eq!((&message["type"], &message["data"]["order"]["id"]), (&json!("buy_order"), &sold["id"]));
    assert_eq!(message["data"]["order"]["orderType"], "MARKET");
    let (taker, maker) = (event.next().await, event.next().await);
    assert_eq!((&taker["type"], &maker["type"]), (&json!("buy_order"), &json!("sell_order")));
    assert_eq!(maker["data"]["order"]["type"], "SELL");
}

#[tokio::test]
async fn a_fill_against_a_pool_is_sent_once_with_its_average_price() {
    let hall = Hall::open().await;
    let (stage, pool) = (&hall.stage, &hall.stage.pool);
    let activity = json!({"type": "subscribe", "channel": "activity", "eventId": pool.event});
    let mut reader = hall.subscribed(PATH, activity).await;
    reader.acknowledged(&format!("activity:{}", pool.event)).await;
    let mut expected = Vec::new();
    for outcome in [pool.yes, pool.no] {
        let order = stage.place(&stage.alice.key, pool, &market(outcome, "BUY", 10.0)).await;
        expected.push((order, stage.seq()));
    }
    for (order, sequence) in expected {
        let message = reader.next().await;
        let told = &message["data"]["order"];
        assert_eq!((&message["type"], &message["sequence"]), (&json!("buy_order"), &json!(sequence)));
        assert_eq!(
            (&told["id"], &told["quantity"], &told["price"]),
            (&order["id"], &order["quantity"], &order["price"])
        );
        assert_eq!((&told["engine"], &told["orderType"]), (&json!("AMM"), &json!("MARKET")));
    }
}

fn level(price: f64, quantity: f64, total: f64) -> Value {
    json!({"price": number(price), "quantity": number(quantity), "total": number(total)})
}

#[tokio::test]
async fn books_are_shown_whole_for_both_outcomes_at_once_and_after_every_change() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    stage.place(alice, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    let first = stage.seq();
    let message = json!({"type": "subscribe", "channel": "orderbook", "marketIds": [book.market]});
    let mut reader = hall.subscribed(PATH, message).await;
    reader.acknowledged(&format!("orderbook:{}", book.market)).await;
    let shown = |outcome: uuid::Uuid, sequence: u64, bids: Vec<Value>, asks: Vec<Value>| {
        json!({
            "type": "orderbook_update",
            "data": {
                "orderbook": {
                    "marketId": book.market, "outcomeId": outcome, "timestamp": START, "bids": bids, "asks": asks,
                },
                "currency": "USD",
            },
            "sequence": sequence, "timestamp": START_MILLIS,
        })
    };
    assert_eq!(reader.next().await, shown(book.yes, first, vec![level(0.4, 100.0, 40.0)], vec![]));
    assert_eq!(reader.next().await, shown(book.no, first, vec![], vec![level(0.6, 100.0, 60.0)]));

    // A book of another currency is another book, and an order that was refused changes none.
    let mut naira = limit(book.yes, "BUY", 4_000.0, 0.30);
    naira["currency"] = json!("NGN");
    stage.place(alice, book, &naira).await;
    let mut all_or_nothing = limit(book.no, "BUY", 600.0, 0.60);
    all_or_nothing["timeInForce"] = json!("FOK");
    assert_eq!(stage.place(bob, book, &all_or_nothing).await["status"], "rejected");
    stage.place(bob, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let traded = stage.seq();
    let mut yes = shown(book.yes, traded, vec![level(0.4, 50.0, 20.0)], vec![]);
    yes["data"]["orderbook"]["lastTradedPrice"] = json!(0.4);
    yes["data"]["orderbook"]["lastTradedSide"] = json!("SELL");
    assert_eq!(until_sequence(&mut reader, traded).await, yes);
    let no = reader.next().await;
    assert_eq!(no["data"]["orderbook"]["lastTradedPrice"], 0.6);
    assert_eq!(no["data"]["orderbook"]["asks"], json!([level(0.6, 50.0, 30.0)]));

    let message =
        json!({"type": "subscribe", "channel": "orderbook", "marketIds": [book.market], "currency": "NGN"});
    reader.send(message).await;
    reader.acknowledged(&format!("orderbook:{}:NGN", book.market)).await;
    let naira = reader.next().await;
    assert_eq!(naira["data"]["currency"], "NGN");
    assert_eq!(naira["data"]["orderbook"]["bids"], json!([level(0.3, 133.3333, 3999.999)]));
}

/// The first message at or after a sequence. A refused order may show an unchanged book once.
async fn until_sequence(reader: &mut crate::reader::Reader, sequence: u64) -> Value {
    loop {
        let message = reader.next().await;
        if message["sequence"].as_u64().expect("a sequence") >= sequence {
            return message;
        }
    }
}

#[tokio::test]
async fn prices_are_shown_at_once_when_they_change_and_when_a_market_is_paused_and_resolved() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let before = stage.seq();
    let message = json!({"type": "subscribe", "channel": "prices", "eventId": book.event});
    let mut reader = hall.subscribed(PATH, message).await;
    reader.acknowledged(&format!("prices:{}", book.event)).await;
    let listing = |currency: &str, prices: [f64; 2], buy_prices: Value| {
        let prices = json!({"YES": prices[0], "NO": prices[1]});
        json!({"currency": currency, "prices": prices, "buyPrices": buy_prices})
    };
    let unsold = || json!({"YES": 0, "NO": 0});
    let shown = |sequence: u64, status: &str, yes: f64, no: f64, buy_prices: Value| {
        let listings = [listing("USD", [yes, no], buy_prices), listing("NGN", [0.5, 0.5], unsold())];
        json!({
            "type": "price_update",
            "data": {
                "id": book.event, "slug": "the-book", "title": "Will the book hold?", "status": status,
                "type": "SINGLE_MARKET",
                "markets": [{
                    "id": book.market, "question": "Will the book hold?", "outcomes": ["YES", "NO"],
                    "engine": "CLOB", "prices": {"YES": yes, "NO": no}, "listings": listings, "status": status,
                }],
            },
            "sequence": sequence, "timestamp": START_MILLIS,
        })
    };
    assert_eq!(reader.next().await, shown(before, "open", 0.5, 0.5, unsold()));
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 50.0, 0.50)).await;
    let moved = stage.seq();
    let sold = || json!({"YES": 0.5, "NO": 0.6});
    assert_eq!(until_sequence(&mut reader, moved).await, shown(moved, "open", 0.45, 0.55, sold()));

    // A book in naira has its own prices, which are sent too.
    let mut naira = limit(book.yes, "BUY", 4_000.0, 0.40);
    naira["currency"] = json!("NGN");
    stage.place(&stage.alice.key, book, &naira).await;
    let message = until_sequence(&mut reader, stage.seq()).await;
    let listings = &message["data"]["markets"][0]["listings"];
    assert_eq!(listings[1]["buyPrices"], json!({"YES": 0, "NO": 0.6}));
    let order = stage.read(&stage.alice.key, "/v1/pm/orders?status=open&currency=NGN").await.expect(200);
    let order = order["orders"][0]["id"].as_str().expect("an id").to_owned();
    stage.write_empty(&stage.alice.key, "DELETE", &format!("/v1/pm/orders/{order}")).await.expect(200);
    until_sequence(&mut reader, stage.seq()).await;

    let event = EventId::new(book.event.as_u128());
    stage.operate(Command::PauseTrading(PauseTrading { target: Target::Event(event) })).await;
    assert_eq!(reader.next().await, shown(stage.seq(), "paused", 0.45, 0.55, sold()));
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Event(event) })).await;
    let closed = reader.next().await;
    assert_eq!(closed["data"]["status"], "closed");
    let market = MarketId::new(book.market.as_u128());
    stage.operate(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No })).await;
    let mut resolved = shown(stage.seq(), "resolved", 0.0, 1.0, unsold());
    resolved["data"]["markets"][0]["resolvedOutcome"] = json!("NO");
    resolved["data"]["markets"][0]["prices"] = json!({"YES": 0, "NO": 1});
    for listing in resolved["data"]["markets"][0]["listings"].as_array_mut().expect("listings") {
        listing["prices"] = json!({"YES": 0, "NO": 1});
    }
    assert_eq!(reader.next().await, resolved);
}

#[tokio::test]
async fn a_left_room_is_silent_and_the_others_continue() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let trades = json!({"type": "subscribe", "channel": "user_trades", "userId": stage.bob.id});
    let mut reader = hall.subscribed(PATH, trades).await;
    let trades = format!("user_trades:{}", stage.bob.id);
    reader.acknowledged(&trades).await;
    reader.send(json!({"type": "subscribe", "channel": "activity", "eventId": book.event})).await;
    let activity = format!("activity:{}", book.event);
    reader.acknowledged(&activity).await;
    reader.send(json!({"type": "unsubscribe", "room": activity})).await;
    let left = reader.next().await;
    let expected = json!({
        "type": "unsubscribed", "room": activity, "message": format!("Unsubscribed from: {activity}"),
        "timestamp": left["timestamp"],
    });
    assert_eq!(left, expected);
    reader.send(json!({"type": "unsubscribe", "room": activity})).await;
    reader.failed(&format!("Not subscribed to: {activity}")).await;
    for (user, outcome, price) in [(&stage.alice, book.yes, 0.40), (&stage.bob, book.no, 0.60)] {
        stage.place(&user.key, book, &limit(outcome, "BUY", 30.0, price)).await;
    }
    let only = reader.next().await;
    assert_eq!(only["data"]["user"]["tag"], "bob");
    reader.send(json!({"type": "ping"})).await;
    assert_eq!(reader.next().await["type"], "pong", "Alice's side was in the room that was left");
}
