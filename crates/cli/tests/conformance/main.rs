//! `bellwether conformance` against the executable itself: nothing differs. Then through a proxy that plants differences:
//! the check of each planted rule reports it.

mod planted;
mod proxy;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use stage::demo::{Demo, market};

/// Checks that no run tries here, beside those of the area `untried`.
const UNTRIED: [&str; 2] = [
    // The demo has neither a feed of prices nor rounds of series without bots.
    "events.series_filter",
    "streams.assets",
];

/// Runs the command with a report in the folder.
fn check(folder: &Path, arguments: &[&str]) -> (Output, Value) {
    let file = folder.join("report.json");
    let _ = fs::remove_file(&file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.arg("conformance").args(arguments).arg("--json").arg(&file);
    let output = command.output().expect("the executable runs");
    let report = fs::read(&file).unwrap_or_else(|error| panic!("{error}: {}", shown(&output)));
    (output, serde_json::from_slice(&report).expect("whole JSON"))
}

fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The ids of the checks with a status.
fn ids<'a>(report: &'a Value, status: &str) -> Vec<&'a str> {
    let rows = report["checks"].as_array().expect("rows").iter();
    rows.filter(|row| row["status"] == status).filter_map(|row| row["id"].as_str()).collect()
}

/// Trades, so that lists of trades have rows.
fn trade(demo: &Demo) {
    for slug in ["rain-in-lagos-on-new-years-day", "housing-bill-this-session", "city-referendum"] {
        let (path, yes) = market(demo, slug);
        let body = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": 5});
        let (status, placed) = demo.post_signed(&path, &body);
        assert_eq!(status, 200, "{placed}");
    }
}

#[test]
fn our_own_server_differs_in_nothing_and_has_the_extensions() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    trade(&demo);
    let (data, page) = (folder.path().to_str().expect("a path"), folder.path().join("report.html"));
    let (output, report) = check(folder.path(), &["--data", data, "--html", page.to_str().expect("a path")]);
    assert_eq!((output.status.code(), ids(&report, "differs")), (Some(0), vec![]), "{}", shown(&output));
    let mut untried = ids(&report, "notTried");
    untried.retain(|id| !id.starts_with("untried.") && !UNTRIED.contains(id));
    assert!(untried.is_empty(), "{untried:?}: {}", shown(&output));
    let endpoints = report["endpoints"].as_array().expect("rows");
    let idle: Vec<_> = endpoints.iter().filter(|row| row["holds"] == 0).collect();
    assert!(idle.is_empty(), "each endpoint has a check that holds: {idle:?}");
    assert_eq!(report["cleanUp"], json!([]), "each check closes its own orders");
    let text = shown(&output);
    assert!(
        text.contains("These checks write.") && text.contains("fill.trade: the second account"),
        "{text}"
    );
    let extensions = report["extensions"].as_array().expect("rows");
    let lacking: Vec<_> = extensions.iter().filter(|row| row["status"] != "has").collect();
    let names: Vec<_> = lacking.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(names, ["GET /metrics"], "metrics are on the operators' listener: {lacking:?}");
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("orders.rest") && page.contains("X-Number-Format"), "{page}");
    for user in [0, 1] {
        let (status, open) = demo.get_as(user, "/v1/pm/orders?status=open").expect("an answer");
        assert_eq!((status, &open["pagination"]["totalCount"]), (200, &json!(0)), "nothing rests: {open}");
    }
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn without_a_key_nothing_is_written_and_the_rest_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (output, report) = check(folder.path(), &["--url", demo.text("/baseUrl")]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(shown(&output).contains("Nothing will be written"), "{}", shown(&output));
    let rows = report["checks"].as_array().expect("rows");
    for id in ["orders.rest", "signing.accepted", "fill.trade", "limits.writes"] {
        let row = rows.iter().find(|row| row["id"] == id).expect("a row");
        assert_eq!(
            (&row["status"], &row["reason"]),
            (&json!("notTried"), &json!("no key was given")),
            "{id}"
        );
    }
    assert!(ids(&report, "holds").contains(&"signing.none"), "refusals need no key");
    let (_, wallet) = demo.get("/v1/wallet/assets");
    let pending: Vec<_> =
        wallet["assets"].as_array().expect("assets").iter().map(|asset| &asset["pendingBalance"]).collect();
    assert_eq!(pending, [&json!(0), &json!(0)]);
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_limit_of_nothing_reads_with_the_key_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let data = folder.path().to_str().expect("a path");
    let arguments = ["--data", data, "--max-spend", "0", "--only", "account,orders,sets,fill,session.keys"];
    let (output, report) = check(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(ids(&report, "holds").contains(&"account.portfolio"));
    let untried = ids(&report, "notTried");
    for id in ["orders.rest", "orders.market", "sets.mint_and_burn", "fill.trade", "session.keys"] {
        assert!(untried.contains(&id), "{untried:?}");
    }
    let (_, orders) = demo.get("/v1/pm/orders");
    assert_eq!(orders["pagination"]["totalCount"], 0);
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_server_that_does_not_answer_differs_and_wrong_options_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    // A port that nothing listens on: bound, then released.
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port");
    let (output, report) =
        check(folder.path(), &["--url", &format!("http://{port}"), "--only", "system,events.list"]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(ids(&report, "differs").contains(&"system.health"));
    let key = folder.path().join("key.json");
    fs::write(&key, r#"{"publicKey":"pk_live_1","secretKey":"sk_live_2"}"#).expect("a file");
    let key = key.to_str().expect("a path");
    for (arguments, message) in [
        (vec!["--url", "ftp://example.org"], "begins with http:// or https://"),
        (vec!["--stream-url", "http://example.org"], "begins with ws:// or wss://"),
        (vec!["--key", "/nowhere/key.json"], "cannot be read"),
        (vec!["--only", "orders,ordres"], "--only ordres"),
        (vec!["--list", "--only", "ordres"], "--only ordres"),
        (vec!["--url", &format!("http://{port}"), "--key", key, "--second-key", key], "another account"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        let output = command.arg("conformance").args(arguments).output().expect("the executable runs");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(shown(&output).contains(message), "{}", shown(&output));
    }
}
