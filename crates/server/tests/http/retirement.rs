//! Retired events: every read answers as before, byte for byte, and every write is refused as before. Policy and
//! clock are set by the test, so that one instant is seen with the event in memory and without it.

use exchange::catalogue::{EventLink, Interval, SeriesCategory, Status};
use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::governance::Policy;
use exchange::id::{EventId, MarketId};
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Answered, Market, Stage, draft, get, limit, market, text, traded};
use uuid::Uuid;

use crate::socket::listen;

async fn resolve(stage: &Stage, market: &Market) {
    let market = MarketId::new(market.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })).await;
}

/// Everything that ended more than a minute ago leaves memory, at the same instant.
async fn retire(stage: &Stage) {
    stage.operate(Command::SetPolicy(Policy { retire_after_seconds: 60, ..Policy::default() })).await;
    stage.operate(Command::Tick).await;
}

fn events_in_memory(stage: &Stage) -> usize {
    stage.app().reading().state().catalogue().events().len()
}

fn is_in_memory(stage: &Stage, market: &Market) -> bool {
    let exchange = stage.app().reading().state();
    exchange.catalogue().find_event(EventId::new(market.event.as_u128())).is_some()
}

/// The statuses of the series' events in memory, the oldest first.
fn series_in_memory(stage: &Stage) -> Vec<Status> {
    let exchange = stage.app().reading().state();
    let events = exchange.catalogue().events().map(|(_, event)| event);
    let of_series = events.filter(|event| matches!(event.link, EventLink::Series { .. }));
    of_series.map(|event| event.status).collect()
}

/// A book and a pool that were traded in and ended an hour ago, beside a book that still trades, and a daily series.
async fn ended() -> (Stage, [String; 4]) {
    let stage = Stage::open().await;
    let orders = traded(&stage).await;
    stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 25.0)).await;
    stage.create_book("other").await;
    stage.write_empty(&stage.alice.key, "PUT", &stage.book.watchlist()).await.expect(200);
    resolve(&stage, &stage.book).await;
    resolve(&stage, &stage.pool).await;
    stage.clock.advance_seconds(3_600);
    stage.operate(Command::Tick).await;
    (stage, orders)
}

/// Public reads that show the ended events.
fn public_reads(stage: &Stage) -> Vec<String> {
    let mut reads = vec![
        "/v1/pm/events".to_owned(),
        "/v1/pm/events?size=1&page=2".to_owned(),
        "/v1/pm/events?size=2&page=2".to_owned(),
        "/v1/pm/events?page=9".to_owned(),
        "/v1/pm/events?status=resolved".to_owned(),
        "/v1/pm/events?status=open".to_owned(),
        "/v1/pm/events?status=cancelled".to_owned(),
        "/v1/pm/events?keyword=THE%20BOOK".to_owned(),
        "/v1/pm/events?category=Politics&engine=CLOB".to_owned(),
        "/v1/pm/events?trending=true".to_owned(),
        "/v1/pm/events?trending=true&size=1&page=2".to_owned(),
        "/v1/pm/events?trending=true&size=2&page=2&currency=NGN".to_owned(),
        "/v1/pm/trades?engine=ALL".to_owned(),
        format!("/v1/pm/trades?outcomeId={}", stage.book.yes),
        format!("/v1/pm/books?outcomeId[]={}&outcomeId[]={}", stage.book.yes, stage.pool.no),
        format!("/v1/pm/markets/{}/ticker?outcome=YES", stage.book.market),
        format!("/v1/pm/markets/{}/ticker?outcome=NO", stage.book.market),
    ];
    for place in [&stage.book, &stage.pool] {
        reads.extend([
            place.shown(),
            format!("{}?currency=NGN", place.shown()),
            format!("/v1/pm/events/slug/{}", place.slug),
            format!("{}/resolution", place.shown()),
            format!("{}/price-history?timePeriod=24H", place.shown()),
            format!("{}/price-history?marketId={}", place.shown(), place.market),
            format!("/v1/pm/markets/{}/candles?interval=1m", place.market),
            format!("/v1/pm/trades?engine=ALL&marketId={}", place.market),
            format!("/v1/pm/markets/{}/ticker?outcome=YES", place.market),
        ]);
    }
    reads
}

