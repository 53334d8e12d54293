//! `rebuild-history` by the real executable: the same answers afterwards, and a refusal for a folder in use.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use stage::demo::{Demo, market};

fn rebuild(folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.arg("rebuild-history").arg("--data").arg(folder).output().expect("the executable runs")
}

/// Reads that only history can answer, as the user who traded.
fn reads(demo: &Demo) -> Vec<Value> {
    let market =
        demo.get("/v1/pm/trades?size=1").1["data"][0]["marketId"].as_str().expect("a trade").to_owned();
    let paths = [
        "/v1/pm/trades?size=100".to_owned(),
        format!("/v1/pm/trades?marketId={market}&size=3&page=2"),
        format!("/v1/pm/markets/{market}/candles?interval=1m&to=2099-01-01T00:00:00Z"),
        "/v1/pm/orders?size=100".to_owned(),
        "/v1/pm/orders?status=filled".to_owned(),
        "/v1/pm/activities?size=100".to_owned(),
        "/v1/pm/activities?type=buys".to_owned(),
        "/v1/pm/pnl?breakdown=true".to_owned(),
    ];
    let read = |path: &String| {
        let (status, body) = demo.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        body
    };
    paths.iter().map(read).collect()
}

#[test]
fn a_history_made_again_answers_the_same_and_a_folder_in_use_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    for side in ["BUY", "BUY", "BUY", "SELL", "BUY", "SELL"] {
        let order = json!({"side": side, "outcomeId": yes, "type": "MARKET", "amount": 5});
        let (status, placed) = demo.post_signed(&path, &order);
        assert_eq!((status, placed["order"]["status"].as_str()), (200, Some("filled")), "{placed}");
    }
    let refused = rebuild(folder.path());
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("another process runs on"), "{refused:?}");
    assert!(!folder.path().join("history.new").exists(), "nothing is left of the attempt");
    assert_eq!(demo.terminate().code(), Some(0));

    let demo = Demo::start(folder.path());
    let before = reads(&demo);
    assert_eq!(demo.terminate().code(), Some(0));
    let done = rebuild(folder.path());
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("is rebuilt"), "{done:?}");
    let demo = Demo::start(folder.path());
    assert_eq!(reads(&demo), before);
    assert_eq!(demo.terminate().code(), Some(0));

    let nothing = rebuild(&folder.path().join("nowhere"));
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
}
