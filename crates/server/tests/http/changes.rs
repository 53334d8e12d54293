//! Changes over HTTP: refusals, access to accounts, and the sequence that every read carries.

use serde_json::json;
use stage::node::{Stage, get, limit, text};
use uuid::Uuid;

#[tokio::test]
async fn changes_without_a_valid_market_or_sequence_are_refused() {
    let stage = Stage::open().await;
    for market in [Uuid::nil().to_string(), stage.hidden.market.to_string(), "nothing".to_owned()] {
        stage.ask(get(&format!("/v1/pm/markets/{market}/changes"))).await.refused(404, "not_found");
    }
    let path = format!("/v1/pm/markets/{}/changes", stage.book.market);
    for query in [
        "after=-1",
        "after=1.5",
        "after=x",
        "after=9223372036854775808",
        "after=%2B1",
        "limit=0",
        "limit=1001",
        "wait=21",
        "wait=-1",
        "currency=EUR",
        "after=1&after=2",
    ] {
        stage.clock.advance_seconds(1);
        stage.ask(get(&format!("{path}?{query}"))).await.refused(400, "bad_request");
        let account = format!("/v1/pm/account/changes?{query}");
        if !query.starts_with("currency") {
            stage.read(&stage.alice.key, &account).await.refused(400, "bad_request");
        }
    }
    let most = stage.ask(get(&format!("{path}?after=9223372036854775807"))).await.expect(200);
    assert_eq!(most["changes"][0]["type"], "snapshot");
    let naira = stage.ask(get(&format!("{path}?currency=ngn"))).await.expect(200);
    assert_eq!(naira["changes"][0]["data"]["currency"], "NGN");
}

#[tokio::test]
async fn an_account_is_readable_by_its_owner_only() {
    let stage = Stage::open().await;
    let book = &stage.book;
    let order = stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.ask(get("/v1/pm/account/changes")).await.unauthorized("unauthorized", "header_missing");
    let query = format!("/v1/pm/account/changes?userId={}", stage.alice.id);
    let own = stage.read(&stage.alice.key, &query).await;
    assert_eq!(own.header("cache-control"), Some("private, no-store"));
    assert_eq!(own.expect(200)["changes"][0]["data"]["orders"][0]["order"], order);
    let other = stage.read(&stage.bob.key, &query).await.expect(200);
    assert_eq!(other["changes"][0]["data"]["userId"], json!(stage.bob.id));
    assert!(!other.to_string().contains(text(&order["id"])), "{other}");
}

#[tokio::test]
async fn every_read_and_every_write_returns_its_sequence() {
    let stage = Stage::open().await;
    let book = &stage.book;
    for (cents, written) in [(40, 1), (41, 2)] {
        let before = stage.seq();
        let body = limit(book.yes, "BUY", 40.0, f64::from(cents) / 100.0);
        let placed = stage.write(&stage.alice.key, "POST", &book.orders(), &body).await;
        assert_eq!(placed.header("x-sequence"), Some((before + 1).to_string().as_str()), "{written}");
        let now = stage.seq().to_string();
        for path in [
            format!("/v1/pm/books?outcomeId={}", book.yes),
            format!("/v1/pm/events/{}", book.event),
            format!("/v1/pm/events/{}/resolution", book.event),
            format!("/v1/pm/markets/{}/ticker?outcome=YES", book.market),
            format!("/v1/pm/markets/{}/changes", book.market),
            format!("/v1/pm/markets/{}/candles", book.market),
            "/v1/pm/trades".to_owned(),
            "/v1/pm/events".to_owned(),
            "/ready".to_owned(),
        ] {
            assert_eq!(stage.ask(get(&path)).await.header("x-sequence"), Some(now.as_str()), "{path}");
        }
        for path in [
            "/v1/pm/orders",
            "/v1/pm/orders?status=open",
            "/v1/pm/portfolio",
            "/v1/wallet/assets",
            "/v1/pm/activities",
            "/v1/pm/pnl",
            "/v1/pm/account/changes",
        ] {
            stage.clock.advance_seconds(1);
            let read = stage.read(&stage.alice.key, path).await;
            assert_eq!(read.header("x-sequence"), Some(now.as_str()), "{path}");
        }
    }
    let missing = stage.ask(get(&format!("/v1/pm/events/{}", Uuid::nil()))).await;
    assert_eq!((missing.status, missing.header("x-sequence")), (404, None));
    assert_eq!(stage.ask(get("/health")).await.header("x-sequence"), None, "it looks at nothing");
}
