//! The venue on request: fills, prices, resolutions, money, virtual traders, snapshots.

use serde_json::{Value, json};

use crate::stage::{Sandbox, Stream};

#[test]
fn a_fill_trades_with_the_order_through_the_ordinary_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, bola) = (sandbox.user("ada"), sandbox.user("bola"));
    let market = sandbox.market("rain-tomorrow");
    let ahead = sandbox.bid(&bola, &market, 0.41, 5);
    let order = sandbox.bid(&ada, &market, 0.4, 100);
    let filled = sandbox.ask("POST", "/fill", &json!({"orderId": order, "quantity": 0.5}));
    assert_eq!(filled["filled"], json!(0.5), "less than the least order of a trader");
    let read = |id: &str, user| sandbox.get(user, &format!("/v1/pm/orders/{id}"));
    assert_eq!(read(&ahead, &bola)["status"], "filled", "a better price fills first");
    assert_eq!(read(&order, &ada)["filledSize"], json!(0.5));
    sandbox.ask("POST", "/fill", &json!({"orderId": order}));
    assert_eq!(read(&order, &ada)["status"], "filled");
    let (status, _) = sandbox.control("POST", "/fill", &json!({"orderId": order}));
    assert_eq!(status, 404, "it is no longer open");
}

#[test]
fn a_market_moves_to_a_price_and_an_event_ends_as_requested() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    sandbox.bid(&ada, &market, 0.4, 10);
    sandbox.ask("POST", "/price", &json!({"marketId": market.id, "price": 0.3}));
    let price =
        || sandbox.get(&ada, "/v1/pm/events/slug/rain-tomorrow")["markets"][0]["outcome1Price"].clone();
    assert_eq!(price(), json!(0.3));
    assert_eq!(sandbox.open_orders(&ada), 0, "the order at 0.4 was on the way");
    sandbox.ask("POST", "/price", &json!({"marketId": market.id, "price": 0.75}));
    assert_eq!(price(), json!(0.75));
    let before = sandbox.get(&ada, "/v1/wallet/assets");
    sandbox.ask("POST", "/resolve", &json!({"event": "rain-tomorrow", "winner": market.id}));
    let event = sandbox.get(&ada, "/v1/pm/events/slug/rain-tomorrow");
    assert_eq!(event["status"], "resolved");
    assert_ne!(sandbox.get(&ada, "/v1/wallet/assets"), before, "the shares are paid");
    let (status, _) = sandbox.control("POST", "/resolve", &json!({"event": "rain-tomorrow"}));
    assert_eq!(status, 422, "it is resolved already");
}

#[test]
fn users_get_money_and_a_password_lets_them_log_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let wish = json!({"tag": "ada", "password": "a long password", "USD": 12.5, "NGN": 0});
    let made = sandbox.ask("POST", "/users", &wish);
    let wallet = sandbox.ask("POST", "/credit", &json!({"user": "ada", "amount": 0.25}));
    assert_eq!(wallet, json!({"currency": "USD", "available": 12.75}));
    let url = format!("{}/v1/user/login", sandbox.text("baseUrl"));
    let login = json!({"email": made["email"], "password": "a long password"});
    let login = serde_json::to_vec(&login).expect("JSON");
    let (status, session) = crate::stage::send("POST", &url, &[], &login).expect("an answer");
    assert_eq!(status, 200, "{session}");
    let (status, _) = sandbox.control("POST", "/users", &json!({"tag": "ada"}));
    assert_ne!(status, 201, "a tag is unique");
    let users = sandbox.ask("GET", "/users", &Value::Null);
    let tags: Vec<_> = users["users"].as_array().expect("a list").iter().map(|user| &user["tag"]).collect();
    assert_eq!(tags, ["counterparty", "ada"]);
}

#[test]
fn virtual_traders_act_only_while_the_clock_advances() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    for (behaviour, fair) in [("maker", 50), ("noise", 50), ("informed", 70), ("toxic", 50)] {
        let mut wish = json!({"behaviour": behaviour, "marketId": market.id, "name": behaviour});
        if behaviour == "informed" {
            wish["fair"] = json!(fair);
        }
        sandbox.ask("POST", "/traders", &wish);
    }
    let trades = || {
        let trades = sandbox.get(&ada, &format!("/v1/pm/trades?marketId={}&size=100", market.id));
        trades["data"].as_array().expect("a list").len()
    };
    let sequence = sandbox.ask("GET", "/clock", &Value::Null)["sequence"].clone();
    assert_eq!(trades(), 0);
    assert_eq!(sandbox.ask("GET", "/clock", &Value::Null)["sequence"], sequence);
    sandbox.advance(120);
    let traded = trades();
    assert!(traded > 0, "they trade with each other");
    let left = sandbox.ask("DELETE", "/traders/noise", &Value::Null);
    assert_eq!(left["traders"].as_array().expect("a list").len(), 3);
    sandbox.ask("DELETE", "/traders", &Value::Null);
    sandbox.advance(120);
    assert_eq!(trades(), traded, "none is left");
    let (status, answer) =
        sandbox.control("POST", "/traders", &json!({"behaviour": "informed", "marketId": market.id}));
    assert_eq!(status, 400, "{answer}");
}

