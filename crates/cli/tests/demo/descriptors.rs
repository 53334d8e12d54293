//! A process with few descriptors under attack: the public listener accepts no more connections than its share, so
//! traders, operators, journal and history keep working. A start that cannot reserve enough fails with the numbers.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Output, Stdio};

use patience::PATIENCE;
use rustix::process::Pid;
use serde_json::{Value, json};
use stage::demo::{Demo, market, signed_headers};
use tokio::net::TcpSocket;
use tokio::runtime::{Builder, Runtime};

const DESCRIPTORS: u32 = 300;
/// From each of the attacker's addresses; one address alone could open half of the descriptors.
const SOCKETS: usize = 150;
/// Descriptors that no connection of the public listener gets.
const KEPT_BACK: usize = 128;

/// Runs the command with a limit of open files that it cannot raise.
fn limited(command: &Command, descriptors: u32) -> Command {
    under(command, &format!("ulimit -n {descriptors}"))
}

/// The command after a shell's `ulimit`.
fn under(command: &Command, ulimit: &str) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("{ulimit} && exec \"$@\""), "sh"]);
    limited.arg(command.get_program()).args(command.get_args()).stdout(Stdio::null());
    limited
}

/// Connects from one of the addresses of this machine's loopback.
fn connect_from(runtime: &Runtime, from: &str, to: SocketAddr) -> TcpStream {
    let connecting = async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(from.parse().expect("an address"), 0))?;
        socket.connect(to).await?.into_std()
    };
    let stream = runtime.block_on(connecting).expect("a connection");
    stream.set_nonblocking(false).expect("a blocking socket");
    stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
    stream
}

/// Opens connections that ask for large files and read nothing.
fn attack(runtime: &Runtime, from: &str, to: SocketAddr) -> Vec<TcpStream> {
    let requests = "GET /openapi.json HTTP/1.1\r\nhost: test\r\n\r\n".repeat(60);
    let begin = |_| {
        let mut stream = connect_from(runtime, from, to);
        // A connection above the limit is closed at once.
        let _ = stream.write_all(requests.as_bytes());
        stream
    };
    (0..SOCKETS).map(begin).collect()
}

struct Honest<'a> {
    runtime: &'a Runtime,
    demo: &'a Demo,
    address: SocketAddr,
}

impl Honest<'_> {
    /// One request of the first person, on a new connection from an address of its own.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, String) {
        let (public, secret) = (self.demo.text("/users/0/publicKey"), self.demo.text("/users/0/secretKey"));
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n");
        for (name, value) in signed_headers(public, secret, method, path, body) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len()));
        let mut stream = connect_from(self.runtime, "127.0.0.9", self.address);
        stream.write_all(&[head.as_bytes(), body].concat()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer in time");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), body.to_owned())
    }

    fn ask_json(&self, method: &str, path: &str, body: &[u8]) -> Value {
        let (status, body) = self.ask(method, path, body);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    fn metric(&self, name: &str) -> u64 {
        let (_, text) = self.ask("GET", "/metrics", b"");
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        lines.next().and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} in {text}"))
    }
}

#[test]
fn sockets_that_are_never_read_stop_neither_traders_nor_operators_nor_history() {
    let folder = tempfile::tempdir().expect("a folder");
    // A high limit, so that requests are not refused for another reason.
    let flags = ["--no-bots", "--public-per-second=100000", "--public-metrics"];
    let command = Demo::command(folder.path(), &flags);
    let demo = Demo::started(folder.path(), &mut limited(&command, DESCRIPTORS));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let address = demo.text("/baseUrl").trim_start_matches("http://").parse().expect("an address");
    let honest = Honest { runtime: &runtime, demo: &demo, address };
    let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
    let token = demo.text("/operatorToken").to_owned();
    let mut held = Vec::new();
    for (number, from) in ["127.0.0.2", "127.0.0.3", "127.0.0.4"].into_iter().enumerate() {
        held.extend(attack(&runtime, from, address));
        let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
        let placed = honest.ask_json("POST", &path, order.to_string().as_bytes());
        let order = format!("/v1/pm/orders/{}", placed["order"]["id"].as_str().expect("an id"));
        honest.ask_json("DELETE", &order, b"");
        assert_eq!(honest.ask_json("GET", &order, b"")["status"], "cancelled", "out of history");
        let person = json!({
            "email": format!("new{number}@example.org"), "tag": format!("new{number}"), "password": "long enough",
        });
        let (status, created) = demo.operate(&token, "/admin/v1/users", &person);
        assert_eq!(status, 201, "{created}");
    }
    assert!(honest.metric("bellwether_connections_refused_total") > 0);
    assert_eq!(honest.metric("bellwether_history_stopped"), 0);
    assert_eq!(demo.terminate().code(), Some(0), "the journal gives the state that was served");
    drop(held);
}

