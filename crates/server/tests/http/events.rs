//! Events: a page of them with filters, and one by id or by slug.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{Stage, get, has_keys, limit, number};

const EVENTS: &str = "/v1/pm/events";
const EVENT_KEYS: [&str; 16] = [
    "id",
    "slug",
    "title",
    "category",
    "type",
    "engine",
    "status",
    "resolutionDate",
    "closingDate",
    "liquidity",
    "totalVolume",
    "totalOrders",
    "supportedCurrencies",
    "userWatchlisted",
    "markets",
    "createdAt",
];
const MARKET_KEYS: [&str; 15] = [
    "id",
    "title",
    "status",
    "outcome1Id",
    "outcome2Id",
    "outcome1Label",
    "outcome2Label",
    "outcome1Price",
    "outcome2Price",
    "yesBuyPrice",
    "noBuyPrice",
    "minimumOrderAmount",
    "feePercentage",
    "totalOrders",
    "rules",
];

async fn slugs(stage: &Stage, query: &str) -> Vec<String> {
    let body = stage.ask(get(&format!("{EVENTS}?{query}"))).await.expect(200);
    let events = body["events"].as_array().expect("events");
    events.iter().map(|event| event["slug"].as_str().expect("a slug").to_owned()).collect()
}

#[tokio::test]
async fn an_event_is_shown_with_its_markets_by_id_and_by_slug() {
    let stage = Stage::open().await;
    let event = stage.ask(get(&stage.book.shown())).await.expect(200);
    has_keys(&event, &EVENT_KEYS);
    has_keys(&event["markets"][0], &MARKET_KEYS);
    assert_eq!(event["id"], stage.book.event.to_string());
    assert_eq!(
        (&event["engine"], &event["type"], &event["status"]),
        (&json!("CLOB"), &json!("single"), &json!("open"))
    );
    assert_eq!(event["supportedCurrencies"], json!(["USD", "NGN"]));
    assert_eq!((&event["closingDate"], &event["resolutionDate"]), (&json!(""), &json!("")));
    let market = &event["markets"][0];
    assert_eq!(market["outcome1Id"], stage.book.yes.to_string());
    assert_eq!(market["outcome2Id"], stage.book.no.to_string());
    assert_eq!((number(&market["outcome1Price"]), number(&market["outcome2Price"])), (0.5, 0.5));
    assert_eq!((number(&market["feePercentage"]), number(&market["minimumOrderAmount"])), (2.0, 1.0));

    let by_slug = stage.ask(get(&format!("{EVENTS}/slug/{}", stage.book.slug))).await.expect(200);
    assert_eq!(by_slug, event);
}

#[tokio::test]
async fn the_currency_picks_whose_prices_and_minimums_are_shown() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 4.0, 0.20)).await;
    let show =
        async |query: &str| stage.ask(get(&format!("{}{query}", stage.book.shown()))).await.expect(200);
    let (usd, ngn) = (show("").await, show("?currency=NGN").await);
    assert_eq!((number(&usd["liquidity"]), number(&ngn["liquidity"])), (44.0, 0.0));
    assert_eq!(number(&ngn["markets"][0]["minimumOrderAmount"]), 100.0);
    assert_eq!(show("?currency=USD").await, usd);
    let refused =
        stage.ask(get(&format!("{}?currency=EUR", stage.book.shown()))).await.refused(400, "bad_request");
    assert!(
        refused["message"].as_str().is_some_and(|message| message.starts_with("currency: ")),
        "{refused}"
    );
}

