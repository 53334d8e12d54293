//! Series, and prices that an operator pushes.

use exchange::catalogue::{Interval, SeriesCategory};
use serde_json::{Value, json};
use stage::node::{get, has_keys, number, text};

use super::Office;

#[tokio::test]
async fn a_series_is_made_paused_and_resumed() {
    let office = Office::open().await;
    let funds = json!({"currency": "USD", "amount": 500, "reference": "seeds"});
    office.post("/admin/v1/users/house/credit", funds).await.expect(200);
    let description = json!({
        "slug": "btc-1h", "displayName": "Bitcoin hourly", "category": "CRYPTO", "interval": "HOURLY",
        "assetSymbol": "BTC", "engine": "AMM", "currencies": ["USD"], "feePercentage": 1, "seed": {"USD": 50},
    });
    let made = office.post("/admin/v1/series", description.clone()).await.expect(201);
    has_keys(&made, &["seriesId", "slug", "displayName", "interval", "nextStart", "createdAt", "seed"]);
    assert_eq!((&made["paused"], &made["seed"]["USD"]), (&json!(false), &json!(50)));
    office.post("/admin/v1/series", description.clone()).await.unprocessable("DUPLICATE_SLUG");
    let paused = office.post("/admin/v1/series/btc-1h/pause", Value::Null).await.expect(200);
    assert_eq!(paused["paused"], true);
    assert_eq!(office.get("/admin/v1/series").await.expect(200)["series"][0]["paused"], true);
    let resumed = office.post("/admin/v1/series/btc-1h/resume", Value::Null).await.expect(200);
    assert_eq!(resumed["paused"], false);
    let mut without_seed = description;
    without_seed["slug"] = json!("btc-2");
    without_seed["seed"] = json!({});
    office.post("/admin/v1/series", without_seed).await.refused(400, "bad_request");
    office.post("/admin/v1/series/none/pause", Value::Null).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_pushed_price_is_listed_and_moves_a_series() {
    let office = Office::open().await;
    office.stage.create_series("eth-15m", SeriesCategory::Crypto, Interval::FifteenMinute, "ETH").await;
    let push = |value: Value| office.post("/admin/v1/feeds/ETH/push", json!({"value": value}));
    let listed = push(json!(2500.25)).await.expect(200)["assets"][0].clone();
    assert_eq!((&listed["symbol"], number(&listed["value"])), (&json!("ETH"), 2_500.25));
    assert_eq!(listed["source"], "push");
    has_keys(&listed, &["sourceTime", "recordedAt"]);
    assert_eq!(office.get("/admin/v1/feeds").await.expect(200)["assets"][0], listed);

    // The current price at the beginning of an interval opens its event.
    office.stage.clock.advance_seconds(15 * 60 - office.stage.now_seconds() % (15 * 60) - 2);
    push(json!(2600)).await.expect(200);
    office.stage.clock.advance_seconds(1);
    push(json!(2700)).await.expect(200);
    let events = office.get("/admin/v1/events?keyword=eth-15m").await.expect(200);
    assert_eq!(events["events"][0]["status"], "open", "{events}");
    for wrong in [json!({"value": 0}), json!({"value": -1}), json!({}), json!({"value": 1, "source": ""})] {
        office.post("/admin/v1/feeds/ETH/push", wrong).await.refused(400, "bad_request");
    }
    office.post("/admin/v1/feeds/eth/push", json!({"value": 1})).await.refused(400, "bad_request");
    let late = json!({"value": 1, "sourceTime": "2035-01-01T00:00:00Z"});
    office.post("/admin/v1/feeds/ETH/push", late).await.refused(400, "bad_request");
}

#[tokio::test]
async fn two_sources_that_disagree_raise_an_alert_and_two_that_agree_are_shown_on_the_event() {
    let office = Office::open().await;
    let description = json!({
        "slug": "gold-15m", "displayName": "Gold", "category": "FINANCE", "interval": "FIFTEEN_MINUTE",
        "assetSymbol": "XAU", "engine": "CLOB", "currencies": ["USD"], "sources": ["push:one", "push:other"],
        "tolerancePpm": 1_000,
    });
    let made = office.post("/admin/v1/series", description).await.expect(201);
    assert_eq!(
        (&made["sources"], &made["tolerancePpm"]),
        (&json!(["push:one", "push:other"]), &json!(1_000))
    );
    assert_eq!(made["alerts"], json!([]));
    let clock = &office.stage.clock;
    let next_boundary = || clock.advance_seconds(15 * 60 - office.stage.now_seconds() % (15 * 60));
    let push = |source: &'static str, value: Value| {
        office.post("/admin/v1/feeds/XAU/push", json!({"value": value, "source": source}))
    };

    next_boundary();
    clock.advance_seconds(-3);
    push("one", json!(2400)).await.expect(200);
    push("other", json!(2403)).await.expect(200);
    clock.advance_seconds(4);
    push("one", json!(2400)).await.expect(200);
    let listed = office.get("/admin/v1/series").await.expect(200)["series"][0].clone();
    assert_eq!(listed["alerts"][0]["reason"], "sources_disagree", "{listed}");

    next_boundary();
    clock.advance_seconds(-3);
    push("one", json!(2400)).await.expect(200);
    push("other", json!(2402.4)).await.expect(200);
    clock.advance_seconds(4);
    push("one", json!(2500)).await.expect(200);
    let events = office.get("/admin/v1/events?keyword=gold-15m").await.expect(200);
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1), "{events}");
    let id = text(&events["events"][0]["eventId"]);
    let told = office.stage.ask(get(&format!("/v1/pm/events/{id}/resolution"))).await.expect(200);
    let series = &told["series"];
    assert_eq!((&series["assetSymbol"], number(&series["threshold"])), (&json!("XAU"), 2_400.0));
    let samples = series["openSamples"].as_array().expect("samples");
    let sources: Vec<_> =
        samples.iter().map(|sample| (&sample["source"], number(&sample["value"]))).collect();
    assert_eq!(sources, [(&json!("one"), 2_400.0), (&json!("other"), 2_402.4)]);
    has_keys(&samples[0], &["sourceTime", "recordedAt"]);
    assert_eq!(series["closeSamples"], json!([]));
}

