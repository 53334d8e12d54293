//! The real executable: a demo on a fresh folder trades over signed HTTP, and its answered writes survive a kill -9.

mod archive;
mod audit;
mod changes;
mod crash;
mod descriptors;
mod disconnecting;
mod encrypted;
mod examples;
mod export;
mod hostile;
mod making;
mod modes;
mod operating;
mod people;
mod public_bot;
mod rebuild_history;
mod rescue;
mod secrets;
mod signals;
mod stopping;
mod upgrading;
mod watch;

use serde_json::json;
use stage::demo::{Demo, market};

#[test]
fn an_answered_order_is_still_there_after_kill_9_and_a_graceful_stop_exits_with_0() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let taken = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": 10, "currency": "USD"});
    let (status, taken) = demo.post_signed(&path, &taken);
    assert_eq!((status, taken["order"]["status"].as_str()), (200, Some("filled")), "{taken}");
    let rested = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    let (status, rested) = demo.post_signed(&path, &rested);
    assert_eq!((status, rested["order"]["status"].as_str()), (200, Some("open")), "{rested}");
    let first = demo.json.clone();
    demo.kill();

    let demo = Demo::start(folder.path());
    assert_eq!(demo.json["users"], first["users"], "people, passwords and keys stay");
    assert_eq!(demo.json["operatorToken"], first["operatorToken"]);
    for (order, wanted) in [(&taken, "filled"), (&rested, "open")] {
        let id = order["order"]["id"].as_str().expect("an id");
        let (status, found) = demo.get(&format!("/v1/pm/orders/{id}"));
        assert_eq!((status, found["status"].as_str()), (200, Some(wanted)), "{found}");
    }
    let (_, events) = demo.get("/v1/pm/events?size=100");
    assert_eq!(events["pagination"]["totalCount"], 21, "nothing is made twice");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_series_of_each_category_and_a_league_with_linked_events_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let list = |path: &str, rows: &str| {
        let (status, shown) = demo.get(path);
        assert_eq!(status, 200, "{shown}");
        shown[rows].as_array().expect("rows").clone()
    };
    let series = list("/v1/pm/events/series", "series");
    let categories: Vec<_> = series.iter().filter_map(|series| series["category"].as_str()).collect();
    for category in ["CRYPTO", "CURRENCY", "FINANCE"] {
        assert!(categories.contains(&category), "{categories:?}");
    }
    for series in &series {
        let slug = series["slug"].as_str().expect("a slug");
        let (status, events) = demo.get(&format!("/v1/pm/events/series/{slug}/lean-events"));
        assert_eq!((status, events.is_array()), (200, true), "{events}");
    }
    assert_eq!(list("/v1/pm/sports/leagues", "leagues").len(), 1);
    assert_eq!(list("/v1/pm/sports/teams?league=NDL&sport=soccer", "teams").len(), 4);
    let games = list("/v1/pm/sports/games?team=demo-lagos-lions", "games");
    assert_eq!(games.len(), 1);
    let slug = games[0]["slug"].as_str().expect("a slug");
    let events = list(&format!("/v1/pm/events?sportGameSlug={slug}"), "events");
    assert_eq!(events.len(), 3);
    let outcome = events[0]["markets"][0]["outcome2Id"].as_str().expect("an id");
    let (status, books) = demo.get(&format!("/v1/pm/books?outcomeId[]={outcome}&currency=NGN"));
    assert_eq!((status, books[0]["bids"].as_array().map(Vec::len)), (200, Some(4)), "{books}");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn operators_need_their_token_and_make_events_that_trade() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let token = demo.text("/operatorToken").to_owned();
    let description = json!({
        "slug": "test-event", "title": "Does it work?", "type": "single", "engine": "AMM",
        "currencies": ["USD"], "category": "tests", "markets": [{"title": "It works", "feePercentage": 1.5}],
    });
    for wrong in ["", "op_0000000000000000"] {
        let (status, refused) = demo.operate(wrong, "/admin/v1/events", &description);
        assert_eq!((status, refused["error"].as_str()), (401, Some("unauthorized")), "{refused}");
    }
    assert_eq!(
        demo.operate("", "/admin/v1/nothing", &json!({})).0,
        401,
        "unknown routes do not show without a token"
    );
    assert_eq!(demo.operate(&token, "/admin/v1/nothing", &json!({})).0, 404);
    let (status, event) = demo.operate(&token, "/admin/v1/events", &description);
    assert_eq!((status, event["status"].as_str()), (201, Some("draft")), "{event}");
    let (id, market_id) = (event["eventId"].as_str().expect("an id"), &event["markets"][0]["marketId"]);
    let open = format!("/admin/v1/events/{id}/open");
    let (status, refused) = demo.operate(&token, &open, &json!({}));
    assert_eq!((status, refused["code"].as_str()), (422, Some("POOL_NOT_SEEDED")), "{refused}");
    let seed = format!("/admin/v1/markets/{}/seed", market_id.as_str().expect("an id"));
    let (status, seeded) =
        demo.operate(&token, &seed, &json!({"currency": "USD", "amount": 1000, "price": 0.4}));
    assert_eq!((status, seeded["markets"][0]["yesPrice"].as_f64()), (200, Some(0.4)), "{seeded}");
    let (status, opened) = demo.operate(&token, &open, &json!({}));
    assert_eq!((status, opened["status"].as_str()), (200, Some("open")), "{opened}");

    let person = json!({"email": "New@Example.org", "tag": "newcomer", "password": "long enough"});
    let (status, created) = demo.operate(&token, "/admin/v1/users", &person);
    assert_eq!(status, 201, "{created}");
    let credit = format!("/admin/v1/users/{}/credit", created["userId"].as_str().expect("an id"));
    let money = json!({"currency": "NGN", "amount": 12.5, "reference": "wire 1"});
    let (status, wallet) = demo.operate(&token, &credit, &money);
    assert_eq!((status, wallet["availableBalance"].as_f64()), (200, Some(12.5)), "{wallet}");
    let (status, again) = demo.operate(&token, &credit, &money);
    assert_eq!((status, &again["replayed"]), (200, &json!(true)), "{again}");
    assert_eq!(again["availableBalance"], wallet["availableBalance"], "it was made once");
}