/// Reads of Alice that name the ended events.
fn own_reads(stage: &Stage, orders: &[String; 4]) -> Vec<String> {
    let mut reads = vec![
        "/v1/pm/events?watchlist=true".to_owned(),
        stage.book.shown(),
        "/v1/pm/orders".to_owned(),
        format!("/v1/pm/orders?eventId={}", stage.book.event),
        format!("/v1/pm/orders?outcomeId={}&status=filled", stage.book.yes),
        "/v1/pm/activities".to_owned(),
        "/v1/pm/pnl?breakdown=true&timePeriod=ALL".to_owned(),
        "/v1/pm/portfolio".to_owned(),
    ];
    reads.extend([&orders[0], &orders[2]].map(|order| format!("/v1/pm/orders/{order}")));
    reads
}

async fn all_reads(stage: &Stage, orders: &[String; 4]) -> Vec<(String, Answered)> {
    let mut answers = Vec::new();
    for path in public_reads(stage) {
        let answer = stage.ask(get(&path)).await;
        answers.push((path, answer));
    }
    for path in own_reads(stage, orders) {
        let answer = stage.read(&stage.alice.key, &path).await;
        answers.push((format!("alice {path}"), answer));
    }
    answers
}

#[tokio::test]
async fn every_read_of_a_retired_event_answers_with_the_bytes_of_before() {
    let (mut stage, orders) = ended().await;
    let before = all_reads(&stage, &orders).await;
    for (path, answer) in &before {
        let expected = if path.contains(&format!("{}/ticker", stage.pool.market)) { 400 } else { 200 };
        assert_eq!(answer.status, expected, "{path}: {}", answer.text());
    }
    assert_eq!(events_in_memory(&stage), 4);
    // A restart refills the read limits, at the same instant.
    stage.restart().await;
    retire(&stage).await;
    assert_eq!(events_in_memory(&stage), 2, "the open book and the draft");
    assert!(!is_in_memory(&stage, &stage.book) && !is_in_memory(&stage, &stage.pool));
    compare(&before, &all_reads(&stage, &orders).await);

    stage.restart().await;
    compare(&before, &all_reads(&stage, &orders).await);
    stage.restart_without_history().await;
    compare(&before, &all_reads(&stage, &orders).await);
    assert_eq!(events_in_memory(&stage), 2);
    stage.close().await;
}

#[track_caller]
fn compare(before: &[(String, Answered)], after: &[(String, Answered)]) {
    for ((path, before), (_, after)) in before.iter().zip(after) {
        assert_eq!((after.status, after.text()), (before.status, before.text()), "{path}");
    }
}

