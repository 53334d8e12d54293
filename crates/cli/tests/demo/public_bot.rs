//! Calls of a public bot for venues of this API, in its order and spelling: series by slug, one subscription for each event,
//! seven assets, everything in naira. They run under the default limits, at the bot's own pace.
//!
//! The bot sends a JSON content type with every request, signs quotes, hashes the empty body of a cancel, and asks lists
//! with `limit`, which other venues once had. Two of its calls are refused here, each with a message that names the reason:
//! a price with three decimals, and a number of shares as the amount of a sale (docs/api-guide.md, "Clients written for
//! other venues").

use std::cell::Cell;
use std::net::TcpStream;
use std::time::Duration;

use api::signing::{Payload, SecretKey, SigningKey};
use data_encoding::HEXLOWER;
use patience::PATIENCE;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stage::demo::{Demo, signed_headers};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

const SLUGS: [&str; 18] = [
    "crypto-btc-5min",
    "crypto-btc-15min",
    "crypto-btc-1h",
    "crypto-btc-6h",
    "crypto-btc-1d",
    "crypto-eth-5min",
    "crypto-eth-15min",
    "crypto-eth-1h",
    "crypto-eth-6h",
    "crypto-eth-1d",
    "crypto-sol-5min",
    "crypto-sol-15min",
    "crypto-sol-1h",
    "crypto-sol-6h",
    "crypto-sol-1d",
    "fx-eurusd-1h",
    "fx-gbpusd-1h",
    "commodity-xauusd-1h",
];
const ASSETS: [&str; 7] = ["BTCUSDT", "ETHUSDT", "SOLUSDT", "XAUUSD", "EURUSD", "GBPUSD", "USDNGN"];

const FLAGS: &[&str] = &["--no-bots", "--past-days=1"];

/// The bot's own limiter: at most ten calls a second.
const PACE: Duration = Duration::from_millis(100);

/// The bot's client: an unexpected refusal ends the test.
struct Bot<'a> {
    demo: &'a Demo,
    calls: Cell<usize>,
}

