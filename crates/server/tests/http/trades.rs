//! Executed trades on books and pools: their keys, every filter, pages and cursors.

use serde_json::{Value, json};
use stage::node::{Stage, get, keys, market, number, text, traded};
use uuid::Uuid;

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
        "engine",
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
async fn a_cursor_of_trades_continues_where_the_page_ended() {
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
    let malformed = ["id=x", "marketId=1", "fromDate=yesterday", "size=101", "size=0", "page=0", "after=x"];
    for query in malformed.into_iter().chain(["engine=POOL"]) {
        stage.ask(get(&format!("{TRADES}?{query}"))).await.refused(400, "bad_request");
    }
}

/// Alice buys from the pool and sells to it, each a minute after the trade before. Returns both orders.
async fn traded_with_the_pool(stage: &Stage) -> [Value; 2] {
    let (alice, pool) = (&stage.alice.key, &stage.pool);
    stage.clock.advance_seconds(60);
    let bought = stage.place(alice, pool, &market(pool.yes, "BUY", 10.0)).await;
    stage.clock.advance_seconds(60);
    let sold = stage.place(alice, pool, &market(pool.yes, "SELL", 2.0)).await;
    [bought, sold]
}

#[tokio::test]
async fn a_trade_with_a_pool_is_shown_to_those_who_ask_for_it() {
    let stage = Stage::open().await;
    let [bought, _] = traded_with_the_pool(&stage).await;
    assert_eq!(ids(&stage, "").await, [""; 0], "without a word the list is of books");
    let body = list(&stage, "engine=AMM").await;
    assert_eq!(body["pagination"]["totalCount"], json!(2));
    let (sale, buy) = (&body["data"][0], &body["data"][1]);
    assert_eq!((&sale["takerSide"], &buy["takerSide"]), (&json!("SELL"), &json!("BUY")));
    assert_eq!((&buy["engine"], &buy["matchType"]), (&json!("AMM"), &json!("POOL")));
    assert_eq!((&buy["marketId"], &buy["outcome"]), (&json!(stage.pool.market), &json!("YES")));
    for (key, of_order) in
        [("price", "price"), ("takerPrice", "price"), ("makerPrice", "price"), ("size", "quantity")]
    {
        assert_eq!(buy[key], bought[of_order], "{key}");
    }
    assert_eq!((&buy["takerFee"], &buy["takerOrderId"]), (&bought["fee"], &bought["id"]));
    assert_eq!((&buy["takerUserId"], &buy["makerUserId"]), (&json!(stage.alice.id), &json!(Uuid::nil())));
    assert_eq!((&buy["makerOrderId"], &buy["makerOutcomeId"]), (&json!(Uuid::nil()), &json!(stage.pool.yes)));
}

#[tokio::test]
async fn trades_of_both_engines_are_filtered_and_paged_together() {
    let mut stage = Stage::open().await;
    let begin = stage.now_seconds();
    traded(&stage).await;
    let [bought, sold] = traded_with_the_pool(&stage).await;
    let (book, pool) = (ids(&stage, "").await, ids(&stage, "engine=AMM").await);
    let ([sale, mint], [out, into]) = (book.as_slice(), pool.as_slice()) else { panic!("two of each") };
    let at = |seconds: i64| api::timestamp::Timestamp::from_micros((begin + seconds) * 1_000_000).to_string();
    let (alice, bob) = (stage.alice.id, stage.bob.id);
    let rows = [
        ("engine=clob".to_owned(), vec![sale, mint]),
        ("engine=ALL".to_owned(), vec![out, into, sale, mint]),
        (format!("engine=ALL&userId={alice}"), vec![out, into, sale, mint]),
        (format!("engine=AMM&userId={alice}"), vec![out, into]),
        (format!("userId={alice}"), vec![sale, mint]),
        (format!("engine=ALL&userId={bob}"), vec![sale, mint]),
        (format!("engine=AMM&userId={bob}"), vec![]),
        (format!("engine=AMM&userId={}", Uuid::nil()), vec![out, into]),
        (format!("engine=AMM&marketId={}", stage.pool.market), vec![out, into]),
        (format!("engine=ALL&marketId={}", stage.pool.market), vec![out, into]),
        (format!("marketId={}", stage.pool.market), vec![]),
        (format!("engine=AMM&marketId={}", stage.book.market), vec![]),
        (format!("engine=AMM&outcomeId={}", stage.pool.yes), vec![out, into]),
        (format!("engine=AMM&outcomeId={}", stage.pool.no), vec![]),
        (format!("engine=CLOB&outcomeId={}", stage.pool.yes), vec![]),
        (format!("engine=AMM&orderId={}", text(&bought["id"])), vec![into]),
        (format!("orderId={}", text(&sold["id"])), vec![]),
        (format!("engine=ALL&id={out}"), vec![out]),
        (format!("id={out}"), vec![]),
        (format!("engine=ALL&fromDate={}&toDate={}", at(720), at(780)), vec![into, sale]),
        ("engine=ALL&size=2&page=2".to_owned(), vec![sale, mint]),
    ];
    for (query, wanted) in rows {
        assert_eq!(ids(&stage, &query).await.iter().collect::<Vec<_>>(), wanted, "{query}");
    }
    let mut walked = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = list(&stage, &format!("engine=ALL&size=1{cursor}")).await;
        walked.push(text(&page["data"][0]["id"]).to_owned());
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&after={next}");
    }
    assert_eq!(walked.iter().collect::<Vec<_>>(), [out, into, sale, mint]);
    let before = list(&stage, "engine=ALL").await;
    stage.restart_without_history().await;
    assert_eq!(list(&stage, "engine=ALL").await, before, "history is made again out of the journal");
}
