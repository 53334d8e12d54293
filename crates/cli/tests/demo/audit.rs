//! `verify`, `replay`, `backup`, `restore` and `verify-proof` by the real executable, while it serves and trades.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};
use stage::demo::{Demo, market};

const FLAGS: &[&str] =
    &["--no-bots", "--read-per-second=100000", "--write-per-second=100000", "--public-per-second=100000"];

fn bellwether(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).output().expect("the executable runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = bellwether(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    said(&output)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Trades until `is_over` is set; returns the number of answered orders.
fn trade(demo: &Demo, user: usize, is_over: &AtomicBool) -> u64 {
    let (path, yes) = market(demo, "rain-in-lagos-on-new-years-day");
    let mut answered = 0;
    while !is_over.load(Ordering::Acquire) {
        let side = if answered % 3 == 2 { "SELL" } else { "BUY" };
        let order = json!({"side": side, "outcomeId": yes, "type": "MARKET", "amount": 2});
        let body = serde_json::to_vec(&order).expect("JSON");
        let (status, placed) = demo.send_signed(user, "POST", &path, &body).expect("an answer");
        assert!(matches!(status, 200 | 422), "{placed}");
        answered += 1;
    }
    answered
}

#[test]
fn a_backup_under_load_is_restored_elsewhere_to_the_digest_of_its_source() {
    let room = tempfile::tempdir().expect("a folder");
    let [data, first, second, back] = ["data", "first", "second", "back"].map(|name| room.path().join(name));
    let demo = Demo::start_with(&data, FLAGS);
    let is_over = AtomicBool::new(false);
    let answered = thread::scope(|scope| {
        let traders: Vec<_> = (0..3)
            .map(|user| {
                scope.spawn({
                    let (demo, is_over) = (&demo, &is_over);
                    move || trade(demo, user, is_over)
                })
            })
            .collect();
        for target in [&first, &second] {
            let shown = succeeds(&["backup", "--data", text(&data), text(target)]);
            assert!(shown.contains("master.key    NOT included"), "{shown}");
        }
        let verified = succeeds(&["verify", "--data", text(&data)]);
        assert!(verified.contains("holds."), "a folder in use can be proved: {verified}");
        is_over.store(true, Ordering::Release);
        traders.into_iter().map(|trader| trader.join().expect("a trader")).sum::<u64>()
    });
    assert!(answered > 20, "the load was real: {answered}");
    assert_eq!(demo.terminate().code(), Some(0));

    let manifest =
        |folder: &Path| json(&fs::read_to_string(folder.join("manifest.json")).expect("a manifest"));
    assert!(
        manifest(&first)["sequence"].as_u64() < manifest(&second)["sequence"].as_u64(),
        "it was being written"
    );
    for copy in [&first, &second] {
        let wanted = manifest(copy);
        let sequence = wanted["sequence"].to_string();
        let source = json(&succeeds(&["replay", "--data", text(&data), "--until", &sequence, "--json"]));
        assert_eq!(source["stateDigest"], wanted["stateDigest"], "the source at that sequence");
        assert_eq!(source["frameHash"], wanted["frameHash"]);
    }
    let wanted = manifest(&second);
    let shown = succeeds(&["restore", text(&second), "--data", text(&back)]);
    assert!(shown.contains(wanted["stateDigest"].as_str().expect("a digest")), "{shown}");
    assert_eq!(bellwether(&["restore", text(&second), "--data", text(&back)]).status.code(), Some(1));
    let head = format!("{}:{}", wanted["sequence"], wanted["frameHash"].as_str().expect("a hash"));
    let verified = succeeds(&["verify", "--data", text(&back), "--head", &head]);
    assert!(verified.contains(wanted["stateDigest"].as_str().expect("a digest")), "{verified}");

    // With its key restored it serves the traders again.
    for name in ["master.key", "demo.json", "operator.token"] {
        let _ = fs::copy(data.join(name), back.join(name));
    }
    let demo = Demo::start_with(&back, FLAGS);
    let (status, wallet) = demo.get("/v1/wallet/assets");
    assert_eq!(status, 200, "{wallet}");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_proof_is_checked_offline_and_a_past_state_is_shown() {
    let room = tempfile::tempdir().expect("a folder");
    let data = room.path().join("data");
    let demo = Demo::start_with(&data, FLAGS);
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": 10});
    assert_eq!(demo.post_signed(&path, &order).0, 200);
    let (status, published) = demo.get("/v1/pm/solvency");
    assert_eq!((status, &published["solvent"]), (200, &json!(true)), "{published}");
    let root = published["proof"]["root"].as_str().expect("a root").to_owned();
    let proof = demo.get("/v1/pm/solvency/me").1;
    let sequence = demo.get("/ready").1["sequence"].to_string();
    assert_eq!(demo.terminate().code(), Some(0));

    let file = room.path().join("proof.json");
    fs::write(&file, proof.to_string()).expect("a file");
    let shown = succeeds(&["verify-proof", text(&file), "--root", &root]);
    assert!(shown.contains("The proof holds"), "{shown}");
    let (unread, pipe) = std::io::pipe().expect("a pipe");
    drop(unread);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    let cut = command.args(["verify-proof", text(&file)]).stdout(pipe).output().expect("the executable runs");
    assert_eq!(
        (cut.status.code(), &cut.stderr[..]),
        (Some(141), &b""[..]),
        "it ends without a word: {cut:?}"
    );
    let mut piped = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["verify-proof", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the executable runs");
    piped
        .stdin
        .take()
        .expect("its input")
        .write_all(proof.to_string().as_bytes())
        .expect("a proof on its way");
    assert_eq!(piped.wait_with_output().expect("an end").status.code(), Some(0));
    let other = bellwether(&["verify-proof", text(&file), "--root", &"0".repeat(64)]);
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let mut richer = proof.clone();
    richer["leaf"]["balances"]["USD"]["free"] = json!(1_000_000);
    fs::write(&file, richer.to_string()).expect("a file");
    let refused = bellwether(&["verify-proof", text(&file)]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("does NOT hold"), "{refused:?}");

    shows_the_past(&data, &sequence, &proof["leaf"]);
}

/// The proved account and its market, from the journal.
fn shows_the_past(data: &Path, sequence: &str, leaf: &Value) {
    let market_id = leaf["positions"][0]["marketId"].as_str().expect("a market");
    let user = leaf["userId"].as_str().expect("a user");
    let shown = succeeds(&[
        "replay",
        "--data",
        text(data),
        "--until",
        sequence,
        "--user",
        user,
        "--market",
        market_id,
    ]);
    assert!(shown.contains("collateral") && shown.contains("rain-in-lagos-on-new-years-day"), "{shown}");
    assert!(shown.contains(user) && shown.contains(market_id), "{shown}");
    let tag = json(&succeeds(&[
        "replay",
        "--data",
        text(data),
        "--until",
        sequence,
        "--user",
        user,
        "--json",
    ]))["user"]["tag"]
        .clone();
    let by_tag = [
        "replay",
        "--data",
        text(data),
        "--until",
        "2099-01-01T00:00:00Z",
        "--user",
        tag.as_str().expect("a tag"),
        "--json",
    ];
    let state = json(&succeeds(&by_tag));
    assert_eq!(state["user"]["account"], *leaf, "nothing happened since");
    assert_eq!(state["currencies"][0]["sum"], 0);
    let early = json(&succeeds(&["replay", "--data", text(data), "--until", "1", "--json"]));
    assert_eq!((&early["sequence"], &early["hasMore"]), (&json!(1), &json!(true)));
    assert_eq!(bellwether(&["replay", "--data", text(data), "--until", "soon"]).status.code(), Some(2));
}

#[test]
fn verify_reports_its_finding_by_its_exit_code() {
    let room = tempfile::tempdir().expect("a folder");
    let data = room.path().join("data");
    let demo = Demo::start_with(&data, FLAGS);
    assert_eq!(demo.terminate().code(), Some(0));
    assert!(succeeds(&["verify", "--data", text(&data)]).contains("1 snapshots"));
    let absent = format!("9999999:{}", "0".repeat(64));
    let shown = bellwether(&["verify", "--data", text(&data), "--head", &absent]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(said(&shown).contains("9999999 was published"), "{shown:?}");

    let segment = data.join("journal/00000000000000000001.segment");
    let good = fs::read(&segment).expect("a segment");
    let end = good.iter().rposition(|byte| *byte != 0).expect("a frame");
    let mut bytes = good.clone();
    bytes[end / 2] ^= 1;
    fs::write(&segment, &bytes).expect("a changed segment");
    let shown = bellwether(&["verify", "--data", text(&data)]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(said(&shown).contains("BROKEN") && said(&shown).contains("offset"), "{shown:?}");
    // The end mark of the last frame: a crash during the write looks the same.
    bytes = good;
    bytes[end] = 0;
    fs::write(&segment, &bytes).expect("a changed segment");
    let _ = fs::remove_dir_all(data.join("snapshots"));
    let shown = bellwether(&["verify", "--data", text(&data)]);
    assert_eq!(shown.status.code(), Some(2), "{shown:?}");
    assert!(said(&shown).contains("IN DOUBT"), "{shown:?}");
    assert_eq!(bellwether(&["verify", "--data", text(&room.path().join("nowhere"))]).status.code(), Some(1));
}