impl Bot<'_> {
    fn call(&self, method: &str, path: &str, headers: &[(&str, String)], body: &[u8]) -> Value {
        let (status, answer) = self.send(method, path, headers, body);
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, String)], body: &[u8]) -> (u16, Value) {
        self.calls.set(self.calls.get() + 1);
        patience::let_run(PACE);
        self.demo.send(method, path, headers, body).expect("an answer")
    }

    fn public(&self, path: &str) -> Value {
        self.call("GET", path, &[], b"")
    }

    fn read(&self, path: &str) -> Value {
        let key = self.demo.text("/users/0/publicKey").to_owned();
        self.call("GET", path, &[("X-Public-Key", key)], b"")
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.try_post(path, body);
        assert_eq!(status, 200, "POST {path}: {answer}");
        answer
    }

    fn try_post(&self, path: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let (public, secret) = (self.demo.text("/users/0/publicKey"), self.demo.text("/users/0/secretKey"));
        let headers = signed_headers(public, secret, "POST", path, body.as_bytes());
        self.send("POST", path, &headers, body.as_bytes())
    }

    /// A call that is refused with 400 and this reason.
    fn refused(&self, path: &str, body: &Value, reason: &str) {
        let (status, answer) = self.try_post(path, body);
        assert_eq!(status, 400, "{body}: {answer}");
        assert!(text(&answer["message"]).contains(reason), "{body}: {answer}");
    }

    /// Signs the hash of no bytes, where the specification has an empty text.
    fn delete(&self, path: &str) -> Value {
        let (public, secret) = (self.demo.text("/users/0/publicKey"), self.demo.text("/users/0/secretKey"));
        let [key, (name, now), (signature, _)] = signed_headers(public, secret, "DELETE", path, b"");
        let hash = HEXLOWER.encode(&Sha256::digest([]));
        let payload = Payload { timestamp: &now, method: "DELETE", path, body_hash: &hash };
        let signed = SigningKey::new(&SecretKey::from_text(secret)).sign(&payload);
        self.call("DELETE", path, &[key, (name, now.clone()), (signature, signed)], b"")
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// All events of a scan: every page of the list, then the last round of each series by its slug.
fn scan(bot: &Bot<'_>) -> Vec<Value> {
    let mut events = Vec::new();
    for page in 1.. {
        let list = bot.public(&format!("/v1/pm/events?page={page}&limit=50"));
        events.extend(list["events"].as_array().expect("events").clone());
        if page >= list["pagination"]["lastPage"].as_u64().expect("a page") {
            break;
        }
    }
    events.retain(|event| event["status"] == "open");
    for slug in SLUGS {
        let rounds = bot.public(&format!("/v1/pm/events/series/{slug}/lean-events"));
        let round = rounds.as_array().expect("a bare list").last().expect("a round of each series");
        let event = bot.read(&format!("/v1/pm/events/{}?currency=NGN", text(&round["id"])));
        let market = &event["markets"][0];
        for name in ["outcome1Id", "outcome2Id", "outcome1Label", "outcome2Label"] {
            assert!(!text(&market[name]).is_empty(), "{slug}: {market}");
        }
        assert!(market["outcome1Price"].is_number() && market["feePercentage"].is_number(), "{market}");
        assert!(event["eventThreshold"].is_number(), "the price to beat: {event}");
        assert_eq!(event["seriesSlug"], slug);
    }
    events
}

/// Sells as the bot does, with the number of shares as the amount, and then for money.
fn sell(bot: &Bot<'_>, path: &str, bought: &Value, outcome: &str) {
    let order = |amount: &Value| {
        json!({
            "outcomeId": outcome, "side": "SELL", "amount": amount, "currency": "NGN", "type": "MARKET",
            "timeInForce": "FAK",
        })
    };
    // About ten shares are worth about 500 NGN, but 10 NGN are below the minimum.
    bot.refused(&format!("{path}/orders"), &order(&bought["quantity"]), "Minimum sell amount is NGN");
    let sold = bot.post(&format!("{path}/orders"), &order(&json!(200.0)));
    assert_eq!((&sold["order"]["side"], sold.get("error")), (&json!("SELL"), None), "{sold}");
}

/// A quote, a purchase, a sale, an order that rests and is cancelled, sets that are minted and burned.
fn trade(bot: &Bot<'_>, event: &Value) {
    let market = &event["markets"][0];
    let (yes, id) = (text(&market["outcome1Id"]), text(&market["id"]));
    let path = format!("/v1/pm/events/{}/markets/{id}", text(&event["id"]));
    let order = |kind: &str| json!({"outcomeId": yes, "side": "BUY", "amount": 500.0, "currency": "NGN", "type": kind, "timeInForce": "FAK"});
    let quote = json!({"outcomeId": yes, "side": "BUY", "amount": 500.0, "currency": "NGN"});
    let quote = bot.post(&format!("{path}/quote"), &quote);
    assert_eq!(
        (&quote["currencyBaseMultiplier"], &quote["completeFill"]),
        (&json!(100), &json!(true)),
        "{quote}"
    );
    let mut market_order = order("MARKET");
    market_order["maxSlippage"] = json!(0.05);
    let placed = bot.post(&format!("{path}/orders"), &market_order);
    assert_eq!((&placed["order"]["status"], placed.get("error")), (&json!("filled"), None), "{placed}");
    let bought = bot.read(&format!("/v1/pm/orders/{}", text(&placed["order"]["id"])));
    assert!(bought["quantity"].as_f64().is_some_and(|shares| shares > 0.0), "{bought}");
    let book = bot.public(&format!("/v1/pm/books?outcomeId%5B%5D={yes}&depth=5&currency=NGN"));
    assert!(book[0]["bids"].is_array() && book[0]["asks"].is_array(), "{book}");
    sell(bot, &path, &bought, yes);
    if event["engine"] == "CLOB" {
        let mut limit = order("LIMIT");
        // The bot rounds prices to three decimals.
        (limit["price"], limit["timeInForce"]) = (json!(0.055), json!("GTC"));
        bot.refused(&format!("{path}/orders"), &limit, "whole number of cents");
        (limit["price"], limit["timeInForce"]) = (json!(0.05), json!("GTC"));
        let rested = bot.post(&format!("{path}/orders"), &limit);
        assert_eq!(rested["order"]["status"], "open", "{rested}");
        bot.delete(&format!("/v1/pm/orders/{}", text(&rested["order"]["id"])));
    }
    for operation in ["mint", "burn"] {
        let body = json!({"quantity": 200.0, "currency": "NGN"});
        let done = bot.post(&format!("/v1/pm/markets/{id}/{operation}"), &body);
        assert_eq!(done["quantity"], 2, "{done}");
    }
}

fn open(demo: &Demo, path: &str) -> WebSocket<MaybeTlsStream<TcpStream>> {
    let address = demo.text("/baseUrl").replace("http://", "ws://");
    let (socket, _) = connect(format!("{address}{path}")).expect("a connection");
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    }
    socket
}

