//! A journal that is relived: without a bot the state equals the original at every comparison, with one it does not, and
//! no one of the past can log in.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::stage::{Sandbox, Stream, User, bellwether, command, ended, limit, send, signed};

const FROM: &str = "2026-01-05T12:05:00Z";

/// A folder with ninety minutes of trading by virtual traders, and the market. Carol's order on another market is open
/// from 12:06 to 12:10.
fn record(folder: &Path) -> (String, User, String) {
    let sandbox = Sandbox::start(folder);
    let market = sandbox.market("rain-tomorrow");
    for behaviour in ["maker", "noise", "toxic"] {
        sandbox.ask("POST", "/traders", &json!({"behaviour": behaviour, "marketId": market.id}));
    }
    let carol = sandbox.user("carol");
    sandbox.advance(360);
    let order = sandbox.bid(&carol, &sandbox.market("cup-winner"), 0.6, 10);
    sandbox.advance(240);
    let path = format!("/v1/pm/orders/{order}");
    let url = format!("{}{path}", sandbox.text("baseUrl"));
    let cancelled = send("DELETE", &url, &signed(&carol, "DELETE", &path, b""), b"").expect("an answer");
    assert_eq!(cancelled.0, 200, "{}", cancelled.1);
    sandbox.advance(4_800);
    let token = sandbox.text("operatorToken").to_owned();
    assert!(sandbox.terminate().success());
    (market.id, carol, token)
}

fn relive(folder: &Path, journal: &Path, from: &str) -> Sandbox {
    let journal = journal.to_str().expect("a path in text");
    Sandbox::start_with(folder, &["--no-limits", "--journal", journal, "--from", from])
}

fn past(sandbox: &Sandbox) -> Value {
    sandbox.ask("GET", "/past", &Value::Null)
}

/// Whether a message with these credentials is accepted on the stream of users.
fn is_heard(sandbox: &Sandbox, auth: &Value) -> bool {
    let mut stream = Stream::connect(sandbox, "/ws/v1/user", None);
    stream.say(&json!({"type": "ping", "auth": auth}));
    match stream.next().expect("an answer")["type"].as_str() {
        Some("pong") => true,
        Some("error") => false,
        other => panic!("another answer: {other:?}"),
    }
}

/// Nothing accepts the credentials of a past user, although the user is there.
fn assert_cannot_log_in(sandbox: &Sandbox, user: &User) {
    let users = sandbox.ask("GET", "/users", &Value::Null).to_string();
    assert!(users.contains(&user.public_key), "the key is in the journal");
    assert_eq!(sandbox.read(user, "/v1/pm/orders").0, 401);
    let order = limit("x", 0.5, 1);
    let written = sandbox.write(user, "POST", "/v1/auth/check", &order, &[]).expect("an answer");
    assert_eq!(written.0, 401, "{}", written.1);
    assert!(!is_heard(sandbox, &json!({"apiKey": user.public_key})));
}

fn assert_no_operator(sandbox: &Sandbox, token: &str) {
    let url = format!("{}/admin/v1/status", sandbox.text("adminUrl"));
    let headers = [("Authorization", format!("Bearer {token}"))];
    assert_eq!(send("GET", &url, &headers, b"").expect("an answer").0, 401);
}

#[test]
fn a_relived_journal_gives_the_original_state_at_every_comparison() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, alone] = folders.each_ref().map(|folder| folder.path());
    record(original);
    let sandbox = relive(alone, original, FROM);
    let clock = sandbox.ask("GET", "/clock", &Value::Null);
    assert!(clock["now"].as_str().expect("a time").starts_with("2026-01-05T12:05:00"), "{clock}");
    assert_eq!(past(&sandbox)["ended"], false);
    sandbox.advance(5_400);
    let report = past(&sandbox);
    assert_eq!(
        (&report["ended"], &report["refused"], &report["differing"]),
        (&json!(true), &json!(0), &json!(0)),
        "{report}"
    );
    assert!(
        report["checkpoints"].as_u64() > Some(2) && report["commands"].as_u64() > Some(2_500),
        "{report}"
    );
    let (status, _) = sandbox.control("POST", "/reset", &Value::Null);
    assert_eq!(status, 409);
    assert!(sandbox.terminate().success());
}

#[test]
fn a_bot_in_a_relived_journal_ends_the_comparisons_and_its_effects_are_counted() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, with_bot] = folders.each_ref().map(|folder| folder.path());
    let (market, carol, token) = record(original);
    let sandbox = relive(with_bot, original, FROM);
    sandbox.advance(120);
    assert_eq!(sandbox.market("rain-tomorrow").id, market);
    let before = past(&sandbox);
    let ada = sandbox.user("ada");
    assert!(ada.public_key.starts_with("pk_test_"));
    // Carol's open order is taken, so that she cannot cancel it three minutes later.
    let place = sandbox.market("cup-winner");
    let order = limit(&place.no, 0.4, 10);
    let (status, answer) = sandbox.write(&ada, "POST", &place.orders(), &order, &[]).expect("an answer");
    assert_eq!((status, sandbox.open_orders(&ada)), (200, 0), "{answer}");
    assert!(is_heard(&sandbox, &json!({"apiKey": ada.public_key})));
    assert_cannot_log_in(&sandbox, &carol);
    assert_no_operator(&sandbox, &token);
    sandbox.advance(5_400);
    let after = past(&sandbox);
    assert_eq!(after["ended"], true, "{after}");
    assert!(after["refused"].as_u64() > Some(0), "{after}");
    assert_eq!((&after["checkpoints"], &after["differing"]), (&before["checkpoints"], &json!(0)), "{after}");
    assert!(sandbox.terminate().success());
}

