//! Quotes: public, signed or not, and equal to the order that follows.

use serde_json::{Value, json};
use stage::node::{Market, Stage, keys, limit, market, number, post};
use uuid::Uuid;

async fn quote(stage: &Stage, market: &Market, body: &Value) -> Value {
    stage.ask(post(&market.quote()).json(body)).await.expect(200)
}

fn ask(outcome: Uuid, side: &str, amount: f64) -> Value {
    json!({"side": side, "outcomeId": outcome, "amount": amount})
}

#[tokio::test]
async fn a_quote_has_eleven_keys_and_is_what_the_order_then_does() {
    let stage = Stage::open().await;
    let quoted = quote(&stage, &stage.pool, &ask(stage.pool.yes, "BUY", 10.0)).await;
    assert_eq!(
        keys(&quoted),
        [
            "amount",
            "completeFill",
            "costOfShares",
            "currencyBaseMultiplier",
            "currentMarketPrice",
            "fee",
            "price",
            "priceImpactAbsolute",
            "profitPercentage",
            "quantity",
            "tradeGoesOverMaxLiability",
        ],
    );
    assert_eq!(quoted["currencyBaseMultiplier"], json!(1));
    assert_eq!(number(&quoted["currentMarketPrice"]), 0.5);
    assert_eq!(
        (&quoted["completeFill"], &quoted["tradeGoesOverMaxLiability"]),
        (&json!(true), &json!(false))
    );

    let order = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    assert_eq!((&order["quantity"], &order["amount"]), (&quoted["quantity"], &quoted["amount"]));
    assert_eq!(order["fee"], quoted["fee"]);
}

#[tokio::test]
async fn a_quote_in_naira_counts_a_hundred_for_a_share() {
    let stage = Stage::open().await;
    let mut body = ask(stage.pool.yes, "BUY", 1_000.0);
    body["currency"] = json!("NGN");
    let naira = quote(&stage, &stage.pool, &body).await;
    let dollars = quote(&stage, &stage.pool, &ask(stage.pool.yes, "BUY", 10.0)).await;
    assert_eq!(naira["currencyBaseMultiplier"], json!(100));
    assert_eq!((&naira["quantity"], &naira["price"]), (&dollars["quantity"], &dollars["price"]));
}

#[tokio::test]
async fn a_quote_on_a_book_shows_whether_all_of_it_fills() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.no, "BUY", 50.0, 0.50)).await;
    let part = quote(&stage, &stage.book, &ask(stage.book.yes, "BUY", 25.5)).await;
    assert_eq!(part["completeFill"], true);
    assert_eq!(
        (number(&part["quantity"]), number(&part["costOfShares"]), number(&part["fee"])),
        (50.0, 25.0, 0.5)
    );
    let all = quote(&stage, &stage.book, &ask(stage.book.yes, "BUY", 200.0)).await;
    assert_eq!((&all["completeFill"], number(&all["quantity"])), (&json!(false), 100.0));
}

#[tokio::test]
async fn a_quote_in_the_callers_name_leaves_the_callers_own_orders_out() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.no, "BUY", 50.0, 0.50)).await;
    let body = ask(stage.book.yes, "BUY", 10.0);
    let named = stage.ask(post(&stage.book.quote()).json(&body).named(&stage.alice.key)).await.expect(200);
    assert_eq!((number(&named["quantity"]), &named["completeFill"]), (0.0, &json!(false)));
    let others = stage.ask(post(&stage.book.quote()).json(&body).named(&stage.bob.key)).await.expect(200);
    assert_eq!(others, quote(&stage, &stage.book, &body).await);
}

#[tokio::test]
async fn a_signature_on_a_quote_is_ignored_right_or_wrong() {
    let stage = Stage::open().await;
    let body = ask(stage.pool.yes, "BUY", 10.0);
    let plain = quote(&stage, &stage.pool, &body).await;
    let draft = post(&stage.pool.quote()).json(&body);
    let wrong = stage.alice.key.with_secret("sk_live_wrong");
    for draft in [
        draft.clone().signed(&stage.alice.key, stage.now_seconds()),
        draft.clone().signed(&wrong, 0),
        draft.clone().header("x-signature", "?").header("x-timestamp", "never"),
    ] {
        assert_eq!(stage.ask(draft).await.expect(200), plain);
    }
    let unknown = draft.header("x-public-key", "pk_live_unknown");
    stage.ask(unknown).await.unauthorized("unauthorized", "unknown_key");
}

