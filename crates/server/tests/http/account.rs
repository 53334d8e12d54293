//! A user's positions and money.

use serde_json::json;
use stage::node::{Stage, has_keys, limit, number};

#[tokio::test]
async fn the_wallet_has_both_currencies_and_shows_what_orders_hold() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let body = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    let assets = body["assets"].as_array().expect("assets");
    assert_eq!(assets.len(), 2);
    let wanted = [
        "id",
        "symbol",
        "userId",
        "network",
        "availableBalance",
        "pendingBalance",
        "depositActivity",
        "withdrawalActivity",
        "wagerActivity",
        "isDefault",
        "isLocalCurrencyAsset",
        "addresses",
        "currencyBaseMultiplier",
        "createdAt",
        "updatedAt",
    ];
    assets.iter().for_each(|asset| has_keys(asset, &wanted));
    let (usd, ngn) = (&assets[0], &assets[1]);
    assert_eq!((&usd["symbol"], &ngn["symbol"]), (&json!("USD"), &json!("NGN")));
    assert_eq!((number(&usd["availableBalance"]), number(&usd["pendingBalance"])), (960.0, 40.0));
    assert_eq!((number(&ngn["availableBalance"]), number(&ngn["pendingBalance"])), (100_000.0, 0.0));
    assert_eq!((&usd["currencyBaseMultiplier"], &ngn["currencyBaseMultiplier"]), (&json!(1), &json!(100)));
    assert_eq!(usd["userId"], stage.alice.id.to_string());
}

#[tokio::test]
async fn the_portfolio_shows_every_outcome_held_with_totals_over_all_rows() {
    let stage = Stage::open().await;
    let empty = stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
    assert_eq!(empty["outcomeBalances"], json!([]));
    assert_eq!(empty["pagination"], json!({"page": 1, "size": 100, "lastPage": 1, "totalCount": 0}));

    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 60.0, 0.60)).await;
    let body = stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
    has_keys(
        &body,
        &[
            "outcomeBalances",
            "pagination",
            "portfolioCost",
            "portfolioCurrentValue",
            "portfolioPercentageChange",
        ],
    );
    assert_eq!((body["pagination"]["totalCount"].as_u64(), number(&body["portfolioCost"])), (Some(1), 40.0));
    let row = &body["outcomeBalances"][0];
    assert_eq!((&row["outcome"], &row["currency"]), (&json!("YES"), &json!("USD")));
    assert_eq!(row["outcomeId"], stage.book.yes.to_string());
    let held = ["balance", "availableBalance", "averagePrice", "cost", "payoutIfOutcomeWins"]
        .map(|key| number(&row[key]));
    assert_eq!(held, [100.0, 100.0, 0.4, 40.0, 100.0]);
    assert_eq!(row["market"]["id"], stage.book.market.to_string());
    assert_eq!(row["market"]["event"]["engine"], "CLOB");
    assert_eq!(row["userId"], stage.alice.id.to_string());

    let bobs = stage.read(&stage.bob.key, "/v1/pm/portfolio").await.expect(200);
    let row = &bobs["outcomeBalances"][0];
    assert_eq!((&row["outcome"], number(&row["balance"])), (&json!("NO"), 100.0));
}

#[tokio::test]
async fn the_portfolio_filters_and_pages() {
    let stage = Stage::open().await;
    for path in [stage.book.mint(), stage.pool.mint()] {
        stage.write(&stage.alice.key, "POST", &path, &json!({"quantity": 10})).await.expect(200);
    }
    let naira = json!({"quantity": 1000, "currency": "NGN"});
    stage.write(&stage.alice.key, "POST", &stage.book.mint(), &naira).await.expect(200);
    let count = async |query: &str| {
        let body = stage.read(&stage.alice.key, &format!("/v1/pm/portfolio{query}")).await.expect(200);
        (body["outcomeBalances"].as_array().map(Vec::len), body["pagination"]["totalCount"].as_u64())
    };
    assert_eq!(count("").await, (Some(6), Some(6)));
    assert_eq!(count("?currency=NGN").await, (Some(2), Some(2)));
    assert_eq!(count(&format!("?marketId={}", stage.pool.market)).await, (Some(2), Some(2)));
    assert_eq!(count(&format!("?eventId={}&currency=USD", stage.book.event)).await, (Some(2), Some(2)));
    assert_eq!(count("?size=4&page=2").await, (Some(2), Some(6)));
    for query in ["?size=101", "?page=0", "?currency=EUR", "?marketId=x"] {
        stage.read(&stage.alice.key, &format!("/v1/pm/portfolio{query}")).await.refused(400, "bad_request");
    }
}
