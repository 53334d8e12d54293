//! Executed trades: their keys, every filter, pages and cursors.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{Stage, get, keys, number, text, traded};

const TRADES: &str = "/v1/pm/trades";

async fn list(stage: &Stage, query: &str) -> Value {
    stage.clock.advance_seconds(1);
    stage.ask(get(&format!("{TRADES}?{query}"))).await.expect(200)
}

async fn ids(stage: &Stage, query: &str) -> Vec<String> {
    let body = list(stage, query).await;
    body["data"].as_array().expect("trades").iter().map(|trade| text(&trade["id"]).to_owned()).collect()
}

#[tokio::test]
async fn a_trade_shows_both_sides_each_in_its_own_terms() {
    let stage = Stage::open().await;
    let orders = traded(&stage).await;
    let body = list(&stage, "").await;
    assert_eq!(body["pagination"], json!({"page": 1, "size": 50, "lastPage": 1, "totalCount": 2}));
    assert_eq!(body.get("nextCursor"), None);
    let (sale, mint) = (&body["data"][0], &body["data"][1]);
    let wanted = [
        "createdAt",
        "currency",
        "id",
        "makerOrderId",
        "makerOutcomeId",
        "makerPrice",
        "makerUserId",
        "marketId",
        "matchType",
        "outcome",
        "price",
        "size",
        "takerFee",
        "takerOrderId",
        "takerOutcomeId",
        "takerPrice",
        "takerSide",
        "takerUserId",
    ];
    assert_eq!(keys(mint), wanted);
    assert_eq!(mint["matchType"], "MINT");
    assert_eq!((&mint["outcome"], &mint["takerSide"]), (&json!("NO"), &json!("BUY")), "the taker's");
    assert_eq!(
        (number(&mint["price"]), number(&mint["takerPrice"]), number(&mint["makerPrice"])),
        (0.6, 0.6, 0.4)
    );
    assert_eq!((number(&mint["size"]), number(&mint["takerFee"])), (100.0, 1.2));
    assert_eq!(mint["takerOutcomeId"], json!(stage.book.no));
    assert_eq!(mint["makerOutcomeId"], json!(stage.book.yes));
    assert_eq!((&mint["takerUserId"], &mint["makerUserId"]), (&json!(stage.bob.id), &json!(stage.alice.id)));
    assert_eq!((&mint["takerOrderId"], &mint["makerOrderId"]), (&json!(orders[1]), &json!(orders[0])));
    assert_eq!((&sale["matchType"], &sale["outcome"]), (&json!("DIRECT"), &json!("YES")));
    assert_eq!(
        (number(&sale["price"]), number(&sale["size"]), number(&sale["takerFee"])),
        (0.45, 21.7864, 0.196078)
    );
    assert_eq!((&sale["marketId"], &sale["currency"]), (&json!(stage.book.market), &json!("USD")));
}

#[tokio::test]
async fn trades_are_found_by_every_parameter_alone_and_together() {
    let stage = Stage::open().await;
    let begin = stage.now_seconds();
    let orders = traded(&stage).await;
    let all = ids(&stage, "").await;
    let [sale, mint] = all.as_slice() else { panic!("two trades, not {all:?}") };
    let at = |seconds: i64| api::timestamp::Timestamp::from_micros((begin + seconds) * 1_000_000).to_string();
    let (alice, bob) = (stage.alice.id, stage.bob.id);
    let (yes, no) = (stage.book.yes, stage.book.no);
    let rows = [
        (format!("id={mint}"), vec![mint]),
        (format!("id={}", Uuid::now_v7()), vec![]),
        (format!("marketId={}", stage.book.market), vec![sale, mint]),
        (format!("marketId={}", stage.pool.market), vec![]),
        (format!("orderId={}", orders[0]), vec![mint]),
        (format!("orderId={}", orders[2]), vec![sale]),
        (format!("outcomeId={yes}"), vec![sale, mint]),
        (format!("outcomeId={no}"), vec![mint]),
        (format!("outcomeId={}", Uuid::now_v7()), vec![]),
        (format!("userId={alice}"), vec![sale, mint]),
        (format!("userId={bob}&outcomeId={no}"), vec![mint]),
        (format!("userId={bob}&orderId={}&marketId={}", orders[2], stage.book.market), vec![sale]),
        (format!("outcomeId={yes}&marketId={}", stage.pool.market), vec![]),
        (format!("fromDate={}", at(61)), vec![sale]),
        (format!("fromDate={}", at(60)), vec![sale, mint]),
        (format!("toDate={}", at(60)), vec![mint]),
        (format!("toDate={}", at(59)), vec![]),
        (format!("fromDate={}&toDate={}&userId={alice}", at(60), at(719)), vec![mint]),
        (format!("fromDate={}&toDate={}", at(900), at(10)), vec![]),
        ("limit=1".to_owned(), vec![sale, mint]),
        ("size=1".to_owned(), vec![sale]),
        ("size=1&page=2".to_owned(), vec![mint]),
        ("size=1&page=3".to_owned(), vec![]),
    ];
    for (query, wanted) in rows {
        assert_eq!(ids(&stage, &query).await.iter().collect::<Vec<_>>(), wanted, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_of_trades_goes_on_where_the_page_ended() {
    let stage = Stage::open().await;
    traded(&stage).await;
    for filter in ["", &format!("&userId={}", stage.bob.id)] {
        let first = list(&stage, &format!("size=1{filter}")).await;
        let cursor = text(&first["nextCursor"]).to_owned();
        let second = list(&stage, &format!("size=1&after={cursor}{filter}")).await;
        assert_ne!(first["data"][0]["id"], second["data"][0]["id"]);
        assert_eq!(second["data"][0]["matchType"], "MINT");
        assert_eq!((second.get("nextCursor"), &second["pagination"]["totalCount"]), (None, &json!(2)));
    }
}

#[tokio::test]
async fn a_query_for_trades_that_cannot_be_read_is_refused() {
    let stage = Stage::open().await;
    for query in ["id=x", "marketId=1", "fromDate=yesterday", "size=101", "size=0", "page=0", "after=x"] {
        stage.ask(get(&format!("{TRADES}?{query}"))).await.refused(400, "bad_request");
    }
}
