//! The bell: fills, results and price alerts, the read mark, and the limits of alerts and subscriptions.

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Draft, Key, Stage, delete, get, limit, market, number, post, text, traded};
use stage::soon;

const POINT: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

async fn list(stage: &Stage, key: &Key) -> Value {
    stage.clock.advance_seconds(1);
    stage.read_signed(key, "/v1/pm/notifications").await.expect(200)
}

fn shown(body: &Value) -> Vec<String> {
    let line = |one: &Value| format!("{} {} {}", text(&one["type"]), one["side"], one["isRead"]);
    body["notifications"].as_array().expect("rows").iter().map(line).collect()
}

fn subscription(endpoint: &str) -> Value {
    json!({"endpoint": endpoint, "keys": {"p256dh": POINT, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}})
}

/// Waits for the notifier, which runs beside the writer.
async fn fired(stage: &Stage, key: &Key) -> Value {
    soon("the alert has not fired", async || {
        let body = list(stage, key).await;
        let is_fired = |rows: &Vec<Value>| rows.iter().any(|row| row["type"] == "PRICE_ALERT");
        body["notifications"].as_array().is_some_and(is_fired).then_some(body)
    })
    .await
}

#[tokio::test]
async fn fills_and_results_are_told_and_a_mark_makes_them_read() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    // Alice's orders rested: each fill is told. Bob's were met when he placed them.
    assert_eq!(shown(&list(&stage, alice).await), [r#"FILL "SELL" false"#, r#"FILL "BUY" false"#]);
    let told = list(&stage, bob).await;
    assert_eq!(shown(&told), [r#"FILL "BUY" false"#, r#"FILL "BUY" false"#]);
    let newest = &told["notifications"][0];
    assert_eq!((number(&newest["size"]), number(&newest["price"])), (21.7864, 0.45));
    assert_eq!((text(&newest["eventTitle"]), &told["unread"]), ("Will the book hold?", &json!(2)));

    let older = told["notifications"][1]["sequence"].clone();
    let mark = json!({"sequence": older});
    stage.write(bob, "POST", "/v1/pm/notifications/read", &mark).await.expect(200);
    let told = list(&stage, bob).await;
    assert_eq!(shown(&told), [r#"FILL "BUY" false"#, r#"FILL "BUY" true"#]);
    assert_eq!((&told["unread"], &told["readUntil"]), (&json!(1), &older));
    // A mark never goes back, and never hides what is to come.
    stage.write(bob, "POST", "/v1/pm/notifications/read", &json!({"sequence": 1})).await.expect(200);
    assert_eq!(list(&stage, bob).await["readUntil"], older);
    stage.write(bob, "POST", "/v1/pm/notifications/read", &json!({"sequence": 9_000_000})).await.expect(200);

    let book = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(book) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: book, outcome: Outcome::Yes })).await;
    let told = list(&stage, alice).await;
    let payout = &told["notifications"][0];
    assert_eq!((text(&payout["type"]), text(&payout["resolvedOutcome"])), ("PAYOUT", "YES"));
    assert_eq!((number(&payout["amount"]), text(&payout["outcome"])), (78.2136, "YES"));
    assert_eq!(list(&stage, bob).await["unread"], json!(1), "the mark did not reach beyond the end");
}

/// Bob takes shares of Alice's resting YES order with NO at a price, `times` times, each after `seconds`.
async fn take(stage: &Stage, times: u64, seconds: i64, (shares, price): (u32, f64)) {
    for _ in 0..times {
        stage.clock.advance_seconds(seconds);
        let order = json!({
            "side": "BUY", "outcomeId": stage.book.no, "type": "LIMIT", "quantity": shares, "price": price,
        });
        stage.place(&stage.bob.key, &stage.book, &order).await;
    }
}

#[tokio::test]
async fn fills_of_resting_orders_within_a_minute_are_one_notification() {
    let stage = Stage::open().await;
    let alice = &stage.alice.key;
    let resting = stage.place(alice, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    take(&stage, 19, 3, (3, 0.60)).await;
    let told = list(&stage, alice).await;
    let row = &told["notifications"][0];
    assert_eq!((told["notifications"].as_array().map(Vec::len), &told["unread"]), (Some(1), &json!(1)));
    assert_eq!((number(&row["size"]), number(&row["price"]), number(&row["amount"])), (57.0, 0.4, 22.8));
    assert_eq!((&row["fills"], &row["orderId"], &row["side"]), (&json!(19), &resting["id"], &json!("BUY")));
    assert_eq!(row["sequence"].as_u64(), Some(stage.seq()), "of the newest fill");

    // The next fill makes it unread again, under the same id. More than a minute after the first one there is another.
    stage
        .write(alice, "POST", "/v1/pm/notifications/read", &json!({"sequence": row["sequence"]}))
        .await
        .expect(200);
    assert_eq!(list(&stage, alice).await["unread"], json!(0));
    take(&stage, 1, 1, (3, 0.60)).await;
    let more = list(&stage, alice).await;
    let again = &more["notifications"][0];
    assert_eq!((&again["id"], &again["fills"], &again["isRead"]), (&row["id"], &json!(20), &json!(false)));
    take(&stage, 1, 60, (3, 0.60)).await;
    let later = list(&stage, alice).await;
    let fills: Vec<_> =
        later["notifications"].as_array().expect("rows").iter().map(|row| row["fills"].clone()).collect();
    assert_eq!(fills, [json!(1), json!(20)]);

    // Another order on this side is gathered too: then it is of no single order. Another side is not.
    stage.place(alice, &stage.book, &limit(stage.book.yes, "BUY", 20.0, 0.50)).await;
    take(&stage, 1, 1, (6, 0.50)).await;
    stage.place(alice, &stage.book, &limit(stage.book.no, "BUY", 10.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 3.0, 0.60)).await;
    let last = list(&stage, alice).await;
    let [other, both] = [&last["notifications"][0], &last["notifications"][1]];
    assert_eq!((text(&other["outcome"]), &other["fills"], number(&other["size"])), ("NO", &json!(1), 5.0));
    assert_eq!((&both["fills"], both.get("orderId")), (&json!(2), None));
    // 3 at 0.40 and 6 at 0.50: 4.20 for 9, rounded to millionths.
    assert_eq!((number(&both["size"]), number(&both["amount"])), (9.0, 4.2));
    assert_eq!(number(&both["price"]), 0.466_667);
    // Bob's orders filled when he placed them: each is told by itself.
    let taken = list(&stage, &stage.bob.key).await;
    let newest = &taken["notifications"][0];
    assert_eq!((newest.get("fills"), number(&newest["amount"])), (None, 3.0));
    assert_eq!(taken["notifications"].as_array().map(Vec::len), Some(23));
}

#[tokio::test]
async fn dust_fills_hide_no_other_notification() {
    let stage = Stage::open().await;
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    stage.place(bob, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    let sold = stage.place(alice, &stage.pool, &market(stage.pool.no, "BUY", 10.0)).await;
    stage.place(alice, &stage.book, &limit(stage.book.yes, "BUY", 900.0, 0.40)).await;
    take(&stage, 300, 1, (2, 0.60)).await;
    let told = list(&stage, alice).await;
    let rows = told["notifications"].as_array().expect("rows");
    // 61 fills are in a minute, counted from the first one.
    let fills: Vec<_> = rows.iter().filter_map(|row| row["fills"].as_u64()).collect();
    assert_eq!(fills, [56, 61, 61, 61, 61]);
    assert_eq!(rows.last().map(|row| &row["orderId"]), Some(&sold["id"]));
    assert_eq!(told["unread"], json!(6));
}

#[tokio::test]
async fn a_loser_is_told_of_the_result() {
    let stage = Stage::open().await;
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.no, "BUY", 10.0)).await;
    let pool = MarketId::new(stage.pool.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(pool) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: pool, outcome: Outcome::Yes })).await;
    let told = list(&stage, &stage.bob.key).await;
    assert_eq!(text(&told["notifications"][0]["type"]), "RESOLUTION");
    assert_eq!(number(&told["notifications"][0]["amount"]), 0.0);
}

