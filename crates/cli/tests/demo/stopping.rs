//! A graceful stop while a request is being served.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use patience::PATIENCE;
use rustix::process::{Signal, kill_process};
use serde_json::json;
use stage::demo::{Demo, market, signed_headers};

#[test]
fn a_request_in_flight_is_answered_after_sigterm_and_ready_is_false_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let body =
        json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10}).to_string();
    let (public, secret) = (demo.text("/users/0/publicKey"), demo.text("/users/0/secretKey"));
    let mut head = format!("POST {path} HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\n");
    for (name, value) in signed_headers(public, secret, "POST", &path, body.as_bytes()) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    let mut stream =
        TcpStream::connect(demo.text("/baseUrl").trim_start_matches("http://")).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
    stream.write_all(head.as_bytes()).expect("a head");
    let mut wanted = [0; 25];
    stream.read_exact(&mut wanted).expect("an answer");
    assert_eq!(&wanted, b"HTTP/1.1 100 Continue\r\n\r\n", "the server waits for the body");

    kill_process(demo.pid(), Signal::TERM).expect("a signal");
    let asked = Instant::now();
    let ready = loop {
        // An old connection may end during a request; the next one is new.
        if let Some((503, ready)) = demo.get_as(0, "/ready") {
            break ready;
        }
        assert!(asked.elapsed() < PATIENCE, "ready all the time");
    };
    assert_eq!((&ready["ready"], &ready["replayed"]), (&json!(false), &json!(true)));
    assert_eq!(demo.get("/health"), (200, json!({"status": "ok"})));

    stream.write_all(body.as_bytes()).expect("a body");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer and an end");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"status\":\"open\""), "{answer}");
    assert_eq!(demo.wait().code(), Some(0), "the journal gives the state that was served");
}

#[test]
fn a_closed_terminal_stops_a_demo_in_order_and_other_signals_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    // As at a terminal, also if these tests were started by `nohup`.
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(env!("CARGO_BIN_EXE_bellwether"));
    command.args(Demo::command(folder.path(), &["--no-bots", "--log=info"]).get_args());
    command.stdout(Stdio::null()).stderr(File::create(&log).expect("a log"));
    let demo = Demo::started(folder.path(), command.env("BELLWETHER_DRAIN_SECONDS", "0"));
    kill_process(demo.pid(), Signal::USR1).expect("a signal");
    assert_eq!(demo.get("/ready").0, 200);
    kill_process(demo.pid(), Signal::HUP).expect("a signal");
    assert_eq!(demo.wait().code(), Some(0), "the journal gives the state that was served");
    let log = fs::read_to_string(log).expect("a log");
    assert!(log.contains("stopping: open requests finish"), "{log}");
}

#[test]
fn a_demo_of_nohup_outlives_its_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut nohup = Command::new("nohup");
    nohup.arg(env!("CARGO_BIN_EXE_bellwether")).args(Demo::command(folder.path(), &["--no-bots"]).get_args());
    let log = folder.path().join("log");
    nohup.stdout(Stdio::null()).stderr(File::create(&log).expect("a log"));
    let demo = Demo::started(folder.path(), &mut nohup);
    kill_process(demo.pid(), Signal::HUP).expect("a signal");
    let is_told = || fs::read_to_string(&log).expect("a log").contains("SIGHUP");
    patience::until("no line about the signal", is_told);
    assert_eq!(demo.get("/ready").0, 200);
    assert_eq!(demo.terminate().code(), Some(0));
}

/// `bellwether status` of a demo.
fn status(demo: &Demo, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(["status", "--url", demo.text("/adminUrl"), "--token-file"]);
    command.arg(folder.join("operator.token")).output().expect("the executable runs")
}

#[test]
fn a_stopping_node_serves_on_while_ready_says_no_and_a_second_signal_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    // Longer than the test: only the second signal ends it.
    let demo = Demo::start_with(folder.path(), &["--no-bots", "--drain-seconds=86400"]);
    let token = demo.text("/operatorToken").to_owned();
    let ready = status(&demo, folder.path());
    assert_eq!(ready.status.code(), Some(0), "{ready:?}");
    assert!(String::from_utf8_lossy(&ready.stdout).starts_with("ready, sequence "), "{ready:?}");
    kill_process(demo.pid(), Signal::TERM).expect("a signal");
    let asked = Instant::now();
    let ready = loop {
        match demo.get_as(0, "/ready") {
            Some((503, ready)) => break ready,
            _ => assert!(asked.elapsed() < PATIENCE, "ready all the time"),
        }
    };
    assert_eq!(ready["reasons"], json!([{"code": "draining", "message": "The node is stopping"}]));
    let draining = status(&demo, folder.path());
    assert_eq!(draining.status.code(), Some(1), "{draining:?}");
    let said = String::from_utf8_lossy(&draining.stdout);
    assert!(said.starts_with("not ready, sequence "), "{said}");
    assert!(said.contains("\n  draining: The node is stopping\n"), "{said}");
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    assert_eq!(demo.post_signed(&path, &order).0, 200, "new connections and writes are still served");
    let signals = demo.look(&token, "/admin/v1/signals");
    assert_eq!((&signals["ready"], &signals["reasons"]), (&json!(false), &ready["reasons"]));
    assert_eq!(demo.terminate().code(), Some(0), "the journal gives the state that was served");
}
