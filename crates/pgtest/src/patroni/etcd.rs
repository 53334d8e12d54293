//! One etcd, which stores Patroni's leader key.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Stdio};

use super::rest;
use crate::server::{as_database_user_in, free_port};

#[derive(Debug)]
pub(super) struct Etcd {
    process: Child,
    port: u16,
}

impl Etcd {
    /// Starts it in a folder, in the mount namespace of another process if one is given, and waits until it is healthy.
    pub(super) fn start(folder: &Path, namespace: Option<u32>) -> Etcd {
        let (port, peers) = (free_port(), free_port());
        let (clients, peers) = (format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{peers}"));
        let log = File::create(folder.join("log")).expect("a log");
        let mut command = as_database_user_in(namespace, "etcd", folder, "KILL");
        command.arg("--data-dir").arg(folder.join("disk/data"));
        command.args(["--name=drill", "--enable-v2=true", "--log-level=error", "--logger=zap"]);
        command
            .args([format!("--listen-client-urls={clients}"), format!("--advertise-client-urls={clients}")]);
        command.args([format!("--listen-peer-urls={peers}"), format!("--initial-cluster=drill={peers}")]);
        command.arg(format!("--initial-advertise-peer-urls={peers}"));
        command.stdout(Stdio::null()).stderr(log);
        let process = command.spawn().expect("etcd starts");
        let mut etcd = Etcd { process, port };
        patience::until("etcd did not start", || {
            assert_eq!(etcd.process.try_wait().expect("a child"), None, "etcd ended");
            rest::get(port, "/health").is_some_and(|health| health["health"] == "true")
        });
        etcd
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