#[tokio::test]
async fn an_alert_fires_once_on_the_shown_price_and_becomes_a_notification() {
    let stage = Stage::open().await;
    let key = &stage.alice.key;
    let wish = json!({"marketId": stage.pool.market, "outcome": "YES", "price": 0.6});
    let alert = stage.write(key, "POST", "/v1/pm/price-alerts", &wish).await.expect(201);
    assert_eq!((text(&alert["direction"]), alert.get("firedAt")), ("RISES", None));
    assert_eq!(text(&alert["eventId"]), stage.pool.event.to_string());
    let falls = json!({"marketId": stage.pool.market, "outcome": "NO", "price": 0.05});
    stage.write(key, "POST", "/v1/pm/price-alerts", &falls).await.expect(201);
    assert_eq!(shown(&list(&stage, key).await), [""; 0], "the price is 0.50");
    // Bob moves the pool until the page shows more than 0.60.
    let mut price = 0.0;
    while price < 0.6 {
        stage.clock.advance_seconds(1);
        stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 40.0)).await;
        let event = stage.ask(get(&stage.pool.shown())).await.expect(200);
        price = number(&event["markets"][0]["outcome1Price"]);
    }
    let told = fired(&stage, key).await;
    let row = &told["notifications"][0];
    assert_eq!((text(&row["type"]), text(&row["outcome"])), ("PRICE_ALERT", "YES"));
    assert!(number(&row["price"]) >= 0.6 && number(&row["price"]) <= price, "{row}");
    assert_eq!(told["unread"], json!(1));
    stage
        .write(key, "POST", "/v1/pm/notifications/read", &json!({"sequence": row["sequence"]}))
        .await
        .expect(200);
    // It does not fire again, and the other one still waits. That the notifier has seen these prices is told by an alert of Bob.
    let canary = json!({"marketId": stage.pool.market, "outcome": "YES", "price": (price * 100.0).floor() / 100.0 + 0.01});
    stage.write(&stage.bob.key, "POST", "/v1/pm/price-alerts", &canary).await.expect(201);
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 100.0)).await;
    fired(&stage, &stage.bob.key).await;
    let told = list(&stage, key).await;
    assert_eq!((told["notifications"].as_array().map(Vec::len), &told["unread"]), (Some(1), &json!(0)));
    let alerts = stage.read_signed(key, "/v1/pm/price-alerts").await.expect(200);
    let waiting: Vec<bool> =
        alerts["alerts"].as_array().expect("alerts").iter().map(|one| one.get("firedAt").is_none()).collect();
    assert_eq!(waiting, [false, true]);
}

