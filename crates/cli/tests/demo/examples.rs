//! The signing examples, run as a reader would run them: each language signs as the service verifies, and places an
//! order. Needs sh with curl and openssl, python3 and node.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use serde_json::{Value, json};
use stage::demo::{Demo, market};

/// How each example is started, from the root.
const EXAMPLES: [&[&str]; 3] = [
    &["sh", "scripts/sign.sh"],
    &["python3", "examples/python/signed_request.py"],
    &["node", "examples/javascript/signed_request.mjs"],
];

/// The worked vector of docs/api-guide.md.
const SECRET: &str = "sk_live_a_secret_for_the_guide";
const TIMESTAMP: &str = "1767225600";
const ORDERS: &str =
    "/v1/pm/events/0197f3a0-0000-7000-8000-000000000001/markets/0197f3a0-0000-7000-8000-000000000002/orders";
const ORDER: &str = r#"{"side":"BUY","outcomeId":"0197f3a0-0000-7000-8000-000000000003","type":"LIMIT","price":0.4,"amount":10}"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs an example without this machine's own settings.
fn start(example: &[&str]) -> Command {
    let mut command = Command::new(example[0]);
    command.args(&example[1..]).current_dir(root()).env("NO_PROXY", "*");
    for name in
        ["DEMO", "USER_NUMBER", "BASE_URL", "PUBLIC_KEY", "SECRET_KEY", "IDEMPOTENCY_KEY", "TIMESTAMP"]
    {
        command.env_remove(name);
    }
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn expected(secret: &str, method: &str, path: &str, body: &str) -> String {
    let hash = body_hash(body.as_bytes());
    let payload = Payload { timestamp: TIMESTAMP, method, path, body_hash: &hash };
    SigningKey::new(&SecretKey::from_text(secret)).sign(&payload)
}

#[test]
fn every_example_signs_as_the_service_verifies() {
    let batch =
        r#"{"orderIds":["0197f3a0-0000-7000-8000-000000000004","0197f3a0-0000-7000-8000-000000000005"]}"#;
    let rows = [
        ("POST", ORDERS, ORDER),
        ("DELETE", "/v1/pm/orders/0197f3a0-0000-7000-8000-000000000004", ""),
        ("DELETE", "/v1/pm/orders/batch", batch),
        ("PUT", "/v1/pm/events/0197f3a0-0000-7000-8000-000000000001/watchlist", ""),
        ("POST", "/v1/auth/check", r#"{"name":"Ọlá — 10 € ₦ 🎲"}"#),
        ("POST", "/v1/auth/check", "  two spaces, \"quotes\", a \\ and a\nline break  "),
        ("POST", "/v1/auth/check", "@not-a-file"),
    ];
    for example in EXAMPLES {
        for (method, path, body) in rows {
            let mut command = start(example);
            command.env("SECRET_KEY", SECRET).env("TIMESTAMP", TIMESTAMP);
            let output = run(command.args(["--print-signature", method, path, body]));
            assert!(output.status.success(), "{example:?}: {}", text(&output.stderr));
            let wanted = expected(SECRET, method, path, body);
            assert_eq!(text(&output.stdout).trim_end(), wanted, "{example:?} {method} {path} {body:?}");
        }
        // A query string is not signed.
        let mut command = start(example);
        command.env("SECRET_KEY", SECRET).env("TIMESTAMP", TIMESTAMP);
        let output = run(command.args(["--print-signature", "GET", "/v1/pm/orders?size=1&page=2"]));
        assert_eq!(
            text(&output.stdout).trim_end(),
            expected(SECRET, "GET", "/v1/pm/orders", ""),
            "{example:?}"
        );
    }
}

#[test]
fn the_worked_vector_of_the_guide_is_true() {
    let guide = std::fs::read_to_string(root().join("docs/api-guide.md")).expect("the guide");
    let hash = body_hash(ORDER.as_bytes());
    let payload = format!("{TIMESTAMP}.POST.{ORDERS}.{hash}");
    let signature = expected(SECRET, "POST", ORDERS, ORDER);
    let order_id = "/v1/pm/orders/0197f3a0-0000-7000-8000-000000000004";
    let cancel = format!("{TIMESTAMP}.DELETE.{order_id}.");
    let cancel_signature = expected(SECRET, "DELETE", order_id, "");
    for told in [SECRET, ORDER, &hash, &payload, &signature, &cancel, &cancel_signature] {
        assert!(guide.contains(told), "the guide does not have {told}");
    }
}

#[test]
fn every_example_places_an_order_once_however_often_it_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    for (number, example) in EXAMPLES.into_iter().enumerate() {
        let name = format!("example-{number}");
        let order = json!({
            "side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10, "clientOrderId": name
        });
        let send = |method: &str, path: &str, body: &str| {
            let mut command = start(example);
            command.env("DEMO", folder.path().join("demo.json")).env("USER_NUMBER", "2");
            let output = run(command.env("IDEMPOTENCY_KEY", &name).args([method, path, body]));
            (output.status.success(), text(&output.stdout), text(&output.stderr))
        };
        let (is_taken, first, complaint) = send("POST", &path, &order.to_string());
        let placed: Value = serde_json::from_str(&first).unwrap_or_else(|_| panic!("{first} {complaint}"));
        assert!(is_taken, "{example:?}: {placed}");
        assert_eq!(placed["order"]["status"], "open", "{example:?}: {placed}");
        assert_eq!(placed["order"]["userId"], demo.json["users"][1]["userId"]);
        let (_, again, _) = send("POST", &path, &order.to_string());
        assert_eq!(again, first, "{example:?}: the same key and body is the same answer");
        let (_, found, _) = send("GET", &format!("/v1/pm/orders?clientOrderId={name}"), "");
        let found: Value = serde_json::from_str(&found).expect("orders");
        assert_eq!(found["pagination"]["totalCount"], 1, "{example:?}: {found}");

        let id = placed["order"]["id"].as_str().expect("an id");
        let (is_cancelled, cancelled, _) = send("DELETE", &format!("/v1/pm/orders/{id}"), "");
        assert!(is_cancelled && cancelled.contains("Order cancelled"), "{example:?}: {cancelled}");
        let (is_taken, refused, _) = send("POST", "/v1/pm/orders/batch", "{}");
        assert!(!is_taken, "{example:?}: a refusal is a failure of the program: {refused}");
        assert!(refused.contains("bad_request"), "{example:?}: {refused}");
    }
    assert_eq!(demo.terminate().code(), Some(0));
}
