//! `/ws/v1/realtime`: prices of assets, as feeds bring them.

use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::text::Text;
use exchange::time::Time;
use serde_json::{Value, json};

use crate::hall::Hall;

const PATH: &str = "/ws/v1/realtime";
const START_MILLIS: i64 = 1_893_456_000_000;

async fn record(hall: &Hall, symbol: &str, value: i64) {
    let source_time = Time::from_micros((START_MILLIS - 250) * 1_000);
    let (symbol, source) = (Text::from(symbol), Text::from("desk"));
    hall.stage
        .operate(Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(value), source, source_time }))
        .await;
}

#[tokio::test]
async fn the_last_price_is_shown_at_once_and_every_later_one_when_it_comes() {
    let hall = Hall::open().await;
    record(&hall, "BTCUSDT", 96_250_500_000).await;
    record(&hall, "ETHUSDT", 3_000_000_000).await;
    let before = hall.stage.seq();
    let message = json!({"type": "subscribe", "channel": "asset_prices", "symbols": ["BTCUSDT", "BTCUSDT"]});
    let mut reader = hall.subscribed(PATH, message).await;
    reader.acknowledged("asset_prices:BTCUSDT").await;
    let expected = |sequence: u64, price: Value| {
        json!({
            "type": "asset_price",
            "data": {"symbol": "BTCUSDT", "price": price, "timestamp": START_MILLIS - 250},
            "sequence": sequence, "timestamp": START_MILLIS,
        })
    };
    assert_eq!(reader.next().await, expected(before, json!(96_250.5)));
    record(&hall, "ETHUSDT", 3_001_000_000).await;
    record(&hall, "BTCUSDT", 96_251_000_000).await;
    let after = hall.stage.seq();
    assert_eq!(reader.next().await, expected(after, json!(96_251)), "and not of another symbol");
}

#[tokio::test]
async fn a_symbol_without_a_feed_is_refused() {
    let hall = Hall::open().await;
    let message = json!({"type": "subscribe", "channel": "asset_prices", "symbols": ["NOSUCH"]});
    let mut reader = hall.subscribed(PATH, message).await;
    reader.failed("Unsupported symbol: NOSUCH").await;
    reader.send(json!({"type": "subscribe", "channel": "asset_prices", "symbols": []})).await;
    reader.failed("Symbols required to subscribe to asset prices").await;
    reader.send(json!({"type": "subscribe", "channel": "asset_prices", "symbols": vec!["X"; 51]})).await;
    reader.failed("At most 50 symbols").await;
}