#[tokio::test]
async fn an_event_that_is_unknown_or_a_draft_is_not_found() {
    let stage = Stage::open().await;
    let paths = [
        format!("{EVENTS}/{}", Uuid::now_v7()),
        format!("{EVENTS}/not-an-id"),
        stage.hidden.shown(),
        format!("{EVENTS}/slug/{}", stage.hidden.slug),
        format!("{EVENTS}/slug/no-such-slug"),
    ];
    for path in paths {
        let body = stage.ask(get(&path)).await.expect(404);
        assert_eq!(
            body,
            json!({"error": "not_found", "message": "Event not found", "statusCode": 404}),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_list_is_paged_newest_first_and_leaves_drafts_out() {
    let stage = Stage::open().await;
    let body = stage.ask(get(EVENTS)).await.expect(200);
    assert_eq!(body["pagination"], json!({"page": 1, "size": 20, "lastPage": 1, "totalCount": 2}));
    has_keys(&body["events"][0], &EVENT_KEYS);
    assert_eq!(slugs(&stage, "").await, ["the-pool", "the-book"]);
    assert_eq!(slugs(&stage, "size=1&page=2").await, ["the-book"]);
    let second = stage.ask(get(&format!("{EVENTS}?size=1&page=2"))).await.expect(200);
    assert_eq!(second["pagination"], json!({"page": 2, "size": 1, "lastPage": 2, "totalCount": 2}));
    let beyond = stage.ask(get(&format!("{EVENTS}?page=4294967295"))).await.expect(200);
    assert_eq!(beyond["events"], json!([]));
}

#[tokio::test]
async fn an_empty_list_has_one_last_page() {
    let stage = Stage::open().await;
    let body = stage.ask(get(&format!("{EVENTS}?keyword=nothing-like-it"))).await.expect(200);
    assert_eq!(
        body,
        json!({"events": [], "pagination": {"page": 1, "size": 20, "lastPage": 1, "totalCount": 0}}),
    );
}

#[tokio::test]
async fn the_list_filters_by_every_parameter() {
    let stage = Stage::open().await;
    let both = ["the-pool", "the-book"];
    assert_eq!(slugs(&stage, "keyword=BOOK%20hold").await, ["the-book"]);
    assert_eq!(slugs(&stage, "keyword=the+pool").await, ["the-pool"]);
    assert_eq!(slugs(&stage, "category=Politics").await, both);
    assert_eq!(slugs(&stage, "category=sports").await, [""; 0]);
    assert_eq!(slugs(&stage, "subcategory=x").await, [""; 0]);
    assert_eq!(slugs(&stage, "status=open").await, both);
    assert_eq!(slugs(&stage, "status=draft").await, [""; 0]);
    assert_eq!(slugs(&stage, "engine=AMM").await, ["the-pool"]);
    assert_eq!(slugs(&stage, "type=single").await, both);
    assert_eq!(slugs(&stage, "type=grouped").await, [""; 0]);
    assert_eq!(slugs(&stage, "seriesSlug=none").await, [""; 0]);
    assert_eq!(slugs(&stage, "sportGameSlug=none").await, [""; 0]);
    assert_eq!(slugs(&stage, "currency=NGN").await, both);
    assert_eq!(slugs(&stage, "watchlist=true").await, [""; 0]);
    // What is not a parameter of ours is ignored.
    assert_eq!(slugs(&stage, "limit=1&cursor=x").await, both);
}

#[tokio::test]
async fn trending_puts_the_largest_volume_first() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 60.0, 0.60)).await;
    assert_eq!(slugs(&stage, "trending=true").await, ["the-book", "the-pool"]);
    assert_eq!(slugs(&stage, "trending=false").await, ["the-pool", "the-book"]);
}

#[tokio::test]
async fn a_page_or_a_filter_out_of_range_is_refused() {
    let stage = Stage::open().await;
    let queries = [
        "size=101",
        "size=0",
        "page=0",
        "page=-1",
        "page=x",
        "size=1.5",
        "page=4294967296",
        "status=ajar",
        "engine=MANUAL",
        "type=double",
        "trending=perhaps",
        "page=1&page=2",
        "keyword=%ff",
        "keyword=%2",
    ];
    for query in queries {
        stage.ask(get(&format!("{EVENTS}?{query}"))).await.refused(400, "bad_request");
    }
    let long = "x".repeat(101);
    stage.ask(get(&format!("{EVENTS}?keyword={long}"))).await.refused(400, "bad_request");
}

#[tokio::test]
async fn prices_follow_the_book_and_sum_to_one() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 40.0, 0.50)).await;
    let event: Value = stage.ask(get(&stage.book.shown())).await.expect(200);
    let market = &event["markets"][0];
    assert_eq!((number(&market["outcome1Price"]), number(&market["outcome2Price"])), (0.45, 0.55));
    assert_eq!((number(&market["yesBuyPrice"]), number(&market["noBuyPrice"])), (0.5, 0.6));
    assert_eq!(event["totalOrders"], 2);
}
