//! A certificate authority for one test, and the certificate it issued for a server named `localhost`. Created by
//! `openssl`.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const NEW: &str = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
const OF_SERVER: &str = "-addext subjectAltName=DNS:localhost -addext basicConstraints=CA:FALSE";

/// Its files are removed when it is dropped.
#[derive(Debug)]
pub struct Authority(TempDir);

impl Authority {
    #[allow(clippy::new_without_default, reason = "it runs programs")]
    pub fn new() -> Authority {
        let folder = tempfile::tempdir().expect("a folder");
        openssl(folder.path(), &format!("{NEW} -subj /CN=authority -keyout ca.key -out ca.pem"));
        let signed = format!("{NEW} {OF_SERVER} -subj /CN=localhost -CA ca.pem -CAkey ca.key");
        openssl(folder.path(), &format!("{signed} -keyout server.key -out server.pem"));
        Authority(folder)
    }

    /// The certificate to trust.
    pub fn certificate(&self) -> PathBuf {
        self.0.path().join("ca.pem")
    }

    pub fn server_certificate(&self) -> PathBuf {
        self.0.path().join("server.pem")
    }

    pub fn server_key(&self) -> PathBuf {
        self.0.path().join("server.key")
    }
}

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command.args(arguments.split(' ')).current_dir(folder).output().expect("openssl runs");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}