#[tokio::test]
async fn a_quote_for_what_is_not_there_is_not_found() {
    let stage = Stage::open().await;
    let body = ask(stage.book.yes, "BUY", 10.0);
    let other = Market { event: stage.pool.event, ..stage.book.clone() };
    let unknown = Market { market: Uuid::now_v7(), ..stage.book.clone() };
    for path in [other.quote(), unknown.quote(), "/v1/pm/events/x/markets/y/quote".to_owned()] {
        stage.ask(post(&path).json(&body)).await.refused(404, "not_found");
    }
    let outcome = ask(stage.pool.yes, "BUY", 10.0);
    stage.ask(post(&stage.book.quote()).json(&outcome)).await.refused(404, "not_found");
    stage
        .ask(post(&stage.hidden.quote()).json(&ask(stage.hidden.yes, "BUY", 1.0)))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_malformed_quote_is_refused() {
    let stage = Stage::open().await;
    let good = ask(stage.book.yes, "BUY", 10.0);
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body
    };
    let bodies = [
        json!({}),
        with("side", json!("HOLD")),
        with("side", json!(null)),
        with("outcomeId", json!("x")),
        with("amount", json!("10")),
        with("amount", json!(0)),
        with("amount", json!(-1)),
        with("currency", json!("EUR")),
        with("quantity", json!(3)),
    ];
    for body in bodies {
        stage.ask(post(&stage.book.quote()).json(&body)).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn a_quote_with_the_fields_of_an_order_has_one_key_more_and_is_that_order() {
    let stage = Stage::open().await;
    let (book, alice, bob) = (&stage.book, &stage.alice.key, &stage.bob.key);
    stage.place(bob, book, &limit(book.no, "BUY", 50.0, 0.50)).await;
    stage.place(bob, book, &limit(book.no, "BUY", 40.0, 0.40)).await;
    let mut body = market(book.yes, "BUY", 100.0);
    body["maxSlippage"] = json!(0.05);
    let named = |body: &Value| stage.ask(post(&book.quote()).json(body).named(alice));
    let quoted = named(&body).await.expect(200);
    // The bound leaves the 100 shares at 0.50; a plain quote takes those at 0.60 too.
    assert_eq!((number(&quoted["quantity"]), number(&quoted["amount"])), (100.0, 51.0));
    assert_eq!(quoted["order"]["status"], "cancelled");
    assert_eq!(keys(&quoted["order"]), ["cancelledOrders", "cancelledSize", "hold", "restingSize", "status"]);
    let plain = quote(&stage, book, &ask(book.yes, "BUY", 100.0)).await;
    assert!(number(&plain["quantity"]) > 100.0 && plain.get("order").is_none());

    let order = stage.place(alice, book, &body).await;
    assert_eq!((&order["filledSize"], &order["fee"]), (&quoted["quantity"], &quoted["fee"]));
    assert_eq!(order["status"], quoted["order"]["status"]);
}

#[tokio::test]
async fn a_quote_of_an_order_names_its_refusal_and_shows_the_plan() {
    let stage = Stage::open().await;
    let (book, pool, alice) = (&stage.book, &stage.pool, &stage.alice.key);
    let rows = [
        (book, limit(book.yes, "BUY", 5_000.0, 0.50), "INSUFFICIENT_BALANCE"),
        (book, limit(book.yes, "SELL", 50.0, 0.50), "INSUFFICIENT_SHARES"),
        (pool, json!({"maxSlippage": 0.01}), "SLIPPAGE"),
        (pool, json!({"price": 0.51}), "PRICE_LIMIT"),
        (pool, json!({"type": "MARKET", "amount": 100_000}), "OVER_MAX_LIABILITY"),
    ];
    for (at, fields, code) in rows {
        let mut body = market(at.yes, "BUY", 200.0);
        body.as_object_mut().expect("an object").remove("type");
        body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        let quoted = stage.ask(post(&at.quote()).json(&body).named(alice)).await.expect(200);
        assert_eq!(quoted["order"]["refusal"]["code"], code, "{body}");
        assert_eq!(quoted["order"].get("status"), None, "{body}");
        if body.get("type").is_none() {
            body["type"] = json!(if body.get("price").is_some() { "LIMIT" } else { "MARKET" });
        }
        let refused = stage.write(alice, "POST", &at.orders(), &body).await.unprocessable(code);
        assert_eq!(refused["message"], quoted["order"]["refusal"]["message"], "{body}");
    }
    // Without a caller there is no wallet to check.
    let anonymous = quote(&stage, book, &limit(book.yes, "BUY", 5_000.0, 0.50)).await;
    assert_eq!(
        (&anonymous["order"]["status"], number(&anonymous["order"]["hold"])),
        (&json!("open"), 5_000.0)
    );
}

#[tokio::test]
async fn a_quote_of_an_order_in_a_wrong_form_is_refused_like_the_order() {
    let stage = Stage::open().await;
    let good = limit(stage.book.yes, "BUY", 10.0, 0.40);
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body
    };
    let bodies = [
        with("type", json!("STOP")),
        with("price", json!(0.405)),
        with("price", json!(null)),
        with("timeInForce", json!("DAY")),
        with("postOnly", json!("yes")),
        with("stpMode", json!(7)),
        with("amount", json!(0.5)),
    ];
    for body in bodies {
        let quoted = stage.ask(post(&stage.book.quote()).json(&body)).await.refused(400, "bad_request");
        let placed = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &body).await;
        assert_eq!(placed.refused(400, "bad_request")["message"], quoted["message"], "{body}");
    }
}