/// Enough networks to use all of the public listener's connections: the listener is full, and the reserve is
/// untouched.
#[test]
fn a_full_public_listener_leaves_descriptors_to_operators_journal_and_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = Demo::command(folder.path(), &["--no-bots", "--past-days", "0"]);
    let demo = Demo::started(folder.path(), &mut limited(&command, DESCRIPTORS));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let address = demo.text("/baseUrl").trim_start_matches("http://").parse().expect("an address");
    let token = demo.text("/operatorToken").to_owned();
    let open = || {
        let entries = fs::read_dir(format!("/proc/{}/fd", demo.pid().as_raw_nonzero()));
        entries.expect("the descriptors of a process").count()
    };
    let mut held = Vec::new();
    for number in 2..=7 {
        held.extend(attack(&runtime, &format!("127.0.0.{number}"), address));
        let open = open();
        assert!(open <= DESCRIPTORS as usize - KEPT_BACK, "{open} descriptors are open");
        let person = json!({
            "email": format!("new{number}@example.org"), "tag": format!("new{number}"), "password": "long enough",
        });
        let (status, created) = demo.operate(&token, "/admin/v1/users", &person);
        assert_eq!(status, 201, "{created}");
    }
    drop(held);
    assert_eq!(demo.terminate().code(), Some(0), "the journal gives the state that was served");
}

#[test]
fn a_start_that_cannot_reserve_descriptors_reports_how_many_it_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let serve = |descriptors: u32, flags: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        command.args(["serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--data"]);
        command.arg(folder.path()).args(flags);
        Demo::ended(&mut limited(&command, descriptors))
    };
    for (descriptors, flags, expected) in [
        (100, &[][..], "this process may open 100 files, and an exchange needs at least 256"),
        (300, &["--connections=290"], "connections is 290, but "),
        (300, &["--connections=20", "--connections-per-network=21"], "connections-per-network is 21"),
    ] {
        let output = serve(descriptors, flags);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

/// The soft and the hard limit of open files of a process.
fn open_files(process: Pid) -> (String, String) {
    let path = format!("/proc/{}/limits", process.as_raw_nonzero());
    let limits = fs::read_to_string(path).expect("the limits of a process");
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a line");
    let mut words = line.split_whitespace().map(str::to_owned);
    (words.next().expect("a soft limit"), words.next().expect("a hard limit"))
}

#[test]
fn a_start_raises_its_descriptor_limit_to_the_hard_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = Demo::command(folder.path(), &["--no-bots", "--past-days", "0"]);
    let demo = Demo::started(folder.path(), &mut under(&command, "ulimit -Sn 300 && ulimit -Hn 2000"));
    assert_eq!(open_files(demo.pid()), ("2000".to_owned(), "2000".to_owned()));
    assert_eq!(demo.terminate().code(), Some(0));
}

/// Sends a request on a connection that stays open, and returns the status.
fn ask_on(stream: &mut TcpStream, authorization: &str) -> String {
    let request = format!("GET /admin/v1/status HTTP/1.1\r\nhost: test\r\n{authorization}\r\n");
    let _ = stream.write_all(request.as_bytes());
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer[9..]).into_owned()
}

#[test]
fn operators_have_64_connections_and_strangers_half_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(folder.path(), &["--no-bots", "--past-days", "0"]);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let address = demo.text("/adminUrl").trim_start_matches("http://").parse().expect("an address");
    let operator = format!("authorization: Bearer {}\r\n", demo.text("/operatorToken"));
    let mut held = Vec::new();
    let mut hold = |from: &str, count: u32, authorization: &str, status: &str| {
        for number in 0..count {
            let mut stream = connect_from(&runtime, from, address);
            assert_eq!(ask_on(&mut stream, authorization), status, "{from} {number}");
            held.push(stream);
        }
    };
    // Nothing is sent on this connection: it is refused before any request.
    let refused = |from: &str, status: &str| {
        let mut answer = String::new();
        connect_from(&runtime, from, address).read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{from}: {answer}");
    };
    hold("127.0.0.2", 16, "", "401");
    refused("127.0.0.2", "429");
    // An operator from a new place: one of the strangers, until the token is verified.
    hold("127.0.0.4", 1, &operator, "200");
    hold("127.0.0.3", 15, "", "401");
    refused("127.0.0.3", "503");
    hold("127.0.0.4", 31, &operator, "200");
    refused("127.0.0.4", "429");
    assert_eq!(demo.get("/health").0, 200, "the public listener has its own");
    drop(held);
    assert_eq!(demo.terminate().code(), Some(0));
}
