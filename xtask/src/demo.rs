//! Runs the demo as a child process in its own folder, for tests over HTTP, and stops it in order.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::process::succeeds;
use crate::web::build_executable;

/// Generous: the start replays nothing and the stop compares two digests, which is quick on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);

/// More than a test client can send, so that rate limits do not interfere.
const PER_SECOND: &str = "1000000";
const LIMITS: &[&str] = &["--read-per-second", "--write-per-second", "--public-per-second"];

pub(crate) struct Demo {
    process: Child,
    folder: PathBuf,
}

impl Demo {
    /// Builds the executable and starts it in `folder`, which is emptied first.
    pub(crate) fn start(folder: &Path) -> Result<Demo, String> {
        build_executable()?;
        let failed = |error: io::Error| format!("the demo could not be started: {error}");
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let log = File::create(folder.join("demo.log")).map_err(failed)?;
        let mut command = Command::new(executable()?);
        command.args([
            "demo",
            "--no-bots",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
            "--data",
        ]);
        command.arg(folder);
        for limit in LIMITS {
            command.args([limit, PER_SECOND]);
        }
        command.stdin(Stdio::null()).stdout(log.try_clone().map_err(failed)?).stderr(log);
        let mut demo = Demo { process: command.spawn().map_err(failed)?, folder: folder.to_owned() };
        demo.wait_for("demo.json", |demo| Ok(demo.record().exists().then_some(())))?;
        Ok(demo)
    }

    /// The path of `demo.json`.
    pub(crate) fn record(&self) -> PathBuf {
        self.folder.join("demo.json")
    }

    /// Sends SIGTERM. The exit code is 0 only if the replayed journal has the same digest as the served state.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        let pid = self.process.id().to_string();
        if !succeeds(Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid])) {
            return Err(self.explain("could not be asked to stop"));
        }
        let status = self.wait_for("its end", |demo| demo.process.try_wait())?;
        if status.success() { Ok(()) } else { Err(self.explain(&format!("ended with {status}"))) }
    }

    fn wait_for<T>(
        &mut self,
        what: &str,
        mut look: impl FnMut(&mut Demo) -> io::Result<Option<T>>,
    ) -> Result<T, String> {
        let began = Instant::now();
        loop {
            match look(self) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) if began.elapsed() < PATIENCE => {}
                Ok(None) => return Err(self.explain(&format!("let us wait too long for {what}"))),
                Err(error) => return Err(self.explain(&format!("cannot be asked: {error}"))),
            }
            if let Ok(Some(status)) = self.process.try_wait()
                && !matches!(look(self), Ok(Some(_)))
            {
                return Err(self.explain(&format!("ended early with {status}")));
            }
            thread::sleep(POLL);
        }
    }

    fn explain(&self, what: &str) -> String {
        let log = fs::read_to_string(self.folder.join("demo.log")).unwrap_or_default();
        format!("the demo {what}; its output:\n{log}")
    }
}

impl Drop for Demo {
    /// Kills the process if a test failed.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Cargo puts it into the same folder as this executable.
pub(crate) fn executable() -> Result<PathBuf, String> {
    Ok(folder_of_executables()?.join("bellwether"))
}

/// The `target` folder, two levels above this executable.
pub(crate) fn target() -> Result<PathBuf, String> {
    let folder = folder_of_executables()?;
    folder.parent().map(Path::to_owned).ok_or_else(|| format!("{} has no parent", folder.display()))
}

fn folder_of_executables() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this executable: {error}"))?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    // Test executables are one folder deeper.
    Ok(if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{folder_of_executables, target};

    #[test]
    fn the_target_folder_holds_the_folder_of_executables() {
        let folder = folder_of_executables().unwrap();
        assert!(!folder.ends_with("deps"));
        assert_eq!(folder.parent(), Some(target().unwrap().as_path()));
    }
}