#[tokio::test]
async fn placing_in_a_retired_market_is_refused_as_in_an_ended_market() {
    let (stage, orders) = ended().await;
    let (key, book) = (&stage.alice.key, &stage.book);
    let order = limit(book.yes, "BUY", 40.0, 0.40);
    let batch = json!({"orders": [
        {"eventId": book.event, "marketId": book.market, "outcomeId": book.yes, "side": "BUY", "amount": 10.0,
         "price": 0.4, "type": "LIMIT", "currency": "USD"},
        {"eventId": book.event, "marketId": book.market, "outcomeId": Uuid::nil(), "side": "BUY", "amount": 10.0,
         "price": 0.4, "type": "LIMIT", "currency": "USD"},
    ]});
    let writes: Vec<(&str, String, Value)> = vec![
        ("POST", book.orders(), order.clone()),
        ("POST", book.orders(), limit(book.yes, "BUY", 0.001, 0.40)),
        ("POST", stage.pool.orders(), market(stage.pool.yes, "BUY", 5.0)),
        ("POST", book.mint(), json!({"quantity": 1.0, "currency": "USD"})),
        ("POST", book.burn(), json!({"quantity": 1.0, "currency": "USD"})),
        (
            "POST",
            book.quote(),
            json!({"side": "BUY", "outcomeId": book.yes, "amount": 10.0, "currency": "USD"}),
        ),
        ("POST", "/v1/pm/orders/batch".to_owned(), batch),
        ("DELETE", "/v1/pm/orders".to_owned(), json!({"eventId": book.event})),
        ("DELETE", format!("/v1/pm/orders/{}", orders[0]), json!({})),
    ];
    let send = async || {
        let mut answers = Vec::new();
        for (method, path, body) in &writes {
            let answer = stage.write(key, method, path, body).await;
            answers.push((format!("{method} {path} {body}"), answer));
        }
        answers
    };
    let before = send().await;
    before[0].1.unprocessable("MARKET_NOT_OPEN");
    before[3].1.unprocessable("MARKET_NOT_OPEN");
    stage.clock.advance_seconds(60);
    retire(&stage).await;
    compare(&before, &send().await);

    stage.clock.advance_seconds(60);
    let keyed =
        || draft("POST", &book.orders()).json(&order).idempotent("again").signed(key, stage.now_seconds());
    let (first, again) = (stage.ask(keyed()).await, stage.ask(keyed()).await);
    first.unprocessable("MARKET_NOT_OPEN");
    assert_eq!((again.status, again.text()), (first.status, first.text()), "a replay is the first answer");

    // Unknown ids are not found, as before.
    let nowhere = limit(Uuid::nil(), "BUY", 40.0, 0.40);
    stage.write(key, "POST", &book.orders(), &nowhere).await.refused(404, "not_found");
    let path = format!("/v1/pm/markets/{}/mint", Uuid::nil());
    stage
        .write(key, "POST", &path, &json!({"quantity": 1.0, "currency": "USD"}))
        .await
        .refused(404, "not_found");
    stage.ask(get(&format!("/v1/pm/events/{}", Uuid::nil()))).await.refused(404, "not_found");
    stage.ask(get("/v1/pm/events/slug/no-such-event")).await.refused(404, "not_found");
    stage.close().await;
}

#[tokio::test]
async fn a_retired_event_is_read_over_a_socket_and_taken_off_a_watchlist() {
    let (stage, _) = ended().await;
    let before = stage.ask(get(&stage.book.shown())).await.expect(200);
    retire(&stage).await;
    let listening = listen(&stage).await;
    assert_eq!(listening.ask(get(&stage.book.shown())).await, (200, before));
    let (status, list) = listening.ask(get("/v1/pm/events?status=resolved&size=1")).await;
    assert_eq!((status, &list["pagination"]["totalCount"]), (200, &json!(2)));
    listening.end().await;
    stage.write_empty(&stage.alice.key, "DELETE", &stage.book.watchlist()).await.expect(200);
    let shown = stage.read(&stage.alice.key, &stage.book.shown()).await.expect(200);
    assert_eq!(shown["userWatchlisted"], false);
    let list = stage.read(&stage.alice.key, "/v1/pm/events?watchlist=true").await.expect(200);
    assert_eq!(list["pagination"]["totalCount"], 0);
    let watched = stage.write_empty(&stage.alice.key, "PUT", &stage.pool.watchlist()).await.expect(200);
    assert_eq!(watched["userWatchlisted"], true);
    let list = stage.read(&stage.alice.key, "/v1/pm/events?watchlist=true").await.expect(200);
    assert_eq!(text(&list["events"][0]["slug"]), "the-pool");
    let nowhere = format!("/v1/pm/events/{}/watchlist", Uuid::nil());
    stage.write_empty(&stage.alice.key, "PUT", &nowhere).await.refused(404, "not_found");
    stage.close().await;
}