#[tokio::test]
async fn cancel_only_lets_nothing_new_in() {
    let office = Office::open().await;
    let stage = &office.stage;
    let order = stage::node::limit(stage.book.yes, "BUY", 4.0, 0.40);
    let placed = stage.place(&stage.alice.key, &stage.book, &order).await;
    let set = |on: bool| office.send(&office.operator, "PUT", "/admin/v1/cancel-only", json!({"on": on}));
    assert_eq!(set(true).await.expect(200), json!({"on": true, "causes": ["operator"]}));
    assert_eq!(office.get("/admin/v1/status").await.expect(200)["cancelOnly"], json!(["operator"]));
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order).await;
    assert_eq!(refused.refused(503, "service_unavailable")["code"], "CANCEL_ONLY");
    let cancel = format!("/v1/pm/orders/{}", text(&placed["id"]));
    stage.write_empty(&stage.alice.key, "DELETE", &cancel).await.expect(200);
    assert_eq!(set(false).await.expect(200), json!({"on": false, "causes": []}));
    stage.place(&stage.alice.key, &stage.book, &order).await;
}

#[tokio::test]
async fn results_by_pushed_prices_wait_for_another_person_and_are_finalised_together() {
    let office = Office::open().await;
    office.two_required().await;
    let description = json!({
        "slug": "oil-15m", "displayName": "Oil", "category": "FINANCE", "interval": "FIFTEEN_MINUTE",
        "assetSymbol": "OIL", "engine": "CLOB", "currencies": ["USD"], "sources": ["push:desk"],
    });
    office.post("/admin/v1/series", description).await.expect(201);
    let clock = &office.stage.clock;
    for price in [70, 71, 72] {
        clock.advance_seconds(15 * 60 - office.stage.now_seconds() % (15 * 60) - 3);
        let pushed = json!({"value": price, "source": "desk"});
        office.post("/admin/v1/feeds/OIL/push", pushed).await.expect(200);
        clock.advance_seconds(4);
        office.post("/admin/v1/feeds/OTHER/push", json!({"value": 1})).await.expect(200);
    }
    clock.advance_seconds(61);
    office.post("/admin/v1/feeds/OTHER/push", json!({"value": 1})).await.expect(200);
    let waiting = office.get("/admin/v1/proposals").await.expect(200);
    let rows = waiting["proposals"].as_array().expect("rows");
    assert_eq!(rows.len(), 2, "{waiting}");
    assert!(
        rows.iter().all(|row| row["seriesSlug"] == "oil-15m" && row["proposedBy"] == "otto"),
        "{waiting}"
    );
    let finalise = "/admin/v1/series/oil-15m/finalise";
    office.post(finalise, Value::Null).await.refused(403, "forbidden");
    let done = office.send(&office.second, "POST", finalise, Value::Null).await.expect(200);
    assert_eq!(done, json!({"finalised": 2}));
    let left = office.get("/admin/v1/proposals").await.expect(200);
    assert_eq!(left["proposals"], json!([]));
}

#[tokio::test]
async fn a_series_whose_seed_is_above_the_caps_is_proposed() {
    let office = Office::open().await;
    office.two_required().await;
    let series = |slug: &str, seed: u32| {
        json!({
            "slug": slug, "displayName": "Bitcoin", "category": "CRYPTO", "interval": "DAILY",
            "assetSymbol": "BTC", "engine": "AMM", "currencies": ["USD"], "seed": {"USD": seed},
        })
    };
    let most =
        office.get("/admin/v1/policy").await.expect(200)["entryMax"]["USD"].as_u64().expect("a cap") as u32;
    office.post("/admin/v1/series", series("small", most)).await.expect(201);
    let proposed = office.post("/admin/v1/series", series("large", most + 1)).await.expect(202);
    let listed = office.get("/admin/v1/series").await.expect(200);
    assert_eq!(listed["series"].as_array().map(Vec::len), Some(1), "{listed}");
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(office.get("/admin/v1/series").await.expect(200)["series"].as_array().map(Vec::len), Some(2));
}
