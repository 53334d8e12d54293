//! No secret is stored: neither in the journal nor in snapshots, history or the most verbose logs.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use journal::disk::RealDisk;
use journal::snapshots::SnapshotStore;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stage::demo::{Demo, market, signed_headers};
use uuid::Uuid;

const KEYS: &str = "/v1/user/me/api-keys";
const TRACE: (&str, &str) = ("x-trace-id", "trace-of-the-secrets-test");
/// As much of a secret as an order's name can hold.
const NAME_BYTES: usize = 64;

/// A session with a second key that is used, rotated, and used again. Returns all secrets that were issued and must
/// not be stored. A careless user names an order and a trace like the new secret.
fn live(demo: &Demo, is_careless: bool) -> Issued {
    let traced = |method: &str, path: &str, headers: &[(&str, String)], body: &Value, trace: &str| {
        let body = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).expect("JSON") };
        let headers = [headers, &[(TRACE.0, trace.to_owned())]].concat();
        demo.send(method, path, &headers, &body).expect("an answer")
    };
    let sent = |method: &str, path: &str, headers: &[(&str, String)], body: &Value| {
        traced(method, path, headers, body, TRACE.1)
    };
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is a text")).to_owned();
    let login = json!({"email": demo.text("/users/0/email"), "password": demo.text("/users/0/password")});
    let (status, session) = sent("POST", "/v1/user/login", &[], &login);
    assert_eq!(status, 200, "{session}");
    let wrong = json!({"email": demo.text("/users/2/email"), "password": "a planted secret 7c1e7a64"});
    assert_eq!(sent("POST", "/v1/user/login", &[], &wrong).0, 401);
    let unknown = json!({"email": "stranger@demo.example", "password": "a planted secret 7c1e7a64"});
    assert_eq!(sent("POST", "/v1/user/login", &[], &unknown).0, 401);
    for (token, status) in [(demo.text("/operatorToken"), 200), ("op_a planted secret 7c1e7a64", 401)] {
        assert_eq!(log_in_to_the_console(demo, token), status);
    }
    let in_session = [("x-auth-token", text(&session["token"])), ("x-device-id", text(&session["deviceId"]))];
    let (status, created) = sent("POST", KEYS, &in_session, &json!({"name": "second"}));
    assert_eq!(status, 201, "{created}");
    let public = text(&created["publicKey"]);
    let (path, yes) = market(demo, "rain-in-lagos-on-new-years-day");
    let place = |secret: &str, name: &str, trace: &str| {
        let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10, "clientOrderId": name});
        let body = serde_json::to_vec(&order).expect("JSON");
        let mut headers = signed_headers(&public, secret, "POST", &path, &body).to_vec();
        headers.push(("idempotency-key", name.to_owned()));
        traced("POST", &path, &headers, &order, trace)
    };
    assert_eq!(place(&text(&created["secretKey"]), "first", TRACE.1).0, 200);
    let (status, rotated) =
        sent("POST", &format!("{KEYS}/{}/rotate", text(&created["id"])), &in_session, &Value::Null);
    assert_eq!(status, 200, "{rotated}");
    assert_eq!(place(&text(&created["secretKey"]), "void", TRACE.1).0, 401);
    let secret = text(&rotated["secretKey"]);
    let (name, trace) = if is_careless { (&secret[..NAME_BYTES], &*secret) } else { ("second", TRACE.1) };
    let (status, placed) = place(&secret, name, trace);
    assert_eq!(status, 200, "{placed}");
    assert_eq!(sent("GET", KEYS, &in_session, &Value::Null).0, 200);
    let page = [("x-bellwether-page", "1".to_owned()), ("sec-fetch-site", "same-origin".to_owned())];
    let login = json!({"email": demo.text("/users/1/email"), "password": demo.text("/users/1/password")});
    let (status, on_page) = sent("POST", "/web/session", &page, &login);
    assert_eq!(status, 200, "{on_page}");
    let cookie = ("cookie", format!("bellwether_session={}", text(&session["token"])));
    let [header, site] = page;
    assert_eq!(sent("GET", "/v1/pm/portfolio", &[header, site, cookie], &Value::Null).0, 200);
    let mut secrets = vec![
        "a planted secret 7c1e7a64".to_owned(),
        text(&created["secretKey"]),
        secret.clone(),
        text(&session["token"]),
        demo.text("/operatorToken").to_owned(),
    ];
    for user in 0..6 {
        secrets.push(demo.text(&format!("/users/{user}/secretKey")).to_owned());
        secrets.push(demo.text(&format!("/users/{user}/password")).to_owned());
    }
    Issued { secrets, public, order: text(&placed["order"]["id"]) }
}

