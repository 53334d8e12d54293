//! Totals of the venue by the hour and the day, after trades on a book and on a pool, and after a restart.

use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{has_keys, market, number, text, traded};

use super::Office;

const PATH: &str = "/admin/v1/statistics";

async fn statistics(office: &Office, query: &str) -> Value {
    office.get(&format!("{PATH}?{query}")).await.expect(200)
}

/// The last bucket.
fn last(statistics: &Value) -> &Value {
    statistics["buckets"].as_array().and_then(|buckets| buckets.last()).expect("buckets")
}

#[tokio::test]
async fn trades_of_an_hour_are_summed_up_with_their_fees_and_traders() {
    let office = Office::open().await;
    let empty = statistics(&office, "").await;
    has_keys(&empty, &["currency", "interval", "buckets", "pools"]);
    assert_eq!((text(&empty["currency"]), text(&empty["interval"])), ("USD", "1h"));
    assert_eq!(empty["buckets"].as_array().map(Vec::len), Some(24));
    has_keys(last(&empty), &["start", "volume", "fees", "trades", "traders", "poolResult"]);
    assert_eq!(number(&last(&empty)["volume"]), 0.0);

    traded(&office.stage).await;
    let shown = statistics(&office, "").await;
    let hour = last(&shown);
    // Bob took NO for 60.00, and YES for 9.80 and a fee.
    assert_eq!((&hour["trades"], &hour["traders"]), (&json!(2), &json!(2)), "{hour}");
    let trades = office.stage.ask(stage::node::get("/v1/pm/trades")).await.expect(200);
    let trades = trades["data"].as_array().expect("trades");
    let fees: f64 = trades.iter().map(|trade| number(&trade["takerFee"])).sum();
    let volume: f64 = trades.iter().map(|trade| number(&trade["takerPrice"]) * number(&trade["size"])).sum();
    assert!((number(&hour["fees"]) - fees).abs() < 1e-6, "{hour}");
    assert!((number(&hour["volume"]) - volume).abs() < 1e-6, "{hour}");
    assert_eq!(number(&last(&statistics(&office, "currency=NGN").await)["volume"]), 0.0);

    // An hour later the same users are counted again, in the day only once.
    office.stage.clock.advance_seconds(3_600);
    let (key, book) = (&office.stage.bob.key, &office.stage.book);
    office.stage.place(key, book, &market(book.yes, "BUY", 1.0)).await;
    let hours = statistics(&office, "").await;
    assert_eq!((&last(&hours)["trades"], &last(&hours)["traders"]), (&json!(1), &json!(2)));
    let days = statistics(&office, "interval=1d").await;
    assert_eq!(days["buckets"].as_array().map(Vec::len), Some(30));
    assert_eq!((&last(&days)["trades"], &last(&days)["traders"]), (&json!(3), &json!(2)));
}

#[tokio::test]
async fn a_pool_shows_its_result_before_and_after_it_is_settled() {
    let mut office = Office::open().await;
    let (key, pool) = (&office.stage.alice.key, &office.stage.pool);
    office.stage.place(key, pool, &market(pool.yes, "BUY", 100.0)).await;
    let open = statistics(&office, "").await;
    let [shown] = open["pools"].as_array().expect("pools").as_slice() else { panic!("one pool: {open}") };
    has_keys(shown, &["marketId", "marketTitle", "eventId", "eventSlug", "eventTitle", "result", "results"]);
    assert_eq!(text(&shown["eventSlug"]), pool.slug);
    assert_eq!(text(&shown["marketTitle"]), "Will the pool hold?");
    assert_eq!(shown["results"].as_array().map(Vec::len), Some(24));
    // Alice paid more for her shares than the last price, so the pool is ahead.
    assert_ne!(number(&shown["result"]), 0.0);
    assert_eq!(last(&open)["poolResult"], shown["result"], "it is the only pool");

    let market_id = MarketId::new(office.stage.pool.market.as_u128());
    let house = |office: &Office| {
        let app = office.stage.app().clone();
        let exchange = app.reading().state();
        exchange.ledger().accounts(exchange::numbers::Currency::Usd).fees()
    };
    let fees = house(&office);
    office.stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market_id) })).await;
    office
        .stage
        .operate(Command::ResolveMarket(ResolveMarket { market: market_id, outcome: Outcome::No }))
        .await;
    assert_eq!(house(&office), fees, "a settlement takes no fee");
    let settled = statistics(&office, "").await;
    // Alice lost her shares: the pool keeps all that she paid for them, without the fee.
    let paid = number(&last(&settled)["volume"]);
    assert_eq!(number(&settled["pools"][0]["result"]), paid, "{settled}");
    assert_eq!(number(&last(&settled)["poolResult"]), paid);

    office.stage.restart_without_history().await;
    assert_eq!(statistics(&office, "").await, settled, "rebuilt from the journal");
}

#[tokio::test]
async fn spans_of_statistics_are_bounded() {
    let office = Office::open().await;
    let now = office.stage.now_seconds();
    let at = |seconds: i64| api::timestamp::Timestamp::from_micros((now + seconds) * 1_000_000).to_string();
    let long = statistics(&office, &format!("from={}&to={}", at(-199 * 3_600), at(0))).await;
    assert_eq!(long["buckets"].as_array().map(Vec::len), Some(200));
    for query in [
        format!("from={}&to={}", at(-200 * 3_600), at(0)),
        format!("from={}&to={}", at(3_600), at(0)),
        "interval=1m".to_owned(),
        "currency=EUR".to_owned(),
        "from=yesterday".to_owned(),
    ] {
        office.get(&format!("{PATH}?{query}")).await.refused(400, "bad_request");
    }
}