#[tokio::test]
async fn an_alert_waits_through_a_restart() {
    let mut stage = Stage::open().await;
    let wish = json!({"marketId": stage.book.market, "outcome": "YES", "price": 0.4});
    let key = stage.alice.key.clone();
    let made = stage.write(&key, "POST", "/v1/pm/price-alerts", &wish).await.expect(201);
    assert_eq!(text(&made["direction"]), "FALLS", "nothing was traded: the page shows 0.50");
    stage.restart().await;
    // The price must stay there: the notifier compares the price that is shown when its turn comes.
    let book = &stage.book;
    stage.place(&key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 60.0, 0.60)).await;
    let told = fired(&stage, &key).await;
    assert!(told["notifications"].as_array().is_some_and(|rows| rows.len() == 2), "{told}");
}

#[tokio::test]
async fn alerts_are_bounded_validated_and_removed_by_their_owner_only() {
    let stage = Stage::open().await;
    let key = &stage.alice.key;
    let wish = |price: f64| json!({"marketId": stage.book.market, "outcome": "YES", "price": price});
    for (body, fault) in [
        (json!({"marketId": stage.book.market, "outcome": "YES", "price": 0.605}), "price"),
        (json!({"marketId": stage.book.market, "outcome": "YES", "price": 1}), "price"),
        (json!({"marketId": stage.book.market, "outcome": "MAYBE", "price": 0.6}), "outcome"),
    ] {
        let refused =
            stage.write(key, "POST", "/v1/pm/price-alerts", &body).await.refused(400, "bad_request");
        assert!(text(&refused["message"]).contains(fault), "{refused}");
    }
    let hidden = json!({"marketId": stage.hidden.market, "outcome": "YES", "price": 0.6});
    stage.write(key, "POST", "/v1/pm/price-alerts", &hidden).await.refused(404, "not_found");
    let mut last = Value::Null;
    for number in 0..50 {
        stage.clock.advance_seconds(1);
        let price = if number % 2 == 0 { 0.98 } else { 0.02 };
        last = stage.write(key, "POST", "/v1/pm/price-alerts", &wish(price)).await.expect(201);
    }
    stage.clock.advance_seconds(1);
    stage.write(key, "POST", "/v1/pm/price-alerts", &wish(0.97)).await.refused(409, "conflict");
    let path = format!("/v1/pm/price-alerts/{}", text(&last["id"]));
    stage.write_empty(&stage.bob.key, "DELETE", &path).await.refused(404, "not_found");
    stage.write_empty(key, "DELETE", &path).await.expect(200);
    stage.write_empty(key, "DELETE", &path).await.refused(404, "not_found");
    stage.write(key, "POST", "/v1/pm/price-alerts", &wish(0.97)).await.expect(201);
}