#[tokio::test]
async fn events_of_a_series_are_listed_across_memory_and_history() {
    let stage = Stage::open().await;
    stage.create_series("coin", SeriesCategory::Crypto, Interval::FifteenMinute, "COIN").await;
    for value in 1..=30 {
        stage.pass_boundary(Interval::FifteenMinute, "COIN", value).await;
    }
    let reads = [
        "/v1/pm/events/series/coin/lean-events",
        "/v1/pm/events?seriesSlug=coin&size=7",
        "/v1/pm/events?seriesSlug=coin&size=7&page=2",
        "/v1/pm/events?seriesSlug=coin&size=7&page=5",
        "/v1/pm/events?seriesSlug=coin&status=resolved&size=100",
        "/v1/pm/events?size=3&page=9",
    ];
    let read = async || {
        let mut answers = Vec::new();
        for path in reads {
            answers.push((path.to_owned(), stage.ask(get(path)).await));
        }
        answers
    };
    let before = read().await;
    assert_eq!(before[1].1.expect(200)["pagination"]["totalCount"], 30);
    retire(&stage).await;
    assert_eq!(series_in_memory(&stage), [Status::Resolved, Status::Closed, Status::Open]);
    compare(&before, &read().await);
    let oldest = before[3].1.expect(200)["events"][0].clone();
    let by_slug = stage.ask(get(&format!("/v1/pm/events/slug/{}", text(&oldest["slug"])))).await;
    assert_eq!(by_slug.expect(200), oldest);
    stage.close().await;
}

#[tokio::test]
async fn while_history_is_behind_lists_of_what_trades_answer_and_the_rest_is_503() {
    let (stage, _) = ended().await;
    let file = stage.folder().join("history/history.sqlite");
    let open = stage.ask(get("/v1/pm/events?status=open")).await;
    let all = stage.ask(get("/v1/pm/events")).await;
    stage.app().reading().history().wait_for(stage.seq()).await.expect("history is there");
    let other = rusqlite::Connection::open(file).expect("history's file");
    other.execute_batch("BEGIN IMMEDIATE").expect("nothing else is written for now");
    retire(&stage).await;
    let shown = stage.book.shown();
    let (list, one) = tokio::join!(stage.ask(get("/v1/pm/events")), stage.ask(get(&shown)));
    list.refused(503, "service_unavailable");
    one.refused(503, "service_unavailable");
    let still_open = stage.ask(get("/v1/pm/events?status=open")).await;
    assert_eq!(still_open.text(), open.text());
    for status in ["paused", "closed"] {
        stage.ask(get(&format!("/v1/pm/events?status={status}"))).await.expect(200);
    }
    other.execute_batch("ROLLBACK").expect("an end");
    assert_eq!(stage.ask(get("/v1/pm/events")).await.text(), all.text());
    stage.close().await;
}

#[tokio::test]
async fn a_batch_that_was_carried_out_is_answered_while_history_is_behind() {
    let (stage, closed) = ended().await;
    let other = stage.create_book("another").await;
    let key = &stage.alice.key;
    let item = |market: &Market| {
        json!({"eventId": market.event, "marketId": market.market, "outcomeId": market.yes, "side": "BUY",
               "amount": 10.0, "price": 0.4, "type": "LIMIT", "currency": "USD"})
    };
    let orders = json!({"orders": [item(&other), item(&stage.book)]});
    stage.app().reading().history().wait_for(stage.seq()).await.expect("history is there");
    let writer = rusqlite::Connection::open(stage.folder().join("history/history.sqlite")).expect("the file");
    writer.execute_batch("BEGIN IMMEDIATE").expect("history cannot write");
    retire(&stage).await;

    let placed = stage.write(key, "POST", "/v1/pm/orders/batch", &orders).await.expect(200);
    assert_eq!(placed["results"][0]["success"], true);
    assert_eq!(placed["results"][1]["error"]["reason"], "OUTCOME_NOT_FOUND");
    let open = text(&placed["results"][0]["order"]["id"]);
    let cancelled = json!({"orderIds": [open, closed[0]]});
    let answer = stage.write(key, "DELETE", "/v1/pm/orders/batch", &cancelled).await.expect(200);
    assert_eq!(answer["results"][0]["success"], true);
    assert_eq!(answer["results"][1]["error"]["code"], "ORDER_NOT_FOUND");

    writer.execute_batch("ROLLBACK").expect("history writes again");
    let placed = stage.write(key, "POST", "/v1/pm/orders/batch", &orders).await.expect(200);
    assert_eq!(placed["results"][1]["error"]["reason"], "MARKET_NOT_OPEN");
    stage.close().await;
}
