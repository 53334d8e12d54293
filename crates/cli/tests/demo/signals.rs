//! Signals of the executable: its access log, and traces that a stop still exports.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use serde_json::Value;
use stage::demo::Demo;

/// Runs a demo with these flags, sends one good and one refused request, and returns the lines of its log.
fn logged(flags: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let flags = [&["--no-bots", "--log-format=json"], flags].concat();
    let mut command = Demo::command(folder.path(), &flags);
    command.stderr(File::create(&log).expect("a file for the log"));
    let demo = Demo::started(folder.path(), &mut command);
    assert_eq!(demo.get("/v1/pm/events?size=1").0, 200);
    assert_eq!(demo.get("/v1/pm/no-such-path").0, 404);
    assert_eq!(demo.get("/ready").0, 200);
    assert_eq!(demo.terminate().code(), Some(0));
    let log = fs::read_to_string(&log).expect("a log");
    log.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Status and level of each response in the log.
fn responses(lines: &[Value]) -> Vec<(u64, &str)> {
    let is_access = |line: &&Value| line["target"] == "access" && line["message"] == "answered";
    let answered = lines.iter().filter(is_access);
    answered.filter_map(|line| line["status"].as_u64().zip(line["level"].as_str())).collect()
}

#[test]
fn every_request_has_a_line_at_info_unless_the_settings_leave_successes_out() {
    let lines = logged(&["--log=info"]);
    assert_eq!(responses(&lines), [(200, "INFO"), (404, "INFO")], "a probe has none");
    let line = lines.iter().find(|line| line["route"] == "/v1/pm/events").expect("the line of the read");
    assert!(line["id"].as_str().is_some_and(|id| id.len() == 16), "{line}");
    assert!(line["micros"].is_u64() && line["timestamp"].is_string(), "{line}");
    assert_eq!((line["method"].as_str(), line["address"].as_str()), (Some("GET"), Some("127.0.0.1")));
    assert!(line["user"].is_string() && line["key"].is_string(), "a caller has ids: {line}");
    assert_eq!(responses(&logged(&["--log=info", "--access-log=false"])), [(404, "INFO")]);
    assert_eq!(responses(&logged(&["--log=info,access=warn"])), []);
    let verbose = logged(&["--log=warn,access=debug", "--access-log=false"]);
    assert_eq!(responses(&verbose), [(200, "DEBUG"), (404, "INFO"), (200, "DEBUG")]);
}

/// Accepts one request and returns its bytes.
fn collect(listener: TcpListener) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let (mut bytes, mut part) = (Vec::new(), [0; 4_096]);
        loop {
            let count = stream.read(&mut part).expect("bytes");
            bytes.extend_from_slice(&part[..count]);
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.and_then(|length| length.parse().ok()).expect("a length");
            if bytes.len() >= head.len() + 4 + length {
                break;
            }
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").expect("a client that reads");
        bytes
    })
}

#[test]
fn a_demo_exports_traces_to_the_collector_that_it_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let endpoint = format!("--otlp-endpoint=http://{}", listener.local_addr().expect("an address"));
    let demo = Demo::start_with(folder.path(), &["--no-bots", &endpoint, "--otlp-sample=1"]);
    let collecting = collect(listener);
    let headers = [("x-request-id", "the-traced-one".to_owned())];
    assert_eq!(demo.send("GET", "/v1/pm/events?size=1", &headers, &[]).expect("an answer").0, 200);
    assert_eq!(demo.terminate().code(), Some(0));
    let request = collecting.join().expect("a request");
    let has = |text: &str| request.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(request.starts_with(b"POST /v1/traces HTTP/1.1\r\n") && has("application/x-protobuf"));
    assert!(has("GET /v1/pm/events") && has("the-traced-one") && has("service.name"));
}

#[test]
fn a_sample_without_a_collector_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = Demo::ended(&mut Demo::command(folder.path(), &["--otlp-sample=0.5"]));
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("otlp-sample means nothing without otlp-endpoint"), "{said}");
}
