//! Refused orders: 400 for invalid fields, 404 for unknown ids, 422 for refusals by the rules.

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, OpenEvent, PauseTrading, Target};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::numbers::Currency;
use exchange::text::Text;
use serde_json::{Value, json};
use stage::node::{Market, Stage, draft, get, limit, market, post, text};
use uuid::Uuid;

use crate::socket::listen;

async fn refused(stage: &Stage, market: &Market, body: &Value, status: u16) -> Value {
    let error = match status {
        400 => "bad_request",
        404 => "not_found",
        _ => "unprocessable_entity",
    };
    stage.clock.advance_seconds(1);
    stage.write(&stage.alice.key, "POST", &market.orders(), body).await.refused(status, error)
}

#[tokio::test]
async fn an_invalid_field_is_a_bad_request_that_names_it() {
    let stage = Stage::open().await;
    let resting = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let instant = market(stage.book.yes, "BUY", 40.0);
    let changed = |base: &Value, changes: Value| {
        let mut body = base.clone();
        for (key, value) in changes.as_object().expect("changes") {
            body[key] = value.clone();
        }
        body
    };
    let rows = [
        (changed(&resting, json!({"side": "HOLD"})), "side"),
        (changed(&resting, json!({"side": "buy"})), "side"),
        (changed(&resting, json!({"outcomeId": "yes"})), "outcomeId"),
        (changed(&resting, json!({"amount": null})), "amount"),
        (changed(&resting, json!({"amount": "40"})), "amount"),
        (changed(&resting, json!({"amount": 0})), "amount"),
        (changed(&resting, json!({"amount": -40})), "amount"),
        (changed(&resting, json!({"quantity": 3})), "amount and quantity"),
        (changed(&resting, json!({"type": "STOP"})), "type"),
        (changed(&resting, json!({"currency": "EUR"})), "currency"),
        (changed(&resting, json!({"price": null})), "price"),
        (changed(&resting, json!({"price": 0})), "price"),
        (changed(&resting, json!({"price": 0.009})), "price"),
        (changed(&resting, json!({"price": 1})), "price"),
        (changed(&resting, json!({"price": 0.405})), "price"),
        (changed(&resting, json!({"timeInForce": "DAY"})), "timeInForce"),
        (changed(&resting, json!({"timeInForce": "GTD"})), "expiresAt"),
        (changed(&resting, json!({"timeInForce": "GTD", "expiresAt": "soon"})), "expiresAt"),
        (changed(&resting, json!({"timeInForce": "GTD", "expiresAt": "2029-12-31T23:59:59Z"})), "expiresAt"),
        (changed(&resting, json!({"postOnly": "yes"})), "postOnly"),
        (changed(&resting, json!({"postOnly": true, "timeInForce": "FOK"})), "postOnly"),
        (changed(&resting, json!({"clientOrderId": "a b"})), "clientOrderId"),
        (changed(&resting, json!({"clientOrderId": "x".repeat(65)})), "clientOrderId"),
        (changed(&instant, json!({"timeInForce": "GTC"})), "timeInForce"),
        (changed(&instant, json!({"postOnly": true})), "postOnly"),
        (changed(&instant, json!({"maxSlippage": 1.01})), "maxSlippage"),
        (changed(&instant, json!({"maxSlippage": -0.01})), "maxSlippage"),
    ];
    for (body, field) in rows {
        let refusal = refused(&stage, &stage.book, &body, 400).await;
        assert!(text(&refusal["message"]).contains(field), "{field}: {refusal}");
    }
}

#[tokio::test]
async fn every_required_field_is_missed_by_name() {
    let stage = Stage::open().await;
    for field in ["side", "outcomeId", "amount", "type", "price"] {
        let mut body = limit(stage.book.yes, "BUY", 40.0, 0.40);
        body.as_object_mut().expect("an object").remove(field);
        let refusal = refused(&stage, &stage.book, &body, 400).await;
        assert!(text(&refusal["message"]).contains(field), "{refusal}");
    }
}

