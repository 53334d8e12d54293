//! Order books: one for each requested outcome, YES and NO of one book.

use serde_json::{Value, json};
use stage::node::{Stage, get, keys, limit, text};
use uuid::Uuid;

use crate::socket::listen;

async fn books(stage: &Stage, query: &str) -> Value {
    stage.ask(get(&format!("/v1/pm/books?{query}"))).await.expect(200)
}

/// Price, quantity and total of each level.
fn levels(side: &Value) -> Vec<(f64, f64, f64)> {
    let number = |level: &Value, key: &str| level[key].as_f64().expect("a number");
    let levels = side.as_array().expect("levels").iter();
    levels.map(|level| (number(level, "price"), number(level, "quantity"), number(level, "total"))).collect()
}

/// Alice bids 0.40 and 0.30 for YES; Bob bids 0.50 for NO, and takes 50 shares from Alice.
async fn traded() -> Stage {
    let stage = Stage::open().await;
    for (price, amount) in [(0.40, 40.0), (0.30, 30.0)] {
        stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", amount, price)).await;
    }
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 30.0, 0.60)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 10.0, 0.50)).await;
    stage
}

#[tokio::test]
async fn both_outcomes_show_the_one_book_in_their_own_prices() {
    let stage = traded().await;
    let shown = books(&stage, &format!("outcomeId[]={}&outcomeId[]={}", stage.book.yes, stage.book.no)).await;
    let [yes, no] = shown.as_array().expect("a bare array").as_slice() else { panic!("{shown}") };
    assert_eq!(
        keys(yes),
        ["asks", "bids", "lastTradedPrice", "lastTradedSide", "marketId", "outcomeId", "timestamp"]
    );
    assert_eq!(
        (text(&yes["outcomeId"]), text(&no["outcomeId"])),
        (&*stage.book.yes.to_string(), &*stage.book.no.to_string())
    );
    assert_eq!(
        (text(&yes["marketId"]), text(&yes["timestamp"])),
        (&*stage.book.market.to_string(), "2030-01-01T00:00:00Z")
    );
    assert_eq!(levels(&yes["bids"]), [(0.4, 50.0, 20.0), (0.3, 100.0, 30.0)]);
    assert_eq!(levels(&yes["asks"]), [(0.5, 20.0, 10.0)]);
    assert_eq!(levels(&no["bids"]), [(0.5, 20.0, 10.0)]);
    assert_eq!(levels(&no["asks"]), [(0.6, 50.0, 30.0), (0.7, 100.0, 70.0)]);
    // The last taker bought NO, which is to sell YES.
    assert_eq!((yes["lastTradedPrice"].as_f64(), text(&yes["lastTradedSide"])), (Some(0.4), "SELL"));
    assert_eq!((no["lastTradedPrice"].as_f64(), text(&no["lastTradedSide"])), (Some(0.6), "BUY"));
}

#[tokio::test]
async fn outcomes_may_be_repeated_joined_by_commas_and_percent_encoded() {
    let stage = traded().await;
    let (yes, no) = (stage.book.yes, stage.book.no);
    let wanted = books(&stage, &format!("outcomeId[]={yes}&outcomeId[]={no}")).await;
    for query in [
        format!("outcomeId[]={yes},{no}"),
        format!("outcomeId%5B%5D={yes}%2C{no}"),
        format!("outcomeId%5B%5D={yes}&outcomeId%5B%5D={no}"),
        format!("outcomeId={yes},{no}&currency=usd&unknown=1"),
    ] {
        assert_eq!(books(&stage, &query).await, wanted, "{query}");
    }
}

#[tokio::test]
async fn the_depth_bounds_each_side_and_the_currency_picks_the_book() {
    let stage = traded().await;
    let query = format!("outcomeId[]={}", stage.book.yes);
    let one = books(&stage, &format!("{query}&depth=1")).await;
    assert_eq!(levels(&one[0]["bids"]), [(0.4, 50.0, 20.0)]);
    let naira = json!({"side": "BUY", "outcomeId": stage.book.yes, "quantity": 3, "price": 0.4, "type": "LIMIT", "currency": "NGN"});
    stage.place(&stage.alice.key, &stage.book, &naira).await;
    let shown = books(&stage, &format!("{query}&currency=NGN")).await;
    assert_eq!(levels(&shown[0]["bids"]), [(0.4, 3.0, 120.0)], "a share pays 100 NGN");
    assert!(shown[0].get("lastTradedPrice").is_none() && shown[0].get("lastTradedSide").is_none(), "{shown}");
}

#[tokio::test]
async fn a_book_shows_ten_levels_unless_asked_for_more() {
    let stage = Stage::open().await;
    for cents in 1..=12 {
        let order = json!({"side": "BUY", "outcomeId": stage.book.yes, "quantity": 100, "price": f64::from(cents) / 100.0, "type": "LIMIT"});
        stage.place(&stage.alice.key, &stage.book, &order).await;
    }
    let query = format!("outcomeId[]={}", stage.book.yes);
    let depth = async |more: &str| levels(&books(&stage, &format!("{query}{more}")).await[0]["bids"]).len();
    assert_eq!((depth("").await, depth("&depth=99").await), (10, 12));
    assert_eq!(depth("&depth=100").await, 12, "there are no more than 99 levels to ask for");
}

#[tokio::test]
async fn a_depth_above_99_means_99_through_a_socket() {
    let stage = traded().await;
    let listening = listen(&stage).await;
    let ask = |depth: &str| {
        let path = format!("/v1/pm/books?outcomeId={}&depth={depth}", stage.book.yes);
        listening.answer(get(&path))
    };
    let most = ask("99").await.expect(200);
    for depth in ["100", "500", "4294967295"] {
        assert_eq!(ask(depth).await.expect(200), most, "{depth}");
    }
    ask("0").await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_pool_has_an_empty_book() {
    let stage = Stage::open().await;
    let shown = books(&stage, &format!("outcomeId[]={}", stage.pool.no)).await;
    assert_eq!((&shown[0]["bids"], &shown[0]["asks"]), (&json!([]), &json!([])));
    assert_eq!(shown[0]["marketId"], stage.pool.market.to_string());
}

#[tokio::test]
async fn an_outcome_that_is_unknown_or_a_drafts_is_not_found() {
    let stage = Stage::open().await;
    for unknown in [Uuid::now_v7(), stage.hidden.yes, stage.book.market] {
        let path = format!("/v1/pm/books?outcomeId[]={},{unknown}", stage.book.yes);
        let refused = stage.ask(get(&path)).await.refused(404, "not_found");
        assert_eq!(refused["message"], "Outcome not found");
    }
}

#[tokio::test]
async fn a_query_without_outcomes_or_out_of_range_is_refused() {
    let stage = Stage::open().await;
    let (yes, many) = (stage.book.yes, vec![stage.book.yes.to_string(); 51].join(","));
    let queries = [
        String::new(),
        format!("marketId={}", stage.book.market),
        "outcomeId[]=".to_owned(),
        "outcomeId[]=x".to_owned(),
        format!("outcomeId[]={many}"),
        format!("outcomeId[]={yes}&depth=0"),
        format!("outcomeId[]={yes}&depth=-1"),
        format!("outcomeId[]={yes}&currency=EUR"),
    ];
    for query in queries {
        stage.ask(get(&format!("/v1/pm/books?{query}"))).await.refused(400, "bad_request");
    }
    let fifty = vec![yes.to_string(); 50].join(",");
    assert_eq!(books(&stage, &format!("outcomeId[]={fifty}")).await.as_array().map(Vec::len), Some(50));
}
