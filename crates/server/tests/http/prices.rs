//! Prices over time, of books, of pools and of assets.

use api::timestamp::Timestamp;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::text::Text;
use exchange::time::Time;
use serde_json::{Value, json};
use stage::node::{Stage, get, keys, market, number, text, traded};
use uuid::Uuid;

async fn read(stage: &Stage, path: &str) -> Value {
    stage.clock.advance_seconds(1);
    stage.ask(get(path)).await.expect(200)
}

fn candles(stage: &Stage, query: &str) -> String {
    format!("/v1/pm/markets/{}/candles?{query}", stage.book.market)
}

fn history(stage: &Stage, query: &str) -> String {
    format!("/v1/pm/events/{}/price-history?{query}", stage.book.event)
}

/// Open, high, low, close, volume, count.
fn shape(candle: &Value) -> [f64; 6] {
    ["open", "high", "low", "close", "volume", "count"].map(|key| number(&candle[key]))
}

#[tokio::test]
async fn candles_hold_what_was_traded_in_their_span() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let body = read(&stage, &candles(&stage, "interval=1m")).await;
    assert_eq!((&body["marketId"], &body["outcome"]), (&json!(stage.book.market), &json!("YES")));
    assert_eq!((&body["currency"], &body["interval"]), (&json!("USD"), &json!("1m")));
    let minutes = body["candles"].as_array().expect("candles");
    assert_eq!(
        minutes.iter().map(shape).collect::<Vec<_>>(),
        [[0.4, 0.4, 0.4, 0.4, 100.0, 1.0], [0.45, 0.45, 0.45, 0.45, 21.7864, 1.0]]
    );
    assert_eq!(minutes[0]["start"], "2030-01-01T00:01:00Z");

    let day = read(&stage, &candles(&stage, "interval=1d")).await;
    assert_eq!(shape(&day["candles"][0]), [0.4, 0.45, 0.4, 0.45, 121.7864, 2.0]);
    let other = read(&stage, &candles(&stage, "interval=1d&outcome=NO")).await;
    assert_eq!(shape(&other["candles"][0]), [0.6, 0.6, 0.55, 0.55, 121.7864, 2.0]);
    let naira = read(&stage, &candles(&stage, "currency=NGN")).await;
    assert_eq!(naira["candles"], json!([]));

    let late = read(&stage, &candles(&stage, "interval=1m&from=2030-01-01T00:02:00Z")).await;
    assert_eq!(late["candles"].as_array().map(Vec::len), Some(1));
    let early = read(&stage, &candles(&stage, "interval=1m&to=2030-01-01T00:01:59Z")).await;
    assert_eq!(early["candles"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn candles_of_a_pool_follow_its_price() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 100.0)).await;
    let path = format!("/v1/pm/markets/{}/candles?interval=1h", stage.pool.market);
    let body = read(&stage, &path).await;
    let shown = read(&stage, &stage.pool.shown()).await;
    let candle = shape(&body["candles"][0]);
    assert_eq!((candle[0], candle[2], candle[5]), (0.5, 0.5, 1.0), "seeded at 0.50, one order");
    assert_eq!(candle[3], number(&shown["markets"][0]["outcome1Price"]), "the price now");
    assert!(candle[4] > 100.0, "shares, not money: {}", candle[4]);
}

