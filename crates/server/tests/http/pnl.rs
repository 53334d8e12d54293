//! Profit and loss: sales, burns, settlements; spans of time; event by event.

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Stage, limit, market, number, traded};

async fn pnl(stage: &Stage, query: &str) -> Value {
    stage.clock.advance_seconds(1);
    stage.read(&stage.alice.key, &format!("/v1/pm/pnl?{query}")).await.expect(200)
}

#[tokio::test]
async fn a_sale_brings_its_proceeds_less_the_average_cost() {
    let stage = Stage::open().await;
    let nothing = json!({
        "realizedPnl": 0, "realizedPnlPercent": 0, "settlementPnl": 0, "tradePnl": 0,
        "wins": 0, "losses": 0, "currency": "USD"
    });
    assert_eq!(pnl(&stage, "").await, nothing);
    traded(&stage).await;
    let sold = pnl(&stage, "").await;
    // 21.7864 shares for 9.80388, which had cost 0.40 each.
    assert_eq!((number(&sold["tradePnl"]), number(&sold["realizedPnl"])), (1.08932, 1.08932));
    assert_eq!(number(&sold["realizedPnlPercent"]), 12.5);
    assert_eq!(pnl(&stage, "currency=NGN").await["tradePnl"], json!(0));
}

#[tokio::test]
async fn a_settlement_brings_its_payout_less_the_cost_and_counts_wins() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let market_id = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market_id) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: market_id, outcome: Outcome::Yes })).await;
    let all = pnl(&stage, "").await;
    // 78.2136 paid out, at a cost of 31.28544.
    assert_eq!(number(&all["settlementPnl"]), 46.92816);
    assert_eq!(number(&all["realizedPnl"]), 48.01748);
    assert_eq!((&all["wins"], &all["losses"]), (&json!(1), &json!(0)));
    assert_eq!(number(&all["realizedPnlPercent"]), 120.04, "of 40.00");
    let bobs = stage.read(&stage.bob.key, "/v1/pm/pnl").await.expect(200);
    assert_eq!((&bobs["wins"], &bobs["losses"]), (&json!(1), &json!(1)), "one outcome each");
}

#[tokio::test]
async fn a_burn_and_a_sale_to_a_pool_count_as_trades() {
    let stage = Stage::open().await;
    let key = &stage.alice.key;
    stage.write(key, "POST", &stage.book.mint(), &json!({"quantity": 10})).await.expect(200);
    stage.write(key, "POST", &stage.book.burn(), &json!({"quantity": 4})).await.expect(200);
    assert_eq!(pnl(&stage, "").await["tradePnl"], json!(0), "a set costs what it brings");
    stage.place(key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    stage.place(key, &stage.pool, &market(stage.pool.yes, "SELL", 5.0)).await;
    let sold = pnl(&stage, "").await;
    assert!(number(&sold["tradePnl"]) < 0.0, "both fees are lost: {sold}");
}

#[tokio::test]
async fn a_span_of_time_counts_what_fell_into_it() {
    let stage = Stage::open().await;
    let begin = stage.now_seconds();
    traded(&stage).await;
    let at = |seconds: i64| api::timestamp::Timestamp::from_micros((begin + seconds) * 1_000_000).to_string();
    let sale = json!(1.08932);
    for (query, wanted) in [
        (format!("start={}&end={}", at(720), at(720)), &sale),
        (format!("start={}&end={}", at(0), at(719)), &json!(0)),
        (format!("start={}&end={}", at(721), at(9_000)), &json!(0)),
        ("timePeriod=12H".to_owned(), &sale),
        ("timePeriod=THIS_WEEK".to_owned(), &sale),
        ("timePeriod=THIS_YEAR".to_owned(), &sale),
        ("timePeriod=ALL".to_owned(), &sale),
    ] {
        assert_eq!(&pnl(&stage, &query).await["realizedPnl"], wanted, "{query}");
    }
    stage.clock.advance_seconds(13 * 3_600);
    assert_eq!(pnl(&stage, "timePeriod=12H").await["realizedPnl"], json!(0));
    assert_eq!(pnl(&stage, "timePeriod=24H").await["realizedPnl"], sale);
    for query in ["timePeriod=2H", "start=2030-01-01T00:00:00Z", "currency=EUR"] {
        stage.read(&stage.alice.key, &format!("/v1/pm/pnl?{query}")).await.refused(400, "bad_request");
        stage.clock.advance_seconds(1);
    }
}

#[tokio::test]
async fn a_breakdown_names_events_the_latest_first() {
    let stage = Stage::open().await;
    traded(&stage).await;
    stage.clock.advance_seconds(60);
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "SELL", 2.0)).await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 4.0, 0.10)).await;
    let body = pnl(&stage, "breakdown=true").await;
    let events = body["breakdown"].as_array().expect("events");
    let ids: Vec<_> = events.iter().map(|event| &event["eventId"]).collect();
    assert_eq!(ids, [&json!(stage.pool.event), &json!(stage.book.event)], "a purchase alone is no result");
    assert_eq!(events[1]["realizedPnl"], json!(1.08932));
    assert_eq!(events[1]["eventTitle"], "Will the book hold?");
    assert_eq!(events[1]["lastActivity"], "2030-01-01T00:12:00Z");
    let sum = number(&events[0]["realizedPnl"]) + number(&events[1]["realizedPnl"]);
    assert!((sum - number(&body["realizedPnl"])).abs() < 1e-9);
}
