//! Nodes as child processes, and the sample venue that all of them serve.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use stage::demo::Demo;
use stage::drill::operation::Places;
use tempfile::TempDir;

const FLAGS: &[&str] = &["--checkpoint-seconds=1", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"];
/// Far above the load of these tests, which only the machine limits.
pub(crate) const UNLIMITED: &[&str] =
    &["--read-per-second=100000", "--write-per-second=100000", "--public-per-second=100000"];

/// `UNLIMITED`, and every commit must wait for a standby.
pub(crate) const REPLICATED: &[&str] = &[UNLIMITED[0], UNLIMITED[1], UNLIMITED[2], "--require-replicas=1"];

const MASTER_KEY: &str = "master.key";

/// The version of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    This,
    /// The executable of the tests can be the next version too.
    Next,
}

impl Build {
    fn command(self) -> Command {
        match self {
            Build::This => Command::new(this_version()),
            Build::Next => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
                command.env("BELLWETHER_NEXT", "1");
                command
            }
        }
    }
}

/// The executable of this version: the tests' own. `cargo xtask test --long` names one that is built as it is shipped.
fn this_version() -> PathBuf {
    env::var_os("PLAIN_BELLWETHER").map_or_else(|| env!("CARGO_BIN_EXE_bellwether").into(), PathBuf::from)
}

/// A node, running or stopped. Its address changes with each start.
pub(crate) struct Node {
    folder: TempDir,
    url: String,
    rates: &'static [&'static str],
    process: Mutex<Option<Child>>,
    address: Mutex<Option<String>>,
    admin_address: Mutex<Option<String>>,
    build: Mutex<Build>,
    starts: AtomicU32,
}

impl Node {
    /// A folder of its own, with the master key that all nodes of a log must have.
    pub(crate) fn new(url: String, master_key: &Path) -> Node {
        let folder = tempfile::tempdir().expect("a folder");
        fs::copy(master_key, folder.path().join(MASTER_KEY)).expect("a copied key");
        Node {
            folder,
            url,
            rates: UNLIMITED,
            process: Mutex::new(None),
            address: Mutex::new(None),
            admin_address: Mutex::new(None),
            build: Mutex::new(Build::This),
            starts: AtomicU32::new(0),
        }
    }

    /// Replaces the limits per second; further settings may follow them.
    pub(crate) fn limited_to(mut self, rates: &'static [&'static str]) -> Node {
        self.rates = rates;
        self
    }

    /// Starts the process and keeps its log.
    fn spawn(&self) -> Child {
        let log = File::options().create(true).append(true).open(self.folder.path().join("log"));
        lock(&self.build)
            .command()
            // A variable, because an earlier build has no such flag.
            .env("BELLWETHER_DRAIN_SECONDS", "0")
            .env("BELLWETHER_PUBLIC_METRICS", "true")
            // A drill sends many requests.
            .env("BELLWETHER_ACCESS_LOG", "false")
            .args(["serve", "--data"])
            .arg(self.folder.path())
            .args(["--journal", &self.url])
            .args(FLAGS)
            .args(self.rates)
            .stdout(Stdio::piped())
            .stderr(log.expect("a log"))
            .spawn()
            .expect("the executable starts")
    }

    /// Starts it and waits until it serves. False: it ended before.
    pub(crate) fn start(&self) -> bool {
        let mut process = self.spawn();
        self.starts.fetch_add(1, Ordering::AcqRel);
        let output = process.stdout.take().expect("an output");
        *lock(&self.process) = Some(process);
        // Reads to the last line, so that the process never finds the pipe closed.
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut address = None;
        for line in lines {
            if let Some(public) = line.strip_prefix("Page and public API") {
                address = Some(public.trim().to_owned());
            }
            if let Some(admin) = line.strip_prefix("Operators' page and API") {
                *lock(&self.admin_address) = Some(admin.trim().to_owned());
                break;
            }
        }
        lock(&self.address).clone_from(&address);
        address.is_some()
    }

    /// The build of its next start.
    pub(crate) fn install(&self, build: Build) {
        *lock(&self.build) = build;
    }

    /// The operators' address, while it serves.
    pub(crate) fn admin_address(&self) -> Option<String> {
        lock(&self.admin_address).clone()
    }

    /// How often it was started.
    pub(crate) fn starts(&self) -> u32 {
        self.starts.load(Ordering::Acquire)
    }

    /// The public address, while it serves.
    pub(crate) fn address(&self) -> Option<String> {
        lock(&self.address).clone()
    }

    /// The node's own folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn kill(&self) {
        self.end(Signal::KILL);
    }

    /// Sends the signal, and returns the exit status.
    pub(crate) fn end(&self, signal: Signal) -> ExitStatus {
        let mut process = lock(&self.process).take().expect("a process");
        kill_process(Pid::from_child(&process), signal).expect("a signal");
        let status = process.wait().expect("an end");
        *lock(&self.address) = None;
        status
    }

    /// Waits for a process that ends by itself.
    pub(crate) fn wait(&self) -> ExitStatus {
        lock(&self.process).take().expect("a process").wait().expect("an end")
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(mut process) = lock(&self.process).take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sample venue, built by a node that has stopped; people and keys stay.
pub(crate) struct Venue {
    pub(crate) places: Places,
    folder: TempDir,
}

impl Venue {
    /// Builds a venue in an empty log, and calls `look` while it still runs.
    pub(crate) fn build<T>(url: &str, look: impl FnOnce(&Demo) -> T) -> (Venue, T) {
        let folder = tempfile::tempdir().expect("a folder");
        let demo = Demo::start_with(folder.path(), &["--no-bots", "--journal", url]);
        let (places, seen) = (Places::find(&demo), look(&demo));
        assert_eq!(demo.terminate().code(), Some(0), "the log gives the state that was served");
        (Venue { places, folder }, seen)
    }

    /// A node of the same venue.
    pub(crate) fn node(&self, url: &str) -> Node {
        Node::new(url.to_owned(), &self.folder.path().join(MASTER_KEY))
    }

    /// The file with the token of the venue's first operator.
    pub(crate) fn operator_token(&self) -> PathBuf {
        self.folder.path().join("operator.token")
    }

    /// Copies the venue's master key into a folder.
    pub(crate) fn copy_key(&self, folder: &Path) {
        fs::copy(self.folder.path().join(MASTER_KEY), folder.join(MASTER_KEY)).expect("a copied key");
    }
}
