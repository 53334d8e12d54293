//! The executable as a child process, and its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, thread};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use patience::PATIENCE;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// A running sandbox; killed if a test ends early.
pub(crate) struct Sandbox {
    process: Child,
    pub(crate) addresses: Value,
}

/// A user with a key.
#[derive(Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) public_key: String,
    pub(crate) secret_key: String,
}

/// The first market of an event.
pub(crate) struct Market {
    pub(crate) event: String,
    pub(crate) id: String,
    pub(crate) yes: String,
    pub(crate) no: String,
}

impl Market {
    pub(crate) fn orders(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}/orders", self.event, self.id)
    }
}

/// Another command of the executable that serves, on free ports.
pub(crate) fn bellwether(verb: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args([verb, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command
}

pub(crate) fn command(folder: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    let ports =
        ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"];
    command.arg("sandbox").args(ports).arg("--data").arg(folder).args(flags).stdout(Stdio::null());
    command
}

/// Runs a command that must end by itself.
pub(crate) fn ended(command: &mut Command) -> Output {
    let mut process =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the executable starts");
    let refused = || "it keeps running, and should have been refused".to_owned();
    patience::until(refused, || process.try_wait().expect("a child").is_some());
    process.wait_with_output().expect("its output")
}

impl Sandbox {
    /// A sandbox with seed 7 and without limits on the rate of requests.
    pub(crate) fn start(folder: &Path) -> Sandbox {
        Sandbox::start_with(folder, &["--seed", "7", "--no-limits"])
    }

    pub(crate) fn start_with(folder: &Path, flags: &[&str]) -> Sandbox {
        let file = folder.join("sandbox-addresses.json");
        // A file of an earlier start would name dead addresses.
        let _ = fs::remove_file(&file);
        let process = command(folder, flags).spawn().expect("the executable starts");
        let mut sandbox = Sandbox { process, addresses: Value::Null };
        sandbox.addresses = patience::answer("the sandbox does not serve", || {
            assert!(sandbox.process.try_wait().expect("a child").is_none(), "the sandbox ended early");
            serde_json::from_slice(&fs::read(&file).ok()?).ok()
        });
        sandbox
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.addresses[name].as_str().unwrap_or_else(|| panic!("the addresses have {name}"))
    }

    /// The public address without its scheme.
    pub(crate) fn host(&self) -> &str {
        self.text("baseUrl").trim_start_matches("http://")
    }

    /// Ends it as an operator would.
    pub(crate) fn terminate(mut self) -> ExitStatus {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("a signal");
        self.process.wait().expect("an end")
    }

    pub(crate) fn kill(mut self) {
        self.process.kill().expect("a kill -9");
        self.process.wait().expect("an end");
    }

    /// A request to the sandbox's own API.
    pub(crate) fn control(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let bytes = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).expect("JSON") };
        let url = format!("{}/sandbox/v1{path}", self.text("sandboxUrl"));
        send(method, &url, &[], &bytes).expect("an answer")
    }

    /// A request to the sandbox's own API that must succeed.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.control(method, path, body);
        assert!((200..300).contains(&status), "{method} {path} {body}: {status} {answer}");
        answer
    }

    pub(crate) fn advance(&self, seconds: i64) -> Value {
        self.ask("POST", "/clock/advance", &json!({ "seconds": seconds }))
    }

    pub(crate) fn user(&self, tag: &str) -> User {
        let made = self.ask("POST", "/users", &json!({ "tag": tag }));
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        User { id: text("userId"), public_key: text("publicKey"), secret_key: text("secretKey") }
    }

    pub(crate) fn get(&self, user: &User, path: &str) -> Value {
        let (status, answer) = self.read(user, path);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub(crate) fn read(&self, user: &User, path: &str) -> (u16, Value) {
        let headers = [("X-Public-Key", user.public_key.clone())];
        send("GET", &format!("{}{path}", self.text("baseUrl")), &headers, b"").expect("an answer")
    }

    /// A signed write. `None`: the connection ended before the answer did.
    pub(crate) fn write(
        &self,
        user: &User,
        method: &str,
        path: &str,
        body: &Value,
        extra: &[(&'static str, String)],
    ) -> Option<(u16, Value)> {
        let body = serde_json::to_vec(body).expect("JSON");
        let mut headers = signed(user, method, path, &body);
        headers.extend_from_slice(extra);
        send(method, &format!("{}{path}", self.text("baseUrl")), &headers, &body)
    }

    /// A request of an operator with the token of the sandbox's own operator.
    pub(crate) fn operate(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let token = [("Authorization", format!("Bearer {}", self.text("operatorToken")))];
        let bytes = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).expect("JSON") };
        send(method, &format!("{}/admin/v1{path}", self.text("adminUrl")), &token, &bytes).expect("an answer")
    }

    pub(crate) fn market(&self, slug: &str) -> Market {
        let url = format!("{}/v1/pm/events/slug/{slug}", self.text("baseUrl"));
        let (status, event) = send("GET", &url, &[], b"").expect("an answer");
        assert_eq!(status, 200, "{event}");
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let market = &event["markets"][0];
        Market {
            event: text(&event["id"]),
            id: text(&market["id"]),
            yes: text(&market["outcome1Id"]),
            no: text(&market["outcome2Id"]),
        }
    }

    /// A limit order for YES that must be accepted. Returns its id.
    pub(crate) fn bid(&self, user: &User, market: &Market, price: f64, quantity: u32) -> String {
        let (status, answer) = self
            .write(user, "POST", &market.orders(), &limit(&market.yes, price, quantity), &[])
            .expect("an answer");
        assert_eq!(status, 200, "{answer}");
        answer["order"]["id"].as_str().expect("an id").to_owned()
    }

    /// The number of open orders of a user.
    pub(crate) fn open_orders(&self, user: &User) -> u64 {
        let orders = self.get(user, "/v1/pm/orders?status=open&size=100");
        orders["pagination"]["totalCount"].as_u64().expect("a count")
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn limit(outcome: &str, price: f64, quantity: u32) -> Value {
    json!({
        "side": "BUY", "outcomeId": outcome, "type": "LIMIT", "price": price, "quantity": quantity,
        "currency": "USD",
    })
}

/// The headers of a signed request.
pub(crate) fn signed(user: &User, method: &str, path: &str, body: &[u8]) -> Vec<(&'static str, String)> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs().to_string();
    let hash = if body.is_empty() { String::new() } else { body_hash(body) };
    let payload = Payload { timestamp: &now, method, path, body_hash: &hash };
    let signature = SigningKey::new(&SecretKey::from_text(&user.secret_key)).sign(&payload);
    vec![("X-Public-Key", user.public_key.clone()), ("X-Timestamp", now), ("X-Signature", signature)]
}

/// Sends a request on a connection of its own. `None`: it ended before the answer did.
pub(crate) fn send(
    method: &str,
    url: &str,
    headers: &[(&'static str, String)],
    body: &[u8],
) -> Option<(u16, Value)> {
    let (status, body) = send_for_text(method, url, headers, body)?;
    Some((status, serde_json::from_str(&body).expect("a JSON body")))
}

pub(crate) fn send_for_text(
    method: &str,
    url: &str,
    headers: &[(&'static str, String)],
    body: &[u8],
) -> Option<(u16, String)> {
    let mut request =
        http::Request::builder().method(method).uri(url).header("Content-Type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request.body(body.to_vec()).expect("a request");
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .build()
        .into();
    let mut response = agent.run(request).ok()?;
    let text = response.body_mut().read_to_string().ok()?;
    Some((response.status().as_u16(), text))
}

/// All bytes that a server sends in answer to a request before it closes the connection.
pub(crate) fn raw_answer(host: &str, request: &str) -> Vec<u8> {
    let mut socket = TcpStream::connect(host).expect("a connection");
    socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    socket.write_all(request.as_bytes()).expect("a request");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("an end");
    answer
}

/// The first line of a child's output that begins with `start`, without it.
pub(crate) fn line_after(process: &mut Child, start: &str) -> String {
    let output = process.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let found = lines.find_map(|line| line.strip_prefix(start).map(|rest| rest.trim().to_owned()));
    // The rest is read on, so that the child never waits for its output.
    thread::spawn(move || lines.for_each(drop));
    found.expect("the line")
}

/// A WebSocket connection.
pub(crate) struct Stream(WebSocket<MaybeTlsStream<TcpStream>>);

impl Stream {
    /// Connects, and reads the greeting.
    pub(crate) fn connect(sandbox: &Sandbox, path: &str, fault: Option<&str>) -> Stream {
        let url = format!("ws://{}{path}", sandbox.host());
        let mut request =
            tungstenite::client::IntoClientRequest::into_client_request(url).expect("an address");
        if let Some(fault) = fault {
            request.headers_mut().insert("x-sandbox-fault", fault.parse().expect("a header"));
        }
        let (socket, _) = tungstenite::connect(request).expect("a stream");
        if let MaybeTlsStream::Plain(socket) = socket.get_ref() {
            socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        }
        let mut stream = Stream(socket);
        assert_eq!(stream.next().expect("a greeting")["type"], "connected");
        stream
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("a sent message");
    }

    /// The next message except heartbeats, which the machine's clock sends. `None`: the connection ended.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message["type"] != "heartbeat" {
                        return Some(message);
                    }
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Subscribes to the changes of a market and reads up to the snapshot.
    pub(crate) fn follow(sandbox: &Sandbox, market: &Market, fault: Option<&str>) -> Stream {
        let mut stream = Stream::connect(sandbox, "/ws/v1/markets", fault);
        stream.say(&json!({"type": "subscribe", "channel": "changes", "marketIds": [market.id]}));
        assert_eq!(stream.next().expect("an answer")["type"], "subscribed");
        stream
    }

    /// The messages that are here already: `mark` is echoed by the server behind them.
    pub(crate) fn drain(&mut self) -> Vec<Value> {
        self.say(&json!({"type": "ping", "id": "mark"}));
        let mut found = Vec::new();
        while let Some(message) = self.next() {
            if message["type"] == "pong" {
                return found;
            }
            found.push(message);
        }
        found
    }
}
