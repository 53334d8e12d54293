//! Events: a page of them with filters, and one by id or by slug.

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Stage, get, has_keys, limit, market, number};
use uuid::Uuid;

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
async fn liquidity_counts_every_resting_order_at_its_own_price() {
    let stage = Stage::open().await;
    let (alice, book) = (&stage.alice.key, &stage.book);
    let shown = async || number(&stage.ask(get(&book.shown())).await.expect(200)["liquidity"]);
    // One hundred shares of NO: the order locks 99 dollars.
    let order = stage.place(alice, book, &limit(book.no, "BUY", 99.0, 0.99)).await;
    assert_eq!(shown().await, 99.0);
    stage.write(alice, "POST", &book.mint(), &json!({"quantity": 10})).await.expect(200);
    stage.place(alice, book, &limit(book.no, "SELL", 9.9, 0.99)).await;
    assert_eq!(shown().await, 108.9);
    let amend = json!({"items": [{"orderId": order["id"], "newSize": 50}]});
    stage.write(alice, "POST", "/v1/pm/orders/batch/amend", &amend).await.expect(200);
    assert_eq!(shown().await, 59.4);
    // Bob takes ten shares of the ask for ten cents.
    let taken = json!({"side": "BUY", "outcomeId": book.yes, "type": "LIMIT", "price": 0.02, "quantity": 50});
    stage.place(&stage.bob.key, book, &taken).await;
    assert_eq!(shown().await, 9.9);
}

#[tokio::test]
async fn a_closed_market_shows_the_price_that_it_was_closed_at_until_it_is_resolved() {
    let stage = Stage::open().await;
    let (alice, bob) = (&stage.alice.key, &stage.bob.key);
    for place in [&stage.book, &stage.pool] {
        stage.write(alice, "POST", &place.mint(), &json!({"quantity": 20})).await.expect(200);
    }
    stage.place(bob, &stage.book, &limit(stage.book.yes, "BUY", 1.0, 0.10)).await;
    stage.place(alice, &stage.book, &limit(stage.book.yes, "SELL", 1.0, 0.10)).await;
    stage.place(bob, &stage.book, &limit(stage.book.yes, "BUY", 9.0, 0.90)).await;
    stage.place(alice, &stage.book, &limit(stage.book.yes, "SELL", 9.2, 0.92)).await;
    stage.place(bob, &stage.pool, &market(stage.pool.yes, "BUY", 50.0)).await;
    for place in [&stage.book, &stage.pool] {
        let shown = async || {
            stage.clock.advance_seconds(1);
            let event = stage.ask(get(&place.shown())).await.expect(200);
            let past = stage.ask(get(&format!("{}/price-history", place.shown()))).await.expect(200);
            let last = past["markets"][0]["priceHistory"].as_array().and_then(|past| past.last()).cloned();
            assert_eq!(
                last.map(|point| point["p"].clone()),
                Some(event["markets"][0]["outcome1Price"].clone())
            );
            number(&event["markets"][0]["outcome1Price"])
        };
        let open = shown().await;
        let id = MarketId::new(place.market.as_u128());
        stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(id) })).await;
        assert_eq!(shown().await, open);
        stage.write(alice, "POST", &place.burn(), &json!({"quantity": 5})).await.expect(200);
        assert_eq!(shown().await, open);
        stage.operate(Command::ResolveMarket(ResolveMarket { market: id, outcome: Outcome::No })).await;
        assert_eq!(shown().await, 0.0);
    }
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
    // Unknown parameters are ignored.
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
