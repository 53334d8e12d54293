//! The executable as a child process: started on a folder, used over HTTP, killed or stopped.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The executable that cargo builds before the tests of its package, beside the folder of theirs.
fn executable() -> PathBuf {
    let test = env::current_exe().expect("the path of a test");
    let folder = test.parent().and_then(Path::parent).expect("the folder of a build");
    folder.join("bellwether")
}

/// A running demo; killed if a test ends early.
pub struct Demo {
    process: Child,
    pub json: Value,
}

impl Demo {
    pub fn start(folder: &Path) -> Demo {
        Demo::start_with(folder, &["--no-bots"])
    }

    pub fn start_with(folder: &Path, flags: &[&str]) -> Demo {
        Demo::started(folder, &mut Demo::command(folder, flags))
    }

    /// Starts the command and waits until it serves.
    pub fn started(folder: &Path, command: &mut Command) -> Demo {
        Demo::try_started(folder, command).expect("the demo ended early")
    }

    /// Starts the command and waits until it serves. None: it ended before.
    pub fn try_started(folder: &Path, command: &mut Command) -> Option<Demo> {
        let file = folder.join("demo.json");
        // A file of an earlier start would name dead addresses.
        let _ = fs::remove_file(&file);
        // Wrapped at once, so that it is killed also when it never serves.
        let process = command.spawn().expect("the executable starts");
        let mut demo = Demo { process, json: Value::Null };
        let is_served = patience::answer("demo.json did not come", || {
            let is_served = file.exists();
            let has_ended = demo.process.try_wait().expect("a child").is_some();
            (is_served || has_ended).then_some(is_served)
        });
        if !is_served {
            return None;
        }
        demo.json = serde_json::from_slice(&fs::read(&file).expect("a readable file")).expect("whole JSON");
        Some(demo)
    }

    /// The process alone, which may end before it listens.
    pub fn spawn(folder: &Path, flags: &[&str]) -> Child {
        Demo::command(folder, flags).spawn().expect("the executable starts")
    }

    /// Runs a command that must end by itself. If it keeps running, it is killed and the test fails.
    pub fn ended(command: &mut Command) -> Output {
        let process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut demo = Demo { process: process.expect("the executable starts"), json: Value::Null };
        let complaint = "it keeps running, and should have been refused";
        patience::until(complaint, || demo.process.try_wait().expect("a child").is_some());
        let (status, mut stderr) = (demo.process.wait().expect("an end"), Vec::new());
        let said = demo.process.stderr.as_mut().expect("a pipe");
        said.read_to_end(&mut stderr).expect("its output");
        Output { status, stdout: Vec::new(), stderr }
    }

    pub fn command(folder: &Path, flags: &[&str]) -> Command {
        let mut command = Command::new(executable());
        command
            .env("BELLWETHER_DRAIN_SECONDS", "0")
            .args(["demo", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .args(flags)
            .stdout(Stdio::null());
        command
    }

    pub fn text(&self, pointer: &str) -> &str {
        self.json
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("demo.json has {pointer}"))
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        self.get_as(0, path).expect("an answer")
    }

    /// A read as the demo's `user`-th person. `None`: the process is gone.
    pub fn get_as(&self, user: usize, path: &str) -> Option<(u16, Value)> {
        let request = ureq::get(format!("{}{path}", self.text("/baseUrl")));
        let request = request.header("X-Public-Key", self.text(&format!("/users/{user}/publicKey")));
        try_answer(request.config().http_status_as_error(false).build().call())
    }

    pub fn post_signed(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send_signed(0, "POST", path, &serde_json::to_vec(body).expect("JSON")).expect("an answer")
    }

    /// A signed write of the demo's `user`-th person. `None`: the process is gone.
    pub fn send_signed(&self, user: usize, method: &str, path: &str, body: &[u8]) -> Option<(u16, Value)> {
        let public = self.text(&format!("/users/{user}/publicKey"));
        let secret = self.text(&format!("/users/{user}/secretKey"));
        let headers = signed_headers(public, secret, method, path, body);
        self.send(method, path, &headers, body)
    }

    /// Any request. `None`: the process is gone.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: &[u8],
    ) -> Option<(u16, Value)> {
        let mut request = http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.text("/baseUrl")))
            .header("Content-Type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(body.to_vec()).expect("a request");
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .build()
            .into();
        try_answer(agent.run(request))
    }

    /// The process, to be signalled while others still use the demo.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    pub fn operate(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        self.try_operate(token, path, body).expect("an answer")
    }

    /// Sends a request as an operator. Returns `None` if the process no longer responds.
    pub fn try_operate(&self, token: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let body = serde_json::to_vec(body).expect("JSON");
        let request = ureq::post(format!("{}{path}", self.text("/adminUrl")));
        let request = request.header("Authorization", format!("Bearer {token}"));
        try_answer(request.config().http_status_as_error(false).build().send(&body))
    }

    pub fn put(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = serde_json::to_vec(body).expect("JSON");
        let request = ureq::put(format!("{}{path}", self.text("/adminUrl")));
        let request = request.header("Authorization", format!("Bearer {token}"));
        answer(request.config().http_status_as_error(false).build().send(&body))
    }

    /// A read by an operator.
    pub fn look(&self, token: &str, path: &str) -> Value {
        let request = ureq::get(format!("{}{path}", self.text("/adminUrl")));
        let request = request.header("Authorization", format!("Bearer {token}"));
        let (status, body) = answer(request.config().http_status_as_error(false).build().call());
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub fn kill(mut self) {
        self.process.kill().expect("a kill -9");
        self.process.wait().expect("an end");
    }

    pub fn terminate(self) -> ExitStatus {
        kill_process(self.pid(), Signal::TERM).expect("a signal");
        self.wait()
    }

    /// Waits for a process that was signalled to end.
    pub fn wait(mut self) -> ExitStatus {
        self.process.wait().expect("an end")
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The first market of an event: the path of its orders and the id of its YES.
pub fn market(demo: &Demo, slug: &str) -> (String, Value) {
    let (status, event) = demo.get(&format!("/v1/pm/events/slug/{slug}"));
    assert_eq!(status, 200, "{event}");
    let market = &event["markets"][0];
    let id = |value: &Value| value.as_str().expect("an id").to_owned();
    let path = format!("/v1/pm/events/{}/markets/{}/orders", id(&event["id"]), id(&market["id"]));
    (path, market["outcome1Id"].clone())
}

/// The headers of a signed request.
pub fn signed_headers(
    public: &str,
    secret: &str,
    method: &str,
    path: &str,
    body: &[u8],
) -> [(&'static str, String); 3] {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs().to_string();
    let hash = if body.is_empty() { String::new() } else { body_hash(body) };
    let payload = Payload { timestamp: &now, method, path, body_hash: &hash };
    let signature = SigningKey::new(&SecretKey::from_text(secret)).sign(&payload);
    [("X-Public-Key", public.to_owned()), ("X-Timestamp", now), ("X-Signature", signature)]
}

fn answer(result: Result<http::Response<ureq::Body>, ureq::Error>) -> (u16, Value) {
    try_answer(result).expect("an answer")
}

/// None when the connection ended before the answer did.
pub fn try_answer(result: Result<http::Response<ureq::Body>, ureq::Error>) -> Option<(u16, Value)> {
    let mut response = result.ok()?;
    let body = response.body_mut().read_to_string().ok()?;
    Some((response.status().as_u16(), serde_json::from_str(&body).expect("a JSON body")))
}
