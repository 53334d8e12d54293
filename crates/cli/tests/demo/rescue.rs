//! Rescue commands of the machine's owner while the exchange is stopped: a new approver, and a new master key. The
//! commands are those of docs/operating/one-machine.md.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use stage::demo::{Demo, market, signed_headers};

use crate::operating::ONE_MACHINE;

/// Runs the one command of a section of the guide on this folder.
fn run(section: &str, folder: &Path) -> Output {
    let (_, text) = ONE_MACHINE.split_once(section).expect("the section");
    let (_, block) = text.split_once("```\n").expect("a block");
    let command = block.split('\n').next().expect("a command");
    let words = command.strip_prefix("bellwether ").expect("a command of the executable");
    let folder = folder.display().to_string();
    let words = words.split(' ').map(|word| if word == "/var/lib/bellwether" { &folder } else { word });
    let mut executable = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    executable.args(words).env_remove("BELLWETHER_JOURNAL").output().expect("the executable runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn hash(token: &str) -> String {
    data_encoding::HEXLOWER.encode(server::secrets::token_hash(token.as_bytes()).as_bytes())
}

const BREAK_GLASS: &str = "### When no approver can act";
const MASTER_KEY: &str = "### A compromised master key";

#[test]
fn an_approver_made_by_break_glass_brings_back_operators_and_decides_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let first = demo.text("/operatorToken").to_owned();
    let lost = json!({"name": "lost", "role": "approver", "tokenHash": hash("op_a_token_that_is_lost")});
    assert_eq!(demo.operate(&first, "/admin/v1/operators", &lost).0, 201);
    let refused = run(BREAK_GLASS, folder.path());
    assert!(!refused.status.success(), "the folder is in use: {}", text(&refused.stderr));
    assert_eq!(demo.terminate().code(), Some(0));

    let done = run(BREAK_GLASS, folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let printed = text(&done.stdout);
    let token =
        printed.lines().find_map(|line| line.strip_prefix("token")).expect("a token").trim().to_owned();

    let demo = Demo::start(folder.path());
    let status = demo.look(&first, "/admin/v1/status");
    assert_eq!(status["breakGlass"], json!(["rescue"]), "every operator sees it");
    let audit = demo.look(&first, "/admin/v1/audit?size=20");
    let is_told = |entry: &Value| entry["action"] == "break_glass" && entry["by"] == "node";
    assert!(audit["entries"].as_array().expect("entries").iter().any(is_told), "{audit}");

    let policy = json!({"twoRequired": true});
    assert_eq!(demo.put(&first, "/admin/v1/policy", &policy).0, 200);
    let back = json!({"name": "nina", "role": "approver", "tokenHash": hash("op_the_token_of_nina")});
    let (code, proposed) = demo.operate(&token, "/admin/v1/operators", &back);
    assert_eq!(code, 202, "{proposed}");
    let finalise = |proposed: &Value| {
        format!("/admin/v1/proposals/{}/finalise", proposed["proposalId"].as_str().expect("an id"))
    };
    let (code, finalised) = demo.operate(&token, &finalise(&proposed), &Value::Null);
    assert_eq!(code, 200, "its own proposal about an operator: {finalised}");
    let (code, proposed) = demo.put(&first, "/admin/v1/policy", &json!({"twoRequired": false}));
    assert_eq!(code, 202);
    assert_eq!(demo.operate(&token, &finalise(&proposed), &Value::Null).0, 403, "nothing but operators");
    let (code, finalised) = demo.operate("op_the_token_of_nina", &finalise(&proposed), &Value::Null);
    assert_eq!(code, 200, "{finalised}");
}

#[test]
fn a_replaced_master_key_voids_every_api_key_until_it_is_rotated_and_another_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    assert_eq!(demo.post_signed(&path, &order).0, 200);
    assert!(!run(MASTER_KEY, folder.path()).status.success(), "the folder is in use");
    // The demo derives its passwords from the master key, so a later key would give others.
    let login = json!({"email": demo.text("/users/0/email"), "password": demo.text("/users/0/password")});
    assert_eq!(demo.terminate().code(), Some(0));

    let key = folder.path().join("master.key");
    let old = fs::read(&key).expect("a key");
    let done = run(MASTER_KEY, folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_ne!(fs::read(&key).expect("a key"), old);

    let demo = Demo::start(folder.path());
    assert_eq!(demo.post_signed(&path, &order).0, 401, "nothing signed with the old secret");
    let sent = |method: &str, path: &str, headers: &[(&str, String)], body: &Value| {
        demo.send(method, path, headers, &serde_json::to_vec(body).expect("JSON")).expect("an answer")
    };
    let (status, session) = sent("POST", "/v1/user/login", &[], &login);
    assert_eq!(status, 200, "passwords do not depend on the key: {session}");
    let word = |name: &str| session[name].as_str().expect("a text").to_owned();
    let in_session = [("x-auth-token", word("token")), ("x-device-id", word("deviceId"))];
    let (_, keys) = sent("GET", "/v1/user/me/api-keys", &in_session, &Value::Null);
    let id = keys["keys"][0]["id"].as_str().unwrap_or_else(|| panic!("a key: {keys}")).to_owned();
    let (status, rotated) =
        sent("POST", &format!("/v1/user/me/api-keys/{id}/rotate"), &in_session, &Value::Null);
    assert_eq!(status, 200, "{rotated}");
    let word = |name: &str| rotated[name].as_str().expect("a text").to_owned();
    let body = serde_json::to_vec(&order).expect("JSON");
    let headers = signed_headers(&word("publicKey"), &word("secretKey"), "POST", &path, &body);
    let (status, placed) = demo.send("POST", &path, &headers, &body).expect("an answer");
    assert_eq!(status, 200, "the new secret signs: {placed}");
    assert_eq!(demo.terminate().code(), Some(0));

    // Restores the old key, as an old backup would.
    fs::write(&key, old).expect("written");
    let refused = Demo::ended(&mut Demo::command(folder.path(), &["--no-bots"]));
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("not the key that the journal recorded"),
        "{}",
        text(&refused.stderr)
    );
}