#[test]
fn the_venue_returns_to_a_snapshot_and_a_reset_begins_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    sandbox.bid(&ada, &market, 0.4, 10);
    let taken = sandbox.ask("POST", "/snapshots", &json!({"name": "one-order"}));
    let clock = sandbox.ask("GET", "/clock", &Value::Null);
    let go_on = || {
        sandbox.bid(&ada, &market, 0.3, 10);
        sandbox.advance(600);
        assert_eq!(sandbox.open_orders(&ada), 2);
        sandbox.get(&ada, "/v1/pm/orders?size=100")
    };
    go_on();
    let mut stream = Stream::follow(&sandbox, &market, None);
    let continued: Vec<Value> = (0..2)
        .map(|_| {
            let back = sandbox.ask("POST", "/snapshots/one-order/return", &Value::Null);
            assert_eq!((&back["now"], &back["sequence"]), (&clock["now"], &taken["sequence"]));
            assert_eq!(sandbox.open_orders(&ada), 1);
            go_on()
        })
        .collect();
    assert_eq!(continued[0], continued[1], "with equal ids and times");
    while stream.next().is_some() {}
    let listed = sandbox.ask("GET", "/snapshots", &Value::Null);
    let names: Vec<_> =
        listed["snapshots"].as_array().expect("a list").iter().map(|about| &about["name"]).collect();
    assert_eq!(names, ["start", "one-order"]);
    sandbox.ask("POST", "/reset", &Value::Null);
    assert_eq!(sandbox.read(&ada, "/v1/pm/orders").0, 401, "no user has this key yet");
    let again = sandbox.user("ada");
    assert_eq!((again.id, again.public_key), (ada.id.clone(), ada.public_key.clone()), "the seed decides");
    assert_eq!(sandbox.open_orders(&ada), 0);
    let (status, _) = sandbox.control("POST", "/snapshots/never/return", &Value::Null);
    assert_eq!(status, 404);
    let (status, _) = sandbox.control("POST", "/snapshots", &json!({"name": "../up"}));
    assert_eq!(status, 400);
}

#[test]
fn an_operator_uses_the_venue_as_usual() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let ada = sandbox.user("ada");
    let token = format!("Bearer {}", sandbox.text("operatorToken"));
    let url = format!("{}/admin/v1/status", sandbox.text("adminUrl"));
    let (status, answer) =
        crate::stage::send("GET", &url, &[("Authorization", token)], b"").expect("an answer");
    assert_eq!(status, 200, "{answer}");
    let market = sandbox.market("record-this-season");
    let order =
        json!({"side": "BUY", "outcomeId": market.no, "type": "MARKET", "amount": 10, "currency": "USD"});
    let (status, answer) = sandbox.write(&ada, "POST", &market.orders(), &order, &[]).expect("an answer");
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn a_fill_goes_through_a_large_order_ahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, bola) = (sandbox.user("ada"), sandbox.user("bola"));
    let market = sandbox.market("rain-tomorrow");
    let ahead = sandbox.bid(&bola, &market, 0.41, 20_000);
    let order = sandbox.bid(&ada, &market, 0.4, 10);
    let filled = sandbox.ask("POST", "/fill", &json!({"orderId": order, "quantity": 2}));
    assert_eq!(filled["filled"], json!(2));
    assert_eq!(sandbox.get(&bola, &format!("/v1/pm/orders/{ahead}"))["status"], "filled");
    assert_eq!(sandbox.get(&ada, &format!("/v1/pm/orders/{order}"))["filledSize"], json!(2));
}

#[test]
fn orders_of_a_standing_clock_are_listed_in_the_order_of_their_creation() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    let place = |cents: u32| sandbox.bid(&ada, &market, f64::from(cents) / 100.0, 10);
    let placed: Vec<String> = (10..30).map(place).collect();
    assert!(placed.is_sorted(), "{placed:?}");
    assert!(sandbox.terminate().success());
    let sandbox = Sandbox::start(folder.path());
    let later = sandbox.bid(&ada, &market, 0.3, 10);
    assert!(placed.iter().all(|earlier| *earlier < later), "{placed:?} {later}");
}

#[test]
fn a_price_that_was_set_stays_for_every_symbol() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let sequence = || sandbox.ask("GET", "/clock", &Value::Null)["sequence"].as_u64().expect("a number");
    let recorded = |seconds: i64| {
        let before = sequence();
        sandbox.advance(seconds);
        sequence() - before
    };
    // Each five minutes have one price; the series changes only at each fifteen.
    sandbox.advance(17 * 60);
    assert_eq!(recorded(5 * 60), 1);
    sandbox.ask("POST", "/price", &json!({"symbol": "ETHUSDT", "value": 3_000}));
    assert_eq!(recorded(5 * 60), 2, "the price of the other symbol is recorded again");
}

#[test]
fn a_snapshot_without_a_name_never_replaces_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let take = || sandbox.ask("POST", "/snapshots", &json!({}))["name"].as_str().expect("a name").to_owned();
    let first = take();
    sandbox.ask("POST", &format!("/snapshots/{first}/return"), &Value::Null);
    let second = take();
    assert_ne!(first, second);
    let listed = sandbox.ask("GET", "/snapshots", &Value::Null);
    assert_eq!(listed["snapshots"].as_array().expect("a list").len(), 3, "{listed}");
}
