//! The ticker: prices of one outcome now and over 24 hours.

use serde_json::{Value, json};
use stage::node::{Stage, get, keys, limit};
use uuid::Uuid;

fn path(market: Uuid, query: &str) -> String {
    format!("/v1/pm/markets/{market}/ticker?{query}")
}

async fn ticker(stage: &Stage, query: &str) -> Value {
    stage.ask(get(&path(stage.book.market, query))).await.expect(200)
}

/// 50 shares at 0.40 an hour ago, 25 at 0.30 now; bids for YES at 0.30, for NO at 0.65.
async fn traded() -> Stage {
    let stage = Stage::open().await;
    let (yes, no) = (stage.book.yes, stage.book.no);
    stage.place(&stage.alice.key, &stage.book, &limit(yes, "BUY", 20.0, 0.40)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(no, "BUY", 30.0, 0.60)).await;
    stage.clock.advance_seconds(3_600);
    stage.place(&stage.alice.key, &stage.book, &limit(yes, "BUY", 30.0, 0.30)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(no, "BUY", 17.5, 0.70)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(no, "BUY", 13.0, 0.65)).await;
    stage
}

#[tokio::test]
async fn a_ticker_has_every_key_in_terms_of_its_outcome() {
    let stage = traded().await;
    let yes = ticker(&stage, "outcome=YES").await;
    let wanted = json!({
        "marketId": stage.book.market, "outcome": "YES", "lastPrice": 0.3, "bestBid": 0.3, "bestAsk": 0.35,
        "midPrice": 0.325, "spread": 0.05, "volume24h": 75, "high24h": 0.4, "low24h": 0.3,
        "priceChange24h": -0.1, "tradeCount24h": 2, "timestamp": "2030-01-01T01:00:00Z",
        "outcomeId": stage.book.yes, "currency": "USD",
    });
    assert_eq!(yes, wanted);
    let no = ticker(&stage, &format!("outcomeId={}", stage.book.no)).await;
    let wanted = json!({
        "marketId": stage.book.market, "outcome": "NO", "lastPrice": 0.7, "bestBid": 0.65, "bestAsk": 0.7,
        "midPrice": 0.675, "spread": 0.05, "volume24h": 75, "high24h": 0.7, "low24h": 0.6,
        "priceChange24h": 0.1, "tradeCount24h": 2, "timestamp": "2030-01-01T01:00:00Z",
        "outcomeId": stage.book.no, "currency": "USD",
    });
    assert_eq!(no, wanted);
}

#[tokio::test]
async fn a_ticker_ages_by_time_alone() {
    let stage = traded().await;
    let seq = stage.seq();
    let day = async || {
        let shown = ticker(&stage, "outcome=yes").await;
        ["lastPrice", "volume24h", "high24h", "low24h", "priceChange24h", "tradeCount24h"]
            .map(|key| shown[key].as_f64().expect("a number"))
    };
    stage.clock.advance_seconds(23 * 3_600 - 1);
    assert_eq!(day().await, [0.3, 75.0, 0.4, 0.3, -0.1, 2.0]);
    stage.clock.advance_seconds(1);
    assert_eq!(day().await, [0.3, 25.0, 0.3, 0.3, -0.1, 1.0]);
    stage.clock.advance_seconds(3_600);
    assert_eq!(day().await, [0.3, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(stage.seq(), seq, "nothing was written meanwhile");
}

#[tokio::test]
async fn a_market_without_trades_has_zeros() {
    let stage = traded().await;
    let shown = ticker(&stage, "outcome=YES&currency=NGN").await;
    let numbers = shown.as_object().expect("an object").values().filter(|value| value.is_number());
    assert_eq!(numbers.map(|number| number.as_f64()).collect::<Vec<_>>(), [Some(0.0); 10], "{shown}");
    assert_eq!(keys(&shown).len(), 15);
}

#[tokio::test]
async fn own_orders_that_cross_have_a_spread_of_nothing() {
    let stage = Stage::open().await;
    for (outcome, price) in [(stage.book.yes, 0.60), (stage.book.no, 0.60)] {
        stage.place(&stage.alice.key, &stage.book, &limit(outcome, "BUY", 6.0, price)).await;
    }
    let shown = ticker(&stage, "outcome=YES").await;
    assert_eq!((shown["bestBid"].as_f64(), shown["bestAsk"].as_f64()), (Some(0.6), Some(0.4)));
    assert_eq!((shown["spread"].as_f64(), shown["midPrice"].as_f64()), (Some(0.0), Some(0.5)));
}

#[tokio::test]
async fn a_ticker_needs_a_book_and_one_of_its_outcomes() {
    let stage = Stage::open().await;
    for query in ["", "outcome=PERHAPS", "outcomeId=x", "outcome=YES&currency=EUR", "outcome=YES&outcome=NO"]
    {
        stage.ask(get(&path(stage.book.market, query))).await.refused(400, "bad_request");
    }
    let elsewhere = format!("outcomeId={}", stage.pool.yes);
    let refused = stage.ask(get(&path(stage.book.market, &elsewhere))).await.refused(400, "bad_request");
    assert_eq!(refused["message"], "outcomeId: is not an outcome of this market");
    let refused = stage.ask(get(&path(stage.pool.market, "outcome=YES"))).await.refused(400, "bad_request");
    assert_eq!(refused["message"], "This market trades against a pool: it has no ticker");
    for market in [Uuid::now_v7(), stage.hidden.market, stage.book.event] {
        let refused = stage.ask(get(&path(market, "outcome=YES"))).await.refused(404, "not_found");
        assert_eq!(refused["message"], "Market not found");
    }
    stage.ask(get("/v1/pm/markets/x/ticker?outcome=YES")).await.refused(404, "not_found");
}
