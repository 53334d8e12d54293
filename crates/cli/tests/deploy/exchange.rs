//! The executable as a child process with only the variables of a file in `deploy`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

pub(crate) type Environment = BTreeMap<String, String>;

/// A running exchange; killed if a test ends early.
pub(crate) struct Exchange {
    process: Child,
    log: PathBuf,
    /// The public and the operators' address, as http://…
    pub(crate) address: String,
    pub(crate) admin_address: String,
}

/// Runs a program by its name with only the executable on its path and only these variables.
pub(crate) fn command(words: &[String], environment: &Environment) -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_bellwether")).parent().expect("a folder");
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .env_clear()
        .env("PATH", folder)
        .env("BELLWETHER_DRAIN_SECONDS", "0")
        .envs(environment);
    command
}

impl Exchange {
    /// Starts it and waits until it logs its address.
    pub(crate) fn start(command: &mut Command, log: &Path) -> Exchange {
        let file = File::options().create(true).append(true).open(log).expect("a log");
        let process = command.stdout(Stdio::piped()).stderr(file).spawn().expect("the executable starts");
        let (address, admin_address) = (String::new(), String::new());
        let mut exchange = Exchange { process, log: log.to_owned(), address, admin_address };
        let output = exchange.process.stdout.take().expect("an output");
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("Page and public API") {
                exchange.address = address.trim().to_owned();
            }
            // Reads to the last line, so that the process never finds the pipe closed.
            if let Some(address) = line.strip_prefix("Operators' page and API") {
                exchange.admin_address = address.trim().to_owned();
                return exchange;
            }
        }
        panic!("it does not serve: {}", exchange.log());
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn ready(&self) -> Value {
        json_of(ureq::get(format!("{}/ready", self.address)).call().expect("an answer of 200"))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).expect("a signal");
    }

    pub(crate) fn wait(mut self) -> ExitStatus {
        self.process.wait().expect("an end")
    }

    /// Stops it like systemd and container engines.
    pub(crate) fn stop(self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.wait()
    }

    pub(crate) fn kill(self) {
        self.signal(Signal::KILL);
        self.wait();
    }

    /// The output of `bellwether admin` on the machine of this node.
    pub(crate) fn admin(&self, arguments: &str, environment: &Environment) -> Value {
        let words: Vec<String> = ["bellwether", "admin", "--json"].map(str::to_owned).to_vec();
        let mut command = command(&words, environment);
        command.args(arguments.split(' ')).env("BELLWETHER_ADMIN_URL", &self.admin_address);
        let output = command.env("BELLWETHER_PASSWORD", "correct horse battery").output().expect("an end");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {said}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The exit code of a command that ends by itself.
pub(crate) fn exit_code(arguments: &[impl AsRef<OsStr>], environment: &Environment) -> Option<i32> {
    let mut command = command(&["bellwether".to_owned()], environment);
    command.args(arguments).output().expect("the executable runs").status.code()
}

pub(crate) fn json_of(mut response: http::Response<ureq::Body>) -> Value {
    let text = response.body_mut().read_to_string().expect("a whole answer");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