#[tokio::test]
async fn the_minimum_is_one_dollar_or_a_hundred_naira() {
    let stage = Stage::open().await;
    let body = refused(&stage, &stage.pool, &market(stage.pool.yes, "BUY", 0.99), 400).await;
    assert_eq!(body["message"], "Minimum buy amount is USD 1.00");
    let mut naira = market(stage.pool.yes, "BUY", 99.99);
    naira["currency"] = json!("NGN");
    let body = refused(&stage, &stage.pool, &naira, 400).await;
    assert_eq!(body["message"], "Minimum buy amount is NGN 100.00");
    naira["amount"] = json!(100);
    stage.place(&stage.alice.key, &stage.pool, &naira).await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 1.0)).await;
}

#[tokio::test]
async fn a_sale_below_the_minimum_has_a_message_about_sales() {
    let stage = Stage::open().await;
    let (book, pool) = (&stage.book, &stage.pool);
    let shares = json!({"side": "SELL", "outcomeId": book.yes, "type": "LIMIT", "price": 0.5, "quantity": 1});
    let sales = [
        (pool, market(pool.yes, "SELL", 0.99)),
        (book, market(book.yes, "SELL", 0.99)),
        (book, limit(book.yes, "SELL", 0.99, 0.40)),
        (book, shares.clone()),
    ];
    for (place, sale) in sales {
        let body = refused(&stage, place, &sale, 400).await;
        assert_eq!(body["message"], "Minimum sell amount is USD 1.00", "{sale}");
    }
    let batch = json!({"orders": [shares]});
    let answer = stage.write(&stage.alice.key, "POST", "/v1/pm/orders/batch", &batch).await.expect(200);
    assert_eq!(answer["results"][0]["error"]["message"], "Minimum sell amount is USD 1.00");
}

#[tokio::test]
async fn dust_does_not_rest_and_does_not_move_the_shown_price() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    let path = stage.book.orders();
    let shares = |side: &str, price: f64, quantity: f64| json!({"side": side, "outcomeId": stage.book.yes, "type": "LIMIT", "price": price, "quantity": quantity});
    stage.write(alice, "POST", &stage.book.mint(), &json!({"quantity": 20})).await.expect(200);
    stage.place(alice, &stage.book, &shares("SELL", 0.9, 10.0)).await;
    stage.place(bob, &stage.book, &shares("BUY", 0.1, 10.0)).await;
    let shown = async || {
        let (_, event) = listening.ask(get(&format!("/v1/pm/events/{}", stage.book.event))).await;
        event["markets"][0]["outcome1Price"].clone()
    };
    assert_eq!(shown().await, json!(0.5));
    let write = async |method: &str, path: &str, body: &Value| {
        listening.ask(draft(method, path).json(body).signed(alice, stage.now_seconds())).await
    };
    let (status, refusal) = write("POST", &path, &shares("SELL", 0.11, 0.0001)).await;
    assert_eq!((status, &refusal["message"]), (400, &json!("Minimum sell amount is USD 1.00")));
    let batch = json!({"orders": [shares("SELL", 0.11, 0.0001)]});
    let (_, answer) = write("POST", "/v1/pm/orders/batch", &batch).await;
    let error = &answer["results"][0]["error"];
    assert_eq!((&error["code"], &error["reason"]), (&json!("BAD_REQUEST"), &json!("BELOW_MINIMUM")));
    assert_eq!(shown().await, json!(0.5));

    // Almost all of it is filled: the rest may stay, and may not move.
    let order = stage.place(alice, &stage.book, &shares("SELL", 0.6, 2.0)).await;
    stage.place(bob, &stage.book, &shares("BUY", 0.6, 1.9999)).await;
    let amend = json!({"items": [{"orderId": order["id"], "newPrice": 0.11}]});
    let (_, answer) = write("POST", "/v1/pm/orders/batch/amend", &amend).await;
    let error = &answer["results"][0]["error"];
    assert_eq!((&error["code"], &error["reason"]), (&json!("BAD_REQUEST"), &json!("BELOW_MINIMUM")));
    let cancel = format!("/v1/pm/orders/{}", text(&order["id"]));
    stage.write_empty(alice, "DELETE", &cancel).await.expect(200);
    assert_eq!(shown().await, json!(0.5));

    let mut leaving = shares("SELL", 0.1, 0.0001);
    leaving["timeInForce"] = json!("FAK");
    let (status, sold) = write("POST", &path, &leaving).await;
    assert_eq!((status, &sold["order"]["status"]), (200, &json!("filled")), "{sold}");
}