/// Reads until each of the names came in a message of this type; a frame may hold several. An error ends the test.
fn hear_all(socket: &mut WebSocket<MaybeTlsStream<TcpStream>>, kind: &str, pointer: &str, names: &[&str]) {
    let mut missing: Vec<&str> = names.to_vec();
    while !missing.is_empty() {
        let Message::Text(frame) = socket.read().expect("a message") else { continue };
        for line in frame.lines() {
            let message: Value = serde_json::from_str(line).expect("JSON");
            assert_ne!(message["type"], "error", "{message}");
            if message["type"] == kind {
                let name = message.pointer(pointer).and_then(Value::as_str);
                missing.retain(|other| Some(*other) != name);
            }
        }
    }
}

#[test]
fn the_calls_of_a_public_bot_succeed_and_two_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(folder.path(), FLAGS);
    let bot = Bot { demo: &demo, calls: Cell::new(0) };
    let events = scan(&bot);

    let mut realtime = open(&demo, "/ws/v1/realtime");
    let subscribe = json!({"type": "subscribe", "channel": "asset_prices", "symbols": ASSETS});
    realtime.send(Message::text(subscribe.to_string())).expect("a message that goes out");
    hear_all(&mut realtime, "asset_price", "/data/symbol", &ASSETS);

    let mut markets = open(&demo, "/ws/v1/markets");
    let ids: Vec<&str> = events.iter().map(|event| text(&event["id"])).collect();
    for id in &ids {
        let subscribe = json!({"type": "subscribe", "channel": "prices", "eventId": id});
        markets.send(Message::text(subscribe.to_string())).expect("a message that goes out");
    }
    hear_all(&mut markets, "price_update", "/data/id", &ids);

    // Rounds of series may close at any moment, so the bot trades in the other events.
    let lasting = |event: &&Value| event["seriesSlug"].as_str().unwrap_or_default().is_empty();
    for engine in ["CLOB", "AMM"] {
        let of_engine = |event: &&Value| event["engine"] == engine;
        trade(&bot, events.iter().filter(lasting).find(of_engine).expect("an event of each engine"));
    }
    let wallet = bot.read("/v1/wallet/assets");
    let naira = wallet["assets"].as_array().expect("assets").iter().find(|asset| asset["symbol"] == "NGN");
    assert!(naira.is_some_and(|asset| asset["availableBalance"].is_number()), "{wallet}");
    for path in ["/v1/pm/orders?page=1&limit=50", "/v1/pm/pnl", "/v1/pm/portfolio"] {
        bot.read(path);
    }
    assert!(bot.calls.get() > 50, "{} calls", bot.calls.get());
    assert_eq!(demo.terminate().code(), Some(0));
}