#[tokio::test]
async fn a_price_history_has_both_shapes_and_ends_with_the_price_now() {
    let stage = Stage::open().await;
    traded(&stage).await;
    stage.clock.advance_seconds(3_600);
    let body = read(&stage, &history(&stage, "")).await;
    let id = stage.book.market.to_string();
    let points = body[&id].as_array().expect("points of the market");
    let seen: Vec<_> =
        points.iter().map(|point| (text(&point["outcome"]), number(&point["price"]))).collect();
    // Two spans of five minutes had a trade; nothing is bid now, so the price is the last trade's.
    assert_eq!(seen, [("YES", 0.4), ("NO", 0.6), ("YES", 0.45), ("NO", 0.55), ("YES", 0.45), ("NO", 0.55)]);
    assert_eq!(points[0]["timestamp"], "2030-01-01T00:05:00Z");
    let listed = &body["markets"][0];
    assert_eq!((&listed["marketId"], text(&listed["title"])), (&json!(id), "Will the book hold?"));
    let short: Vec<_> =
        listed["priceHistory"].as_array().expect("points").iter().map(|point| number(&point["p"])).collect();
    assert_eq!(short, [0.4, 0.45, 0.45]);
    assert_eq!(listed["priceHistory"][0]["e"], json!(1_893_456_300_000_i64));

    let no = read(&stage, &history(&stage, &format!("outcome=NO&marketId[]={id}&timePeriod=1Y"))).await;
    assert_eq!(
        no[&id].as_array().expect("points").iter().map(|point| number(&point["price"])).collect::<Vec<_>>(),
        [0.55]
    );
    // The span begins with the price of the last trade before it.
    stage.clock.advance_seconds(13 * 3_600);
    let later = read(&stage, &history(&stage, "timePeriod=12H&outcome=YES")).await;
    assert_eq!(later[&id].as_array().map(Vec::len), Some(2));
    assert_eq!((number(&later[&id][0]["price"]), number(&later[&id][1]["price"])), (0.45, 0.45));
}

#[tokio::test]
async fn prices_of_what_is_not_there_are_not_found() {
    let stage = Stage::open().await;
    let unknown = Uuid::now_v7();
    let missing = [
        format!("/v1/pm/markets/{unknown}/candles"),
        format!("/v1/pm/markets/{}/candles", stage.hidden.market),
        format!("/v1/pm/events/{unknown}/price-history"),
        format!("/v1/pm/events/{}/price-history", stage.hidden.event),
        history(&stage, &format!("marketId[]={}", stage.pool.market)),
    ];
    for path in missing {
        stage.ask(get(&path)).await.refused(404, "not_found");
    }
    for query in ["interval=2m", "outcome=MAYBE", "currency=EUR", "from=now"] {
        stage.ask(get(&candles(&stage, query))).await.refused(400, "bad_request");
    }
    stage.ask(get(&history(&stage, "timePeriod=2H"))).await.refused(400, "bad_request");
}

async fn record(stage: &Stage, symbol: &str, cents: i64) {
    let record = RecordPrice {
        symbol: Text::from(symbol),
        value: AssetPrice(cents * 10_000),
        source: Text::from("desk"),
        source_time: Time::from_micros(stage.now_seconds() * 1_000_000),
    };
    stage.operate(Command::RecordPrice(record)).await;
}

#[tokio::test]
async fn prices_of_an_asset_begin_each_ten_seconds_and_end_with_the_last_one() {
    let mut stage = Stage::open().await;
    let path = "/v1/pm/assets/BTCUSDT/prices";
    stage.ask(get(path)).await.refused(404, "not_found");
    for second in 0..25 {
        record(&stage, "BTCUSDT", 100 + second).await;
        record(&stage, "ETHUSDT", 7).await;
        stage.clock.advance_seconds(1);
    }
    let shown = stage.ask(get(path)).await.expect(200);
    assert_eq!(keys(&shown), ["prices", "symbol"]);
    let prices = |shown: &Value| -> Vec<f64> {
        shown["prices"].as_array().expect("prices").iter().map(|price| number(&price["price"])).collect()
    };
    assert_eq!(keys(&shown["prices"][0]), ["price", "recordedAt", "sourceTime"]);
    assert_eq!(prices(&shown), [1.0, 1.1, 1.2, 1.24]);
    stage.restart_without_history().await;
    assert_eq!(stage.ask(get(path)).await.expect(200), shown, "rebuilt from the journal");

    let at = |seconds: i64| Timestamp::from_micros((stage.now_seconds() + seconds) * 1_000_000).to_string();
    let part = format!("{path}?from={}&to={}", at(-15), at(-3));
    assert_eq!(prices(&stage.ask(get(&part)).await.expect(200)), [1.1, 1.2]);
    stage.clock.advance_seconds(3_600);
    assert!(prices(&stage.ask(get(path)).await.expect(200)).is_empty(), "the usual span is an hour");
    let all = format!("{path}?from={}", at(-10_000_000));
    assert_eq!(prices(&stage.ask(get(&all)).await.expect(200)), [1.0, 1.1, 1.2, 1.24]);
    let reversed = format!("{path}?from={}&to={}", at(0), at(-1));
    stage.ask(get(&reversed)).await.refused(400, "bad_request");
}