#[tokio::test]
async fn orders_on_unknown_events_and_markets_are_not_found() {
    let stage = Stage::open().await;
    let body = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let here = &stage.book;
    let rows = [
        (Market { event: Uuid::now_v7(), ..here.clone() }, body.clone(), "Event not found"),
        (Market { event: stage.hidden.event, ..here.clone() }, body.clone(), "Event not found"),
        (Market { event: stage.pool.event, ..here.clone() }, body.clone(), "Market not found"),
        (Market { market: Uuid::now_v7(), ..here.clone() }, body.clone(), "Market not found"),
        (Market { market: stage.pool.market, ..here.clone() }, body.clone(), "Market not found"),
        (here.clone(), limit(Uuid::now_v7(), "BUY", 40.0, 0.40), "Outcome not found"),
    ];
    for (place, body, message) in rows {
        assert_eq!(refused(&stage, &place, &body, 404).await["message"], message);
    }
    let elsewhere = refused(&stage, here, &limit(stage.pool.yes, "BUY", 40.0, 0.40), 404).await;
    assert_eq!(elsewhere["message"], "Outcome not found in this market");
    let path = format!("/v1/pm/events/{}/markets/x/orders", here.event);
    let refusal = stage.write(&stage.alice.key, "POST", &path, &body).await.refused(404, "not_found");
    assert_eq!(refusal["message"], "Market not found");
}

#[tokio::test]
async fn a_refusal_by_the_rules_has_the_code_of_its_rule() {
    let stage = Stage::open().await;
    let (yes, pool) = (stage.book.yes, &stage.pool);
    let body = refused(&stage, &stage.book, &limit(yes, "BUY", 1_000.01, 0.40), 422).await;
    assert_eq!(body["code"], "INSUFFICIENT_BALANCE");
    assert_eq!(body["message"], "Insufficient balance: need 1000.01, have 1000.00");
    let body = refused(&stage, &stage.book, &limit(yes, "SELL", 40.0, 0.40), 422).await;
    assert_eq!(body["code"], "INSUFFICIENT_SHARES");
    assert_eq!(
        refused(&stage, pool, &market(pool.yes, "SELL", 5.0), 422).await["code"],
        "INSUFFICIENT_SHARES"
    );
    assert_eq!(refused(&stage, pool, &limit(pool.yes, "BUY", 10.0, 0.49), 422).await["code"], "PRICE_LIMIT");
    let mut slipping = market(pool.yes, "BUY", 500.0);
    slipping["maxSlippage"] = json!(0.01);
    assert_eq!(refused(&stage, pool, &slipping, 422).await["code"], "SLIPPAGE");

    let over = refused(&stage, pool, &market(pool.yes, "BUY", 100_000.0), 422).await;
    assert_eq!(over["code"], "OVER_MAX_LIABILITY");
    let quote = json!({"side": "BUY", "outcomeId": pool.yes, "amount": 100_000});
    let quote = stage.ask(post(&pool.quote()).json(&quote)).await.expect(200);
    assert_eq!(quote["tradeGoesOverMaxLiability"], true);

    let mut named = limit(yes, "BUY", 4.0, 0.40);
    named["clientOrderId"] = json!("mine");
    stage.place(&stage.alice.key, &stage.book, &named).await;
    assert_eq!(refused(&stage, &stage.book, &named, 422).await["code"], "DUPLICATE_CLIENT_ORDER_ID");

    let target = Target::Event(EventId::new(stage.book.event.as_u128()));
    stage.operate(Command::PauseTrading(PauseTrading { target })).await;
    assert_eq!(
        refused(&stage, &stage.book, &limit(yes, "BUY", 4.0, 0.40), 422).await["code"],
        "MARKET_NOT_OPEN"
    );
}