#[tokio::test]
async fn subscriptions_are_bounded_and_only_public_addresses_of_https_are_taken() {
    let stage = Stage::open().await;
    let alice = &stage.alice;
    let subscribe = |endpoint: &str| -> Draft {
        post("/v1/pm/push-subscriptions").json(&subscription(endpoint)).in_session(alice)
    };
    for endpoint in
        ["http://push.example/1", "https://10.0.0.7/1", "https://[::1]/1", "https://push.example:9/"]
    {
        stage.ask(subscribe(endpoint)).await.refused(400, "bad_request");
    }
    let mut bad = subscription("https://push.example/1");
    bad["keys"]["auth"] = json!("short");
    let draft = post("/v1/pm/push-subscriptions").json(&bad).in_session(alice);
    stage.ask(draft).await.refused(400, "bad_request");
    for number in 0..5 {
        stage.clock.advance_seconds(1);
        stage.ask(subscribe(&format!("https://push.example/{number}"))).await.expect(201);
    }
    stage.ask(subscribe("https://push.example/4")).await.expect(201);
    stage.ask(subscribe("https://push.example/5")).await.refused(409, "conflict");
    let known = stage.ask(get("/v1/pm/push-subscriptions").in_session(alice)).await.expect(200);
    let subscriptions = known["subscriptions"].as_array().expect("subscriptions");
    assert_eq!((subscriptions.len(), text(&known["publicKey"]).len()), (5, 87));
    let others = stage.ask(get("/v1/pm/push-subscriptions").in_session(&stage.bob)).await.expect(200);
    assert_eq!((&others["publicKey"], &others["subscriptions"]), (&known["publicKey"], &json!([])));
    let path = format!("/v1/pm/push-subscriptions/{}", text(&subscriptions[0]["id"]));
    stage.ask(delete(&path).in_session(&stage.bob)).await.refused(404, "not_found");
    stage.ask(delete(&path).in_session(alice)).await.expect(200);
    // A public key proves nothing, and an endpoint is a secret.
    stage
        .ask(get("/v1/pm/push-subscriptions").named(&alice.key))
        .await
        .unauthorized("unauthorized", "header_missing");
}