/// The status of an operator's login.
fn log_in_to_the_console(demo: &Demo, token: &str) -> u16 {
    let request = ureq::post(format!("{}/web/session", demo.text("/adminUrl")))
        .header("content-type", "application/json")
        .header("x-bellwether-page", "1")
        .header("sec-fetch-site", "same-origin");
    let request = request.config().http_status_as_error(false).build();
    let answer = request.send(json!({"token": token}).to_string().as_bytes()).expect("an answer");
    answer.status().as_u16()
}

struct Issued {
    secrets: Vec<String>,
    public: String,
    order: String,
}

fn contains(bytes: &[u8], text: impl AsRef<[u8]>) -> bool {
    let text = text.as_ref();
    bytes.windows(text.len()).any(|window| window == text)
}

/// Every file of a folder and of its folders, one after the other, without the zeros that a segment is filled with.
fn files(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            all.extend(files(&path));
            continue;
        }
        let bytes = fs::read(path).expect("bytes");
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        all.extend_from_slice(&bytes[..used]);
    }
    all
}

/// Everything that a demo leaves behind, place by place. Each place contains at least one known text.
fn left_behind(is_careless: bool) -> (Issued, [(&'static str, Vec<u8>); 4]) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let mut command = Demo::command(folder.path(), &["--no-bots", "--log=trace"]);
    command.stderr(File::create(&log).expect("a file for the log"));
    let demo = Demo::started(folder.path(), &mut command);
    let issued = live(&demo, is_careless);
    assert_eq!(demo.terminate().code(), Some(0));
    let disk = RealDisk::new(folder.path().join("snapshots")).expect("a folder");
    let latest = SnapshotStore::new(Arc::new(disk)).latest().expect("snapshots");
    let left = [
        ("the journal", files(&folder.path().join("journal"))),
        ("the snapshot", latest.snapshot.expect("a snapshot at the end").content),
        ("history", files(&folder.path().join("history"))),
        ("the log", fs::read(&log).expect("a log")),
    ];
    // The random end of an id, which packing leaves as it is.
    let order = Uuid::parse_str(&issued.order).expect("an id");
    let order = &order.as_bytes()[8..];
    let witnesses = [issued.public.as_bytes(), issued.public.as_bytes(), order, TRACE.1.as_bytes()];
    for ((place, bytes), witness) in left.iter().zip(witnesses) {
        assert!(contains(bytes, witness), "{place} is read as it is written: it has {witness:?}");
    }
    (issued, left)
}

#[test]
fn no_secret_is_in_the_journal_in_snapshots_in_history_or_in_the_logs() {
    let (issued, left) = left_behind(false);
    for (place, bytes) in &left {
        assert!(!contains(bytes, "sk_"), "a secret's beginning is in {place}");
        for secret in &issued.secrets {
            // Without their common prefix, which a writer may have left out.
            let part = &secret[secret.len() - 12..];
            assert!(!contains(bytes, part), "the end of a secret is in {place}");
        }
    }
    let [.., (_, log)] = &left;
    assert!(!contains(log, "pk_"), "public keys are not logged either");
    let log = String::from_utf8_lossy(log);
    let answered = |level: &str, status: &str| {
        let is_it = |line: &str| [level, "answered", TRACE.1, status].iter().all(|part| line.contains(part));
        log.lines().any(is_it)
    };
    assert!(
        answered(" INFO", "status=200") && !answered("DEBUG", "status=200"),
        "a request that goes well is logged"
    );
    assert!(answered(" INFO", "status=401"), "a refusal is logged");
    assert!(!log.contains("@demo.example"), "an email is never logged");
    let logins: Vec<&str> = log.lines().filter(|line| line.contains("access: login")).collect();
    let login = |parts: &[&str], without: &[&str]| {
        let is_it = |line: &&str| {
            parts.iter().all(|part| line.contains(part)) && !without.iter().any(|part| line.contains(part))
        };
        logins.iter().filter(|line| is_it(line)).count()
    };
    let accepted = [" INFO", "outcome=\"accepted\"", "address=127.0.0.1", " id="];
    assert_eq!(login(&[&accepted[..], &[" user="]].concat(), &[" operator="]), 2, "{logins:#?}");
    let wrong = [" INFO", "outcome=\"wrong_credentials\"", "address=127.0.0.1", " id="];
    assert_eq!(login(&[&wrong[..], &[" user="]].concat(), &[]), 1, "a known user, a wrong password");
    assert_eq!(login(&wrong, &[" user="]), 1, "an email without an account has no user: {logins:#?}");
    assert_eq!(login(&[&accepted[..], &[" operator="]].concat(), &[" user="]), 1, "{logins:#?}");
    let stranger = [" INFO", "outcome=\"unknown_operator\"", "address=127.0.0.1", " id="];
    assert_eq!(login(&stranger, &[" operator=", " user="]), 1, "{logins:#?}");
    let is_order = |line: &&str| line.contains("/markets/{marketId}/orders") && line.contains("status=200");
    let order = log.lines().find(is_order).expect("the line of an order");
    for part in ["access: answered", " id=", " micros=", " user=", " key=", " command=", "address=127."] {
        assert!(order.contains(part), "{part}: {order}");
    }
}

#[test]
fn the_search_finds_a_secret_in_each_place_when_its_owner_sends_it_as_a_name() {
    let (issued, left) = left_behind(true);
    for (place, bytes) in &left {
        let sent = &issued.secrets[2][..NAME_BYTES];
        assert!(contains(bytes, "sk_") && contains(bytes, sent), "{place} has what was sent");
    }
}

#[test]
fn the_first_start_keeps_the_operators_token_in_a_private_file_and_names_the_file_alone() {
    for format in ["json", "text"] {
        let folder = tempfile::tempdir().expect("a folder");
        let (log, token_file) = (folder.path().join("log"), folder.path().join("operator.token"));
        let flags = [
            "serve",
            "--listen=127.0.0.1:0",
            "--admin-listen=127.0.0.1:0",
            "--low-disk-mib=0",
            "--log=trace",
            "--drain-seconds=0",
        ];
        let mut process = Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(flags)
            .arg(format!("--log-format={format}"))
            .arg("--data")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("a file for the log"))
            .spawn()
            .expect("the executable starts");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut said = String::new();
        while !said.contains("Operators' page and API") {
            assert_ne!(output.read_line(&mut said).expect("a line"), 0, "it ended early: {said}");
        }
        kill_process(Pid::from_child(&process), Signal::TERM).expect("a signal");
        output.read_to_string(&mut said).expect("the rest");
        assert_eq!(process.wait().expect("an end").code(), Some(0));

        let token = fs::read_to_string(&token_file).expect("a token");
        assert_eq!(fs::metadata(&token_file).expect("a file").permissions().mode() & 0o777, 0o600);
        let logged = fs::read_to_string(&log).expect("a log");
        for (place, text) in [("its output", &said), ("its log", &logged)] {
            assert!(text.contains(&token_file.display().to_string()), "{place} names the file: {text}");
            assert!(!text.contains(token.trim()) && !text.contains("op_"), "{place} has the token");
        }
        if format == "json" {
            for line in logged.lines() {
                serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            }
        }
    }
}