#[test]
fn timers_of_a_bot_fire_between_past_commands_and_a_counterparty_fills_its_orders() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, with_bot] = folders.each_ref().map(|folder| folder.path());
    let sandbox = Sandbox::start(original);
    sandbox.advance(3_600);
    assert!(sandbox.terminate().success());
    let sandbox = relive(with_bot, original, FROM);
    let (ada, place) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    let mut order = limit(&place.yes, 0.4, 10);
    order["timeInForce"] = json!("GTD");
    order["expiresAt"] = json!("2026-01-05T12:06:00Z");
    let placed = sandbox.write(&ada, "POST", &place.orders(), &order, &[]).expect("an answer");
    let id = placed.1["order"]["id"].as_str().unwrap_or_else(|| panic!("{}", placed.1)).to_owned();
    // The next past command is the price of 12:09:45.
    let commands = past(&sandbox)["commands"].clone();
    sandbox.advance(61);
    assert_eq!(past(&sandbox)["commands"], commands);
    assert_eq!(sandbox.get(&ada, &format!("/v1/pm/orders/{id}"))["status"], "expired");
    let resting = sandbox.bid(&ada, &place, 0.3, 10);
    sandbox.ask("POST", "/fill", &json!({"orderId": resting}));
    assert_eq!(sandbox.get(&ada, &format!("/v1/pm/orders/{resting}"))["status"], "filled");
    sandbox.advance(3_600);
    assert_eq!(past(&sandbox)["ended"], true);
    assert!(sandbox.terminate().success());
}

#[test]
fn a_beginning_after_the_end_of_the_journal_lets_the_rest_of_the_time_pass() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, before, after] = folders.each_ref().map(|folder| folder.path());
    let sandbox = Sandbox::start(original);
    let (carol, place) = (sandbox.user("carol"), sandbox.market("rain-tomorrow"));
    let mut order = limit(&place.yes, 0.4, 10);
    order["timeInForce"] = json!("GTD");
    order["expiresAt"] = json!("2026-01-05T12:30:00Z");
    let placed = sandbox.write(&carol, "POST", &place.orders(), &order, &[]).expect("an answer");
    assert_eq!(placed.0, 200, "{}", placed.1);
    sandbox.advance(600);
    assert!(sandbox.terminate().success());
    let count_of_bids = |folder: &Path, from: &str| {
        let sandbox = relive(folder, original, from);
        let snapshot = Stream::follow(&sandbox, &place, None).next().expect("a snapshot");
        let clock = sandbox.ask("GET", "/clock", &Value::Null);
        assert!(clock["now"].as_str().expect("a time").starts_with(from.trim_end_matches('Z')), "{clock}");
        // A snapshot of an empty side has no list of it.
        snapshot["data"]["bids"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(count_of_bids(before, "2026-01-05T12:29:00Z"), 1);
    assert_eq!(count_of_bids(after, "2026-01-05T12:31:00Z"), 0, "the order has expired");
}

#[test]
fn people_and_operators_of_a_relived_exchange_cannot_log_in() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, relived] = folders.each_ref().map(|folder| folder.path());
    let mut process = bellwether("demo")
        .args(["--no-bots", "--data"])
        .arg(original)
        .stdout(Stdio::null())
        .spawn()
        .expect("the executable starts");
    let file = original.join("demo.json");
    patience::until("the demo does not serve", || file.exists());
    let demo: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    let text = |pointer: &str| demo.pointer(pointer).and_then(Value::as_str).expect("a text").to_owned();
    let login = json!({"email": text("/users/0/email"), "password": text("/users/0/password")});
    let login = serde_json::to_vec(&login).expect("JSON");
    let url = format!("{}/v1/user/login", text("/baseUrl"));
    let (status, session) = send("POST", &url, &[], &login).expect("an answer");
    assert_eq!(status, 200, "{session}");
    process.kill().expect("a kill");
    process.wait().expect("an end");
    let person = User {
        id: text("/users/0/userId"),
        public_key: text("/users/0/publicKey"),
        secret_key: text("/users/0/secretKey"),
    };
    assert!(person.public_key.starts_with("pk_live_"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_micros();
    let now = api::Timestamp::from_micros(i64::try_from(now).expect("before 2262"));
    let sandbox = relive(relived, original, &now.to_string());
    assert_cannot_log_in(&sandbox, &person);
    assert_no_operator(&sandbox, &text("/operatorToken"));
    let header = |name: &str| session[name].as_str().expect("a text").to_owned();
    let (token, device) = (header("token"), header("deviceId"));
    assert!(!is_heard(&sandbox, &json!({"accessToken": token, "deviceId": device})));
    let headers = [("X-Auth-Token", token), ("X-Device-Id", device)];
    let url = format!("{}/v1/user/me/api-keys", sandbox.text("baseUrl"));
    assert_eq!(send("GET", &url, &headers, b"").expect("an answer").0, 401);
    let ada = sandbox.user("ada_of_the_sandbox");
    assert_eq!(sandbox.read(&ada, "/v1/pm/orders").0, 200);
    assert!(sandbox.terminate().success());
}

#[test]
fn a_journal_is_relived_in_an_empty_folder() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, other] = folders.each_ref().map(|folder| folder.path());
    assert!(Sandbox::start(original).terminate().success());
    assert!(Sandbox::start(other).terminate().success());
    let journal = original.to_str().expect("a path in text");
    let refused = ended(&mut command(other, &["--journal", journal]));
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("in an empty folder"), "{refused:?}");
}
