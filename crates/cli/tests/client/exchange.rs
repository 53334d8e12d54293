//! A real exchange: the executable in a folder of its own, on free ports, without bots.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use client::{Client, ClientBuilder};
use rustix::process::{Pid, Signal, kill_process};

/// A running demo; killed if a test ends early.
pub(crate) struct Exchange {
    process: Child,
    folder: PathBuf,
}

impl Exchange {
    /// Starts on a folder. Nothing happens there unless a test does it.
    pub(crate) fn start(folder: &Path) -> Exchange {
        Exchange::start_at(folder, "127.0.0.1:0", 1_000_000)
    }

    /// Starts at an address, with this many requests of a kind a second.
    pub(crate) fn start_at(folder: &Path, address: &str, per_second: u32) -> Exchange {
        let record = folder.join("demo.json");
        // A file of an earlier start would name dead addresses.
        let _ = fs::remove_file(&record);
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        command
            .env("BELLWETHER_DRAIN_SECONDS", "0")
            .args(["demo", "--no-bots", "--past-days", "0", "--low-disk-mib", "0", "--listen", address])
            .args(["--admin-listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .stdout(Stdio::null());
        for limit in ["read", "write", "public"] {
            command.args([format!("--{limit}-per-second"), per_second.to_string()]);
        }
        let process = command.spawn().expect("the executable starts");
        let mut exchange = Exchange { process, folder: folder.to_owned() };
        patience::until("demo.json did not come", || {
            assert!(exchange.process.try_wait().expect("a child").is_none(), "the exchange ended early");
            record.exists()
        });
        exchange
    }

    /// The file with addresses and keys.
    pub(crate) fn record(&self) -> PathBuf {
        self.folder.join("demo.json")
    }

    /// Settings for the n-th person, from 1.
    pub(crate) fn builder(&self, person: usize) -> ClientBuilder {
        ClientBuilder::from_demo(self.record(), person).expect("the record of the demo")
    }

    /// A client of the n-th person, from 1.
    pub(crate) fn client(&self, person: usize) -> Client {
        self.builder(person).build().expect("a client")
    }

    /// The n-th person through another address, such as a proxy's.
    pub(crate) fn client_at(&self, person: usize, address: &str, retry: Duration) -> Client {
        let credentials = self.client(person).credentials().cloned().expect("a key");
        Client::builder(address).credentials(credentials).retry(retry).build().expect("a client")
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.client(1).base_url().trim_start_matches("http://").to_owned()
    }

    /// Ends it at once, as a crash does.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("a kill -9");
        self.process.wait().expect("an end");
    }

    /// Stops it in order. Its exit code says whether the replayed journal has the digest of the served state.
    pub(crate) fn stop(mut self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("a signal");
        assert_eq!(self.process.wait().expect("an end").code(), Some(0));
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
