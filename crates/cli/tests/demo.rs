//! The real executable: a demo on a fresh folder trades over signed HTTP, and what it answered outlives a kill -9.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fs, thread};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(15);

/// A running demo; killed if a test ends early.
struct Demo {
    process: Child,
    json: Value,
}

impl Demo {
    fn start(folder: &Path) -> Demo {
        Demo::start_with(folder, &["--no-bots"])
    }

    fn start_with(folder: &Path, flags: &[&str]) -> Demo {
        let file = folder.join("demo.json");
        // One of an earlier start would name addresses that nobody listens on.
        let _ = fs::remove_file(&file);
        let mut process = Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(["demo", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .args(flags)
            .stdout(Stdio::null())
            .spawn()
            .expect("the executable starts");
        let began = Instant::now();
        while !file.exists() {
            assert!(began.elapsed() < PATIENCE, "demo.json did not come");
            assert_eq!(process.try_wait().expect("a child"), None, "the demo ended early");
            thread::sleep(Duration::from_millis(10));
        }
        let json = serde_json::from_slice(&fs::read(&file).expect("a readable file")).expect("whole JSON");
        Demo { process, json }
    }

    fn text(&self, pointer: &str) -> &str {
        self.json
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("demo.json has {pointer}"))
    }

    fn get(&self, path: &str) -> (u16, Value) {
        let request = ureq::get(format!("{}{path}", self.text("/baseUrl")));
        let request = request.header("X-Public-Key", self.text("/users/0/publicKey"));
        answer(request.config().http_status_as_error(false).build().call())
    }

    fn post_signed(&self, path: &str, body: &Value) -> (u16, Value) {
        let body = serde_json::to_vec(body).expect("JSON");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs().to_string();
        let key = SigningKey::new(&SecretKey::from_text(self.text("/users/0/secretKey")));
        let hash = body_hash(&body);
        let signature = key.sign(&Payload { timestamp: &now, method: "POST", path, body_hash: &hash });
        let request = ureq::post(format!("{}{path}", self.text("/baseUrl")))
            .header("X-Public-Key", self.text("/users/0/publicKey"))
            .header("X-Timestamp", &now)
            .header("X-Signature", &signature)
            .header("Content-Type", "application/json");
        answer(request.config().http_status_as_error(false).build().send(&body))
    }

    fn operate(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = serde_json::to_vec(body).expect("JSON");
        let request = ureq::post(format!("{}{path}", self.text("/adminUrl")));
        let request = request.header("Authorization", format!("Bearer {token}"));
        answer(request.config().http_status_as_error(false).build().send(&body))
    }

    fn kill(mut self) {
        self.process.kill().expect("a kill -9");
        self.process.wait().expect("an end");
    }

    fn terminate(mut self) -> ExitStatus {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, Signal::TERM).expect("a signal");
        self.process.wait().expect("an end")
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn answer(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> (u16, Value) {
    let mut response = result.expect("an answer");
    let body = response.body_mut().read_to_string().expect("a body");
    (response.status().as_u16(), serde_json::from_str(&body).expect("a JSON body"))
}

/// The first market of an event: the path of its orders and the id of its YES.
fn market(demo: &Demo, slug: &str) -> (String, Value) {
    let (status, event) = demo.get(&format!("/v1/pm/events/slug/{slug}"));
    assert_eq!(status, 200, "{event}");
    let market = &event["markets"][0];
    let id = |value: &Value| value.as_str().expect("an id").to_owned();
    let path = format!("/v1/pm/events/{}/markets/{}/orders", id(&event["id"]), id(&market["id"]));
    (path, market["outcome1Id"].clone())
}

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
    assert_eq!(events["pagination"]["totalCount"], 5, "nothing is made twice");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn every_engine_type_and_currency_is_there_and_trades() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (_, list) = demo.get("/v1/pm/events?size=100");
    let events = list["events"].as_array().expect("a list").clone();
    for (engine, kind) in [("CLOB", "single"), ("AMM", "single"), ("CLOB", "combined"), ("AMM", "grouped")] {
        assert!(
            events.iter().any(|event| event["engine"] == engine && event["type"] == kind),
            "{engine} {kind}"
        );
    }
    for event in &events {
        let (path, yes) = market(&demo, event["slug"].as_str().expect("a slug"));
        for (currency, amount) in [("USD", 5), ("NGN", 500)] {
            let order = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": amount, "currency": currency});
            let (status, placed) = demo.post_signed(&path, &order);
            assert_eq!((status, placed["order"]["status"].as_str()), (200, Some("filled")), "{placed}");
        }
    }
    let (_, wallet) = demo.get("/v1/wallet/assets");
    assert_eq!(wallet["assets"].as_array().map(Vec::len), Some(2), "{wallet}");
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
    assert_eq!(demo.operate("", "/admin/v1/nothing", &json!({})).0, 401, "routes are nobody's business");
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
    let (status, refused) = demo.operate(&token, &credit, &money);
    assert_eq!((status, refused["code"].as_str()), (422, Some("DUPLICATE_REFERENCE")), "{refused}");
}

#[test]
fn bots_trade_until_they_are_told_to_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(folder.path(), &[]);
    let sequence = || demo.get("/ready").1["sequence"].as_u64().expect("a number");
    let (first, began) = (sequence(), Instant::now());
    while sequence() < first + 5 {
        assert!(began.elapsed() < PATIENCE, "the bots do nothing");
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(demo.terminate().code(), Some(0));
}
