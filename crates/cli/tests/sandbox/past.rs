//! A journal that is relived: without a bot the state equals the original at every comparison, with one it does not.

use std::path::Path;

use serde_json::{Value, json};

use crate::stage::{Sandbox, command, ended, send};

const FROM: &str = "2026-01-05T12:05:00Z";

/// A folder with twenty minutes of trading by virtual traders, and the market.
fn record(folder: &Path) -> String {
    let sandbox = Sandbox::start(folder);
    let market = sandbox.market("rain-tomorrow");
    for behaviour in ["maker", "noise", "toxic"] {
        sandbox.ask("POST", "/traders", &json!({"behaviour": behaviour, "marketId": market.id}));
    }
    sandbox.advance(1_200);
    assert!(sandbox.terminate().success());
    market.id
}

fn relive(folder: &Path, journal: &Path) -> Sandbox {
    let journal = journal.to_str().expect("a path in text");
    Sandbox::start_with(folder, &["--no-limits", "--journal", journal, "--from", FROM])
}

fn past(sandbox: &Sandbox) -> Value {
    sandbox.ask("GET", "/past", &Value::Null)
}

#[test]
fn a_relived_journal_gives_the_original_state_and_says_what_a_bot_changes() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [original, alone, with_bot] = folders.each_ref().map(|folder| folder.path());
    let market = record(original);
    let sandbox = relive(alone, original);
    let clock = sandbox.ask("GET", "/clock", &Value::Null);
    assert!(clock["now"].as_str().expect("a time").starts_with("2026-01-05T12:05:00"), "{clock}");
    assert_eq!(past(&sandbox)["ended"], false);
    sandbox.advance(1_200);
    let report = past(&sandbox);
    assert_eq!(
        (&report["ended"], &report["refused"], &report["differing"]),
        (&json!(true), &json!(0), &json!(0))
    );
    assert!(report["checkpoints"].as_u64() > Some(0) && report["commands"].as_u64() > Some(500), "{report}");
    let (status, _) = sandbox.control("POST", "/reset", &Value::Null);
    assert_eq!(status, 409);
    assert!(sandbox.terminate().success());

    let sandbox = relive(with_bot, original);
    let ada = sandbox.user("ada");
    assert!(ada.public_key.starts_with("pk_test_"));
    let place = sandbox.market("rain-tomorrow");
    assert_eq!(place.id, market);
    // The maker's quotes are taken before the others come.
    let order =
        json!({"side": "BUY", "outcomeId": place.yes, "type": "MARKET", "amount": 100, "currency": "USD"});
    let (status, answer) = sandbox.write(&ada, "POST", &place.orders(), &order, &[]).expect("an answer");
    assert_eq!(status, 200, "{answer}");
    sandbox.advance(1_200);
    let with_bot = past(&sandbox);
    assert_eq!((&with_bot["ended"], &with_bot["commands"]), (&json!(true), &report["commands"]));
    let key = [("X-Public-Key", format!("pk_live_{}", "0".repeat(32)))];
    let url = format!("{}/v1/pm/orders", sandbox.text("baseUrl"));
    assert_eq!(send("GET", &url, &key, b"").expect("an answer").0, 401, "the past cannot log in");
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
