//! One market alone: pools, terms, halts, outcomes.

use serde_json::{Value, json};
use stage::node::{get, number, text};

use super::Office;

async fn pool_draft(office: &Office, slug: &str) -> Value {
    let description = json!({
        "slug": slug, "title": "Does it?", "type": "single", "engine": "AMM", "currencies": ["USD"],
        "category": "tests", "markets": [{"title": "It does"}],
    });
    office.post("/admin/v1/events", description).await.expect(201)
}

#[tokio::test]
async fn a_pool_is_seeded_once_and_grown_at_its_price() {
    let office = Office::open().await;
    let funds = json!({"currency": "USD", "amount": 5000, "reference": "pools"});
    office.post("/admin/v1/users/house/credit", funds).await.expect(200);
    pool_draft(&office, "pooled").await;
    office.post("/admin/v1/events/pooled/open", Value::Null).await.unprocessable("POOL_NOT_SEEDED");
    let seed = json!({"currency": "USD", "amount": 1000, "price": 0.4});
    let seeded = office.post("/admin/v1/markets/pooled/seed", seed.clone()).await.expect(200);
    assert_eq!(number(&seeded["markets"][0]["yesPrice"]), 0.4);
    office.post("/admin/v1/markets/pooled/seed", seed).await.unprocessable("POOL_ALREADY_SEEDED");
    let before = office.get("/admin/v1/events/pooled").await.expect(200);
    let grow = json!({"currency": "USD", "amount": 500});
    let grown = office.post("/admin/v1/markets/pooled:1/grow", grow).await.expect(200);
    assert_eq!(number(&grown["markets"][0]["yesPrice"]), 0.4);
    let after = office.get("/admin/v1/events/pooled").await.expect(200);
    let collateral = |event: &Value| number(&event["markets"][0]["listings"][0]["collateral"]);
    assert_eq!((collateral(&before), collateral(&after)), (1_000.0, 1_500.0));
    let wrong = json!({"currency": "NGN", "amount": 500});
    office.post("/admin/v1/markets/pooled/grow", wrong).await.unprocessable("UNSUPPORTED_CURRENCY");
}

/// Until a raise applies. Timers fire before the next request that is sequenced.
async fn pass_an_hour(office: &Office) {
    office.stage.clock.advance_seconds(3_600);
    office.send(&office.operator, "PUT", "/admin/v1/cancel-only", json!({"on": false})).await.expect(200);
}

