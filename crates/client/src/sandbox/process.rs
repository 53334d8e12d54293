//! The executable as a child process, in a folder of its own. Both end with the value.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::Addresses;
use crate::error::{Error, Result};

/// A start builds the venue, on a machine that may be busy.
const START_MAX: Duration = Duration::from_secs(120);

/// How a sandbox is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxOptions {
    /// Ids, secrets and prices follow from it; 1 by default.
    pub seed: u64,
    /// The executable: by default the variable `BELLWETHER`, else `bellwether` on the path.
    pub executable: PathBuf,
    /// Further flags; `--no-limits` by default.
    pub flags: Vec<String>,
}

impl Default for SandboxOptions {
    fn default() -> SandboxOptions {
        let executable = std::env::var_os("BELLWETHER").filter(|path| !path.is_empty());
        SandboxOptions {
            seed: 1,
            executable: executable.map_or_else(|| PathBuf::from("bellwether"), PathBuf::from),
            flags: vec!["--no-limits".to_owned()],
        }
    }
}

/// A running executable.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    folder: PathBuf,
}

impl Process {
    /// Starts it, and waits for its addresses.
    pub(super) async fn start(options: SandboxOptions) -> Result<(Process, Addresses)> {
        let failed = |cause: String| Error::Usage(format!("the sandbox did not start: {cause}"));
        let folder = std::env::temp_dir().join(format!("bellwether-sandbox-{}", Uuid::new_v4()));
        let mut process = spawn(options, &folder).map_err(|error| {
            let _ = fs::remove_dir_all(&folder);
            failed(error.to_string())
        })?;
        let began = Instant::now();
        loop {
            let text = fs::read_to_string(folder.join("data/sandbox-addresses.json")).unwrap_or_default();
            // A file that is not complete yet cannot be read.
            if let Ok(addresses) = serde_json::from_str(&text) {
                return Ok((process, addresses));
            }
            let end = process.child.try_wait().map_err(|error| failed(error.to_string()))?;
            if end.is_some() || began.elapsed() > START_MAX {
                let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
                let end = end.map_or_else(|| "it takes too long".to_owned(), |status| status.to_string());
                return Err(failed(format!("{end}\n{log}")));
            }
            sleep(Duration::from_millis(10)).await;
        }
    }
}

fn spawn(options: SandboxOptions, folder: &Path) -> io::Result<Process> {
    fs::create_dir(folder)?;
    let log = File::create(folder.join("log"))?;
    let mut command = Command::new(options.executable);
    command.args(["sandbox", "--seed", &options.seed.to_string(), "--data"]).arg(folder.join("data"));
    for listener in ["--listen", "--admin-listen", "--sandbox-listen"] {
        command.args([listener, "127.0.0.1:0"]);
    }
    command.args(options.flags).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    Ok(Process { child: command.spawn()?, folder: folder.to_owned() })
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended, and its folder may be gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
