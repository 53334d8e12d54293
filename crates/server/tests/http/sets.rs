//! Minting and burning complete sets.

use exchange::command::{Command, PauseTrading, Target};
use exchange::id::MarketId;
use serde_json::{Value, json};
use stage::node::{Stage, keys, number};
use uuid::Uuid;

async fn wallet(stage: &Stage, symbol: &str) -> (f64, f64) {
    let body = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    let assets = body["assets"].as_array().expect("assets");
    let asset = assets.iter().find(|asset| asset["symbol"] == symbol).expect("a wallet");
    (number(&asset["availableBalance"]), number(&asset["pendingBalance"]))
}

async fn sets(stage: &Stage, path: &str, body: Value) -> stage::node::Answered {
    stage.write(&stage.alice.key, "POST", path, &body).await
}

#[tokio::test]
async fn minting_makes_pairs_and_leaves_the_price_alone() {
    let stage = Stage::open().await;
    let minted = sets(&stage, &stage.book.mint(), json!({"quantity": 25})).await.expect(200);
    assert_eq!(keys(&minted), ["marketId", "operationId", "outcome1Price", "outcome2Price", "quantity"]);
    assert_eq!(minted["marketId"], stage.book.market.to_string());
    assert_eq!((number(&minted["quantity"]), number(&minted["outcome1Price"])), (25.0, 0.5));
    assert_eq!(wallet(&stage, "USD").await, (975.0, 0.0));

    let naira =
        sets(&stage, &stage.book.mint(), json!({"quantity": 1234.567, "currency": "NGN"})).await.expect(200);
    assert_eq!(number(&naira["quantity"]), 12.3456);
    assert_eq!(wallet(&stage, "NGN").await, (98_765.44, 0.0), "the remainder is not charged");
}

#[tokio::test]
async fn burning_gives_the_money_back_and_needs_both_outcomes() {
    let stage = Stage::open().await;
    sets(&stage, &stage.pool.mint(), json!({"quantity": 25})).await.expect(200);
    let burned = sets(&stage, &stage.pool.burn(), json!({"quantity": 10})).await.expect(200);
    assert_eq!(
        keys(&burned),
        ["marketId", "operationId", "outcome1Price", "outcome2Price", "proceeds", "quantity"]
    );
    assert_eq!((number(&burned["quantity"]), number(&burned["proceeds"])), (10.0, 10.0));
    assert_eq!(wallet(&stage, "USD").await, (985.0, 0.0));
    sets(&stage, &stage.pool.burn(), json!({"quantity": 15.01})).await.unprocessable("INSUFFICIENT_SHARES");
    let foreign = json!({"quantity": 100, "currency": "NGN"});
    sets(&stage, &stage.pool.burn(), foreign).await.unprocessable("INSUFFICIENT_SHARES");
}

#[tokio::test]
async fn sets_that_cost_more_than_there_is_are_refused() {
    let stage = Stage::open().await;
    let body = sets(&stage, &stage.book.mint(), json!({"quantity": 1000.01})).await;
    let message = body.unprocessable("INSUFFICIENT_BALANCE")["message"].clone();
    assert_eq!(message, "Insufficient balance: need 1000.01, have 1000.00");
}

#[tokio::test]
async fn a_malformed_quantity_is_refused() {
    let stage = Stage::open().await;
    let bodies = [
        json!({}),
        json!({"quantity": 0}),
        json!({"quantity": -1}),
        json!({"quantity": "1"}),
        json!({"quantity": null}),
        json!({"quantity": 0.00001}),
        json!({"quantity": 1e30}),
        json!({"quantity": 1, "currency": "EUR"}),
    ];
    for body in bodies {
        sets(&stage, &stage.book.mint(), body.clone()).await.refused(400, "bad_request");
        sets(&stage, &stage.book.burn(), body).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn an_unknown_market_is_not_found_and_a_paused_market_mints_nothing() {
    let stage = Stage::open().await;
    for market in [Uuid::now_v7().to_string(), "x".to_owned(), stage.hidden.market.to_string()] {
        let answered = sets(&stage, &format!("/v1/pm/markets/{market}/mint"), json!({"quantity": 1})).await;
        assert!(matches!(answered.status, 404 | 422), "{market}: {}", answered.text());
    }
    let unknown = format!("/v1/pm/markets/{}/burn", Uuid::now_v7());
    assert_eq!(
        sets(&stage, &unknown, json!({"quantity": 1})).await.refused(404, "not_found")["message"],
        "Market not found"
    );

    sets(&stage, &stage.book.mint(), json!({"quantity": 5})).await.expect(200);
    let target = Target::Market(MarketId::new(stage.book.market.as_u128()));
    stage.operate(Command::PauseTrading(PauseTrading { target })).await;
    sets(&stage, &stage.book.mint(), json!({"quantity": 5})).await.unprocessable("MARKET_NOT_OPEN");
    sets(&stage, &stage.book.burn(), json!({"quantity": 5})).await.expect(200);
}
