//! Series, and the recent events of one.

use exchange::catalogue::{Interval, SeriesCategory};
use serde_json::{Value, json};
use stage::node::{Stage, get, keys, text};

const SERIES: &str = "/v1/pm/events/series";

#[tokio::test]
async fn series_are_listed_in_the_order_they_were_made() {
    let stage = Stage::open().await;
    let empty = stage.ask(get(SERIES)).await.expect(200);
    assert_eq!(
        empty,
        json!({"series": [], "pagination": {"page": 1, "size": 50, "lastPage": 1, "totalCount": 0}})
    );
    stage.create_series("fx-eurusd-15min", SeriesCategory::Currency, Interval::FifteenMinute, "EURUSD").await;
    stage.clock.advance_seconds(1);
    stage.create_series("crypto-btc-1h", SeriesCategory::Crypto, Interval::Hourly, "BTC").await;
    let shown = stage.ask(get(SERIES)).await.expect(200);
    assert_eq!(shown["pagination"], json!({"page": 1, "size": 50, "lastPage": 1, "totalCount": 2}));
    let first = &shown["series"][0];
    assert_eq!(
        keys(first),
        [
            "assetSymbol",
            "automationType",
            "category",
            "description",
            "displayName",
            "iconUrl",
            "id",
            "intervalType",
            "slug"
        ]
    );
    let words = |series: &Value| {
        ["slug", "category", "intervalType", "assetSymbol", "automationType", "iconUrl"]
            .map(|key| text(&series[key]).to_owned())
    };
    assert_eq!(
        words(first),
        [
            "fx-eurusd-15min",
            "CURRENCY",
            "FIFTEEN_MINUTE",
            "EURUSD",
            "CURRENCY_PRICE_UP_DOWN_FIFTEEN_MINUTE",
            "/icons/EURUSD.svg"
        ]
    );
    assert_eq!(
        words(&shown["series"][1]),
        ["crypto-btc-1h", "CRYPTO", "HOURLY", "BTC", "CRYPTO_PRICE_UP_DOWN_HOURLY", "/icons/BTC.svg"]
    );
    let second = stage.ask(get(&format!("{SERIES}?size=1&page=2"))).await.expect(200);
    assert_eq!(second["series"], json!([shown["series"][1]]));
    assert_eq!(second["pagination"], json!({"page": 2, "size": 1, "lastPage": 2, "totalCount": 2}));
    for query in ["size=101", "size=0", "page=0", "page=x"] {
        stage.ask(get(&format!("{SERIES}?{query}"))).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn lean_events_are_the_last_twenty_oldest_first() {
    let stage = Stage::open().await;
    stage.create_series("fx-eurusd-15min", SeriesCategory::Currency, Interval::FifteenMinute, "EURUSD").await;
    stage.create_series("crypto-btc-1h", SeriesCategory::Crypto, Interval::Hourly, "BTC").await;
    let path = format!("{SERIES}/fx-eurusd-15min/lean-events");
    assert_eq!(stage.ask(get(&path)).await.expect(200), json!([]));
    for value in 1..=22 {
        stage.pass_boundary(Interval::FifteenMinute, "EURUSD", value).await;
    }
    // The route ignores `page` and `size`.
    let shown = stage.ask(get(&format!("{path}?page=2&size=3"))).await.expect(200);
    let events = shown.as_array().expect("a bare array");
    assert_eq!(events.len(), 20);
    assert_eq!(keys(&events[0]), ["closingDate", "id", "openingDate", "resolutionDate", "title"]);
    let dates = |event: &Value| {
        ["openingDate", "closingDate", "resolutionDate"].map(|key| text(&event[key]).to_owned())
    };
    assert_eq!(dates(&events[0]), ["2030-01-01T00:45:00Z", "2030-01-01T01:00:00Z", "2030-01-01T01:01:00Z"]);
    assert_eq!(dates(&events[19]), ["2030-01-01T05:30:00Z", "2030-01-01T05:45:00Z", "2030-01-01T05:46:00Z"]);
    assert!(events.is_sorted_by_key(|event| text(&event["openingDate"]).to_owned()), "{shown}");
    let last = format!("/v1/pm/events/{}", text(&events[19]["id"]));
    let event = stage.ask(get(&last)).await.expect(200);
    assert_eq!((text(&event["seriesSlug"]), text(&event["status"])), ("fx-eurusd-15min", "open"));
    let refused = stage.ask(get(&format!("{SERIES}/no-such/lean-events"))).await.refused(404, "not_found");
    assert_eq!(refused["message"], "Series not found");
}

#[tokio::test]
async fn the_words_series_and_slug_are_no_event_ids() {
    let stage = Stage::open().await;
    stage.ask(get(SERIES)).await.expect(200);
    stage.ask(get(&format!("/v1/pm/events/slug/{}", stage.book.slug))).await.expect(200);
    let refused = stage.ask(get("/v1/pm/events/slug")).await.refused(404, "not_found");
    assert_eq!(refused["message"], "Event not found");
    let refused = stage.ask(get("/v1/pm/events/slug/series")).await.refused(404, "not_found");
    assert_eq!(refused["message"], "Event not found");
}