#[test]
fn bots_trade_until_they_are_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(folder.path(), &["--past-days", "0"]);
    let sequence = || demo.get("/ready").1["sequence"].as_u64().expect("a number");
    let first = sequence();
    patience::until("the bots do nothing", || sequence() >= first + 5);
    assert_eq!(demo.terminate().code(), Some(0));
}

/// Slugs of series and symbols of assets, as public bots spell them.
#[test]
fn the_demo_has_the_series_that_public_bots_ask_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (_, listed) = demo.get("/v1/pm/events/series?size=100");
    let series = listed["series"].as_array().expect("series");
    let crypto = ["btc", "eth", "sol"].into_iter().flat_map(|asset| {
        ["5min", "15min", "1h", "6h", "1d"].map(|interval| format!("crypto-{asset}-{interval}"))
    });
    let others = ["fx-eurusd-1h", "fx-gbpusd-1h", "fx-usdngn-1h", "commodity-xauusd-1h"].map(str::to_owned);
    for slug in crypto.chain(others) {
        assert!(series.iter().any(|one| one["slug"] == slug), "{slug} in {listed}");
        assert_eq!(demo.get(&format!("/v1/pm/events/series/{slug}/lean-events")).0, 200, "{slug}");
    }
    for symbol in ["BTCUSDT", "ETHUSDT", "SOLUSDT", "XAUUSD", "EURUSD", "GBPUSD", "USDNGN"] {
        assert!(series.iter().any(|one| one["assetSymbol"] == symbol), "{symbol} in {listed}");
    }
    let quick = series.iter().find(|one| one["slug"] == "crypto-btc-5min").expect("a series");
    assert_eq!(quick["intervalType"], "FIVE_MINUTE");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_new_demo_has_a_past_with_trades_candles_and_events_that_are_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(folder.path(), &["--past-days", "2"]);
    let list = |path: &str, rows: &str| demo.get(path).1[rows].as_array().expect("rows").clone();
    let statuses = |query: &str| {
        let events = list(&format!("/v1/pm/events?size=100&{query}"), "events");
        events.iter().map(|event| event["status"].as_str().expect("a status").to_owned()).collect::<Vec<_>>()
    };
    let hourly = statuses("seriesSlug=crypto-btc-1h");
    assert!(hourly.iter().filter(|status| *status == "resolved").count() >= 45, "{hourly:?}");
    assert!(list("/v1/pm/trades?size=100&page=3", "data").len() == 100, "trades by the hundred");
    let (_, ended) = demo.get("/v1/pm/events/slug/headliner-of-the-harbour-festival");
    assert_eq!(ended["status"], "resolved", "{ended}");
    let (_, called_off) = demo.get("/v1/pm/events/slug/blue-team-wins-the-regatta");
    assert_eq!(called_off["status"], "cancelled", "{called_off}");
    let (_, open) = demo.get("/v1/pm/events/slug/housing-bill-this-session");
    let market = open["markets"][0]["id"].as_str().expect("an id");
    let candles = list(&format!("/v1/pm/markets/{market}/candles?interval=6h"), "candles");
    assert!(candles.len() >= 6, "{candles:?}");
    assert_eq!(demo.terminate().code(), Some(0));
}
