//! A venue with people and markets, and the executable that serves it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stage::demo::{Demo, market, try_answer};
use tempfile::TempDir;

const EVENT: &str = "rain-in-lagos-on-new-years-day";

/// A venue that the demo made. No process serves it yet.
#[derive(Debug)]
pub(crate) struct Venue {
    folder: TempDir,
    /// Addresses of the past, keys and tokens.
    demo: Value,
    /// The path of a market's orders, and the id of its YES.
    market: (String, Value),
}

impl Venue {
    /// With a journal in its folder.
    pub(crate) fn new() -> Venue {
        Venue::made(&[])
    }

    /// With a log in a database.
    pub(crate) fn on(url: &str) -> Venue {
        Venue::made(&["--journal", url])
    }

    fn made(flags: &[&str]) -> Venue {
        let folder = tempfile::tempdir().expect("a folder");
        let flags = [&["--no-bots", "--past-days", "0"], flags].concat();
        let running = Demo::start_with(&folder.path().join("data"), &flags);
        let (demo, market) = (running.json.clone(), market(&running, EVENT));
        assert_eq!(running.terminate().code(), Some(0));
        Venue { folder, demo, market }
    }

    fn text(&self, pointer: &str) -> &str {
        self.demo.pointer(pointer).and_then(Value::as_str).expect("a text of demo.json")
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// A place beside the data folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A further folder with the venue's master key, for a node of a shared log.
    pub(crate) fn node_folder(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir(&folder).expect("a folder");
        fs::copy(self.data().join("master.key"), folder.join("master.key")).expect("a copied key");
        folder
    }

    /// The command that serves a folder. `wrapper` is a program that runs it, with its arguments.
    pub(crate) fn command(&self, wrapper: &[&str], data: &Path, flags: &[&str]) -> Command {
        let words = wrapper.iter().copied().chain([env!("CARGO_BIN_EXE_bellwether"), "serve"]);
        let mut words = words.map(str::to_owned);
        let mut command = Command::new(words.next().expect("a program"));
        command.args(words).env("BELLWETHER_DRAIN_SECONDS", "0").arg("--data").arg(data);
        command.args(["--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"]).args(flags);
        command
    }

    /// Serves the venue's own folder.
    #[track_caller]
    pub(crate) fn serve(&self, flags: &[&str]) -> Running<'_> {
        self.start(&mut self.command(&[], &self.data(), flags)).expect("it serves")
    }

    /// Starts a command and waits until it serves, or returns how it ended.
    pub(crate) fn start(&self, command: &mut Command) -> Result<Running<'_>, Ended> {
        let (_, log) = tempfile::NamedTempFile::new_in(self.folder.path())
            .and_then(|file| file.keep().map_err(|error| error.error))
            .expect("a log");
        let writing = File::options().append(true).open(&log).expect("a log");
        let process = command.stdout(Stdio::piped()).stderr(writing).spawn().expect("the executable starts");
        let (address, admin) = (String::new(), String::new());
        let mut running = Running { venue: self, process, address, admin, log };
        let output = running.process.stdout.take().expect("its output");
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("Page and public API") {
                address.trim().clone_into(&mut running.address);
            }
            if let Some(address) = line.strip_prefix("Operators' page and API") {
                address.trim().clone_into(&mut running.admin);
                return Ok(running);
            }
        }
        Err(running.wait())
    }
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) log: String,
}

/// A process that serves the venue; killed at the end of a test.
#[derive(Debug)]
pub(crate) struct Running<'a> {
    venue: &'a Venue,
    process: Child,
    pub(crate) address: String,
    pub(crate) admin: String,
    log: PathBuf,
}