#[tokio::test]
async fn terms_change_what_is_named_and_nothing_else() {
    let office = Office::open().await;
    let slug = &office.stage.book.slug;
    let path = format!("/admin/v1/markets/{slug}/terms");
    let set = |body: Value| office.send(&office.operator, "PUT", &path, body);
    set(json!({"minimumOrderAmount": {"USD": 5}})).await.expect(200);
    pass_an_hour(&office).await;
    let market = office.get(&format!("/admin/v1/events/{slug}")).await.expect(200)["markets"][0].clone();
    assert_eq!(market["minimumOrderAmount"], json!({"USD": 5, "NGN": 100}));
    assert_eq!(number(&market["feePercentage"]), 2.0);
    set(json!({"feePercentage": 0.25})).await.expect(200);
    let market = office.get(&format!("/admin/v1/events/{slug}")).await.expect(200)["markets"][0].clone();
    assert_eq!(market["minimumOrderAmount"], json!({"USD": 5, "NGN": 100}));
    assert_eq!(number(&market["feePercentage"]), 0.25);
    set(json!({"feePercentage": 10.01})).await.refused(400, "bad_request");
    set(json!({"minimumOrderAmount": {"USD": 0.5}})).await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_higher_fee_is_announced_an_hour_before_it_applies() {
    let office = Office::open().await;
    let stage = &office.stage;
    let path = format!("/admin/v1/markets/{}/terms", stage.book.slug);
    let public = async || {
        let event = stage.ask(get(&format!("/v1/pm/events/{}", stage.book.event))).await.expect(200);
        event["markets"][0].clone()
    };
    assert!(public().await.get("announcedTerms").is_none());
    let raise = json!({"feePercentage": 9, "minimumOrderAmount": {"USD": 7}});
    office.send(&office.operator, "PUT", &path, raise).await.expect(200);
    let shown = public().await;
    assert_eq!(number(&shown["feePercentage"]), 2.0, "nobody pays it yet");
    let announced = &shown["announcedTerms"];
    assert_eq!((number(&announced["feePercentage"]), number(&announced["minimumOrderAmount"])), (9.0, 7.0));
    pass_an_hour(&office).await;
    let shown = public().await;
    assert_eq!(number(&shown["feePercentage"]), 9.0);
    assert!(shown.get("announcedTerms").is_none());

    // Where two are required it is proposed; a draft is nobody's yet.
    office.two_required().await;
    let lower = json!({"feePercentage": 1});
    let proposed = office.send(&office.operator, "PUT", &path, lower.clone()).await.expect(202);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(number(&public().await["feePercentage"]), 1.0, "a lower fee applies at once");
    office.draft("young", "single", &["One"]).await;
    office.send(&office.operator, "PUT", "/admin/v1/markets/young/terms", lower).await.expect(200);
}

#[tokio::test]
async fn every_read_of_a_market_shows_what_is_announced() {
    let office = Office::open().await;
    let (stage, book) = (&office.stage, &office.stage.book);
    let raise = json!({"feePercentage": 9, "minimumOrderAmount": {"USD": 7, "NGN": 800}});
    let path = format!("/admin/v1/markets/{}/terms", book.slug);
    office.send(&office.operator, "PUT", &path, raise).await.expect(200);
    let (id, slug) = (book.event.to_string(), &book.slug);
    let known = office.get(&format!("/admin/v1/events/{slug}")).await.expect(200);
    let from = &known["markets"][0]["announcedTerms"]["from"];
    for (currency, least) in [("USD", 7.0), ("NGN", 800.0)] {
        for path in [
            format!("/v1/pm/events?currency={currency}"),
            format!("/v1/pm/events?keyword=book&currency={currency}"),
            format!("/v1/pm/events?trending=true&currency={currency}"),
            format!("/v1/pm/events/{id}?currency={currency}"),
            format!("/v1/pm/events/slug/{slug}?currency={currency}"),
        ] {
            let body = stage.ask(get(&path)).await.expect(200);
            let event = match body["events"].as_array() {
                Some(events) => events.iter().find(|event| event["id"] == *id).cloned().unwrap_or_default(),
                None => body,
            };
            let announced = &event["markets"][0]["announcedTerms"];
            let shown = (number(&announced["feePercentage"]), number(&announced["minimumOrderAmount"]));
            assert_eq!(shown, (9.0, least), "{path}");
            assert_eq!(text(&announced["from"]), text(from), "{path}");
        }
    }
}

#[tokio::test]
async fn a_pool_grows_at_the_prices_that_its_growth_is_for() {
    let office = Office::open().await;
    let path = format!("/admin/v1/markets/{}/grow", office.stage.pool.slug);
    let grow = |low: f64, high: f64| {
        let body = json!({"currency": "USD", "amount": 10, "yesPriceMin": low, "yesPriceMax": high});
        office.post(&path, body)
    };
    grow(0.6, 0.7).await.unprocessable("PRICE_OUTSIDE_RANGE");
    grow(0.5, 0.5).await.expect(200);
}

#[tokio::test]
async fn one_market_stops_and_ends_without_its_siblings() {
    let office = Office::open().await;
    office.draft("apart", "grouped", &["One", "Two"]).await;
    office.post("/admin/v1/events/apart/open", Value::Null).await.expect(200);
    let statuses = |event: &Value| -> Vec<String> {
        let markets = event["markets"].as_array().expect("markets");
        markets.iter().map(|market| text(&market["status"]).to_owned()).collect()
    };
    for (action, expected) in [("pause", "paused"), ("resume", "open"), ("close", "closed")] {
        let path = format!("/admin/v1/markets/apart:1/{action}");
        assert_eq!(statuses(&office.post(&path, Value::Null).await.expect(200)), [expected, "open"]);
    }
    let resolved =
        office.post("/admin/v1/markets/apart:1/resolve", json!({"outcome": "YES"})).await.expect(200);
    assert_eq!(statuses(&resolved), ["resolved", "open"]);
    let cancelled =
        office.post("/admin/v1/markets/apart:2/cancel", json!({"yesPrice": 0.2})).await.expect(200);
    assert_eq!(
        (statuses(&cancelled), &cancelled["status"]),
        (vec!["resolved".to_owned(), "cancelled".to_owned()], &json!("resolved"))
    );
    for unclear in ["apart", "apart:0", "apart:3", "apart:x", "nothing", "nothing:1"] {
        let path = format!("/admin/v1/markets/{unclear}/pause");
        office.post(&path, Value::Null).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn a_winner_of_a_combined_event_ends_all_its_markets() {
    let office = Office::open().await;
    office.draft("race", "combined", &["One", "Two", "Three"]).await;
    office.post("/admin/v1/events/race/open", Value::Null).await.expect(200);
    office
        .post("/admin/v1/markets/race:2/resolve", json!({"outcome": "YES"}))
        .await
        .unprocessable("STATUS_NOT_ALLOWED");
    office.post("/admin/v1/markets/race:2/close", Value::Null).await.expect(200);
    let resolved =
        office.post("/admin/v1/markets/race:2/resolve", json!({"outcome": "YES"})).await.expect(200);
    assert_eq!(resolved["status"], "resolved");
    assert!(
        resolved["markets"].as_array().expect("markets").iter().all(|market| market["status"] == "resolved")
    );
}