#[tokio::test]
async fn a_draft_takes_no_orders_and_is_not_found() {
    let stage = Stage::open().await;
    let body = limit(stage.hidden.yes, "BUY", 4.0, 0.40);
    let answered = stage.write(&stage.alice.key, "POST", &stage.hidden.orders(), &body).await;
    answered.refused(404, "not_found");
}

#[tokio::test]
async fn a_refused_order_costs_nothing_and_leaves_nothing() {
    let stage = Stage::open().await;
    let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200)["assets"][0].clone();
    refused(&stage, &stage.book, &limit(stage.book.yes, "BUY", 5_000.0, 0.40), 422).await;
    let after = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200)["assets"][0].clone();
    assert_eq!(after["availableBalance"], wallet["availableBalance"]);
    assert_eq!(after["pendingBalance"], wallet["pendingBalance"]);
    let orders = stage.read(&stage.alice.key, "/v1/pm/orders").await.expect(200);
    assert_eq!(orders["orders"], json!([]));
}

#[tokio::test]
async fn a_currency_that_the_event_does_not_trade_in_is_refused() {
    let stage = Stage::open().await;
    let (event, place) = (EventId::new(71), MarketId::new(72));
    let new = NewEvent {
        id: event,
        slug: Text::from("dollars-only"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails {
            title: Text::from("Dollars only?"),
            category: Text::from("politics"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket {
            id: place,
            details: MarketDetails { title: Text::from("Dollars only?"), ..MarketDetails::default() },
        }],
        link: EventLink::None,
    };
    stage.operate(Command::CreateEvent(new)).await;
    stage.operate(Command::OpenEvent(OpenEvent { event })).await;
    let outcome = |number| Uuid::from_u128(OutcomeId::of(place, number).as_u128());
    let dollars = Market {
        event: Uuid::from_u128(event.as_u128()),
        market: Uuid::from_u128(place.as_u128()),
        yes: outcome(0),
        no: outcome(1),
        slug: "dollars-only".to_owned(),
    };
    let mut body = limit(dollars.yes, "BUY", 400.0, 0.40);
    body["currency"] = json!("NGN");
    let told = json!({
        "error": "unprocessable_entity",
        "code": "UNSUPPORTED_CURRENCY",
        "message": "The event does not trade in this currency",
        "statusCode": 422,
    });
    assert_eq!(refused(&stage, &dollars, &body, 422).await, told);
    let sets = json!({"quantity": 100, "currency": "NGN"});
    assert_eq!(stage.write(&stage.alice.key, "POST", &dollars.mint(), &sets).await.expect(422), told);
    let quote = json!({"side": "BUY", "outcomeId": dollars.yes, "amount": 100, "currency": "NGN"});
    assert_eq!(stage.ask(post(&dollars.quote()).json(&quote)).await.expect(422), told);
    body["currency"] = json!("USD");
    stage.place(&stage.alice.key, &dollars, &body).await;
}

#[tokio::test]
async fn the_five_hundred_and_first_open_order_in_a_market_is_refused() {
    let stage = Stage::open().await;
    let item = limit(stage.book.yes, "BUY", 1.0, 0.40);
    for _ in 0..25 {
        stage.clock.advance_seconds(2);
        let orders = json!({"orders": vec![item.clone(); 20]});
        let placed = stage.write(&stage.alice.key, "POST", "/v1/pm/orders/batch", &orders).await.expect(200);
        assert_eq!(placed["summary"]["succeeded"], 20);
    }
    let body = refused(&stage, &stage.book, &item, 422).await;
    assert_eq!(
        body,
        json!({
            "error": "unprocessable_entity",
            "code": "TOO_MANY_OPEN_ORDERS",
            "message": "Too many open orders, in this market or altogether",
            "statusCode": 422,
        })
    );
    stage.place(&stage.bob.key, &stage.book, &item).await;
    stage.clock.advance_seconds(1);
    stage.write(&stage.alice.key, "DELETE", "/v1/pm/orders", &json!({})).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &item).await;
}