impl Running<'_> {
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// A read without a key.
    pub(crate) fn get(&self, path: &str) -> Option<(u16, Value)> {
        let request = ureq::get(format!("{}{path}", self.address));
        try_answer(request.config().http_status_as_error(false).build().call())
    }

    /// Status and codes of the reasons of `/ready`.
    pub(crate) fn ready(&self) -> (u16, Vec<String>) {
        let (status, body) = self.get("/ready").expect("an answer");
        let reasons = body["reasons"].as_array().cloned().unwrap_or_default();
        (status, reasons.iter().map(|reason| reason["code"].as_str().expect("a code").to_owned()).collect())
    }

    pub(crate) fn wait_until_ready(&self) {
        patience::until("the node is ready", || self.ready().0 == 200);
    }

    /// Waits until `/ready` fails for this reason.
    #[track_caller]
    pub(crate) fn wait_for_reason(&self, code: &str) {
        patience::until(
            || format!("not ready: {code}"),
            || {
                let (status, reasons) = self.ready();
                status == 503 && reasons.iter().any(|reason| reason == code)
            },
        );
    }

    /// The metrics as a scrape gets them. None: the scrape fails.
    pub(crate) fn scrape(&self) -> Option<String> {
        ureq::get(format!("{}/metrics", self.admin)).call().ok()?.body_mut().read_to_string().ok()
    }

    /// The value of a metric, with its labels if it has some.
    #[track_caller]
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.scrape().expect("metrics");
        metric_in(&text, name).unwrap_or_else(|| panic!("{name} in {text}"))
    }

    /// How many frames were durable within 0.1 s, and how many there were.
    pub(crate) fn commits(&self) -> (f64, f64) {
        let labelled = |name: &str, more: &str| {
            self.metric(&format!("bellwether_write_stage_duration_seconds_{name}{{stage=\"commit\"{more}}}"))
        };
        (labelled("bucket", ",le=\"0.1\""), labelled("count", ""))
    }

    /// A signed request of the first person, whose clock is `ahead` seconds ahead of this machine's.
    pub(crate) fn send_signed_at(
        &self,
        ahead: i64,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let text = |pointer: &str| self.venue.text(pointer);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
        let timestamp = now.checked_add_signed(ahead).expect("a time").to_string();
        let body = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).expect("JSON") };
        let hash = if body.is_empty() { String::new() } else { body_hash(&body) };
        let payload = Payload { timestamp: &timestamp, method, path, body_hash: &hash };
        let signature = SigningKey::new(&SecretKey::from_text(text("/users/0/secretKey"))).sign(&payload);
        let request = http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address))
            .header("X-Public-Key", text("/users/0/publicKey"))
            .header("X-Timestamp", timestamp)
            .header("X-Signature", signature)
            .header("Content-Type", "application/json")
            .body(body)
            .expect("a request");
        try_answer(agent().run(request))
    }

    /// Places an order that rests. None: the process is gone.
    pub(crate) fn try_place_at(&self, ahead: i64) -> Option<(u16, Value)> {
        let (path, yes) = &self.venue.market;
        let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
        self.send_signed_at(ahead, "POST", path, &order)
    }

    /// Places an order that rests, and returns its id.
    #[track_caller]
    pub(crate) fn place(&self) -> String {
        let (status, placed) = self.try_place_at(0).expect("an answer");
        assert_eq!(status, 200, "{placed}");
        placed["order"]["id"].as_str().expect("an id").to_owned()
    }

    /// The status of an order of the first person.
    #[track_caller]
    pub(crate) fn order(&self, id: &str) -> String {
        let request = ureq::get(format!("{}/v1/pm/orders/{id}", self.address));
        let request = request.header("X-Public-Key", self.venue.text("/users/0/publicKey"));
        let answer = request.config().http_status_as_error(false).build().call();
        let (status, order) = try_answer(answer).expect("an answer");
        assert_eq!(status, 200, "{order}");
        order["status"].as_str().expect("a status").to_owned()
    }

    #[track_caller]
    pub(crate) fn cancel(&self, id: &str) {
        let path = format!("/v1/pm/orders/{id}");
        let (status, cancelled) = self.send_signed_at(0, "DELETE", &path, &Value::Null).expect("an answer");
        assert_eq!(status, 200, "{cancelled}");
    }

    /// A request of the venue's first operator.
    #[track_caller]
    pub(crate) fn operate(&self, method: &str, path: &str, body: &Value) -> Value {
        let token = self.venue.text("/operatorToken");
        let request = http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.admin))
            .header("Authorization", format!("Bearer {token}"))
            .body(serde_json::to_vec(body).expect("JSON"))
            .expect("a request");
        let (status, answer) = try_answer(agent().run(request)).expect("an answer");
        assert!((200..300).contains(&status), "{path}: {answer}");
        answer
    }

    /// A login, whose answer does not matter.
    pub(crate) fn log_in(&self, email: &str, password: &str) {
        let body = json!({"email": email, "password": password}).to_string();
        let request = ureq::post(format!("{}/v1/user/login", self.address));
        let _ = request.header("Content-Type", "application/json").send(&body);
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.process.try_wait().expect("a child").is_some()
    }

    /// Waits for a process that ends by itself.
    pub(crate) fn wait(mut self) -> Ended {
        let status = self.process.wait().expect("an end");
        Ended { status, log: self.log() }
    }

    pub(crate) fn end(self, signal: Signal) -> Ended {
        kill_process(self.pid(), signal).expect("a signal");
        self.wait()
    }

    /// Stops it in order: the journal gives the state that was served.
    #[track_caller]
    pub(crate) fn stop(self) {
        let ended = self.end(Signal::TERM);
        assert_eq!(ended.status.code(), Some(0), "{}", ended.log);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true);
    config.build().into()
}

/// The value of a metric in a scrape.
pub(crate) fn metric_in(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}
