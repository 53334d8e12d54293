//! A clean Debian in a folder, made by debootstrap from the mirror that this machine's apt uses, and commands in it.
//!
//! One untouched copy stays in the target folder, so that only the first trial downloads it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::release::{done, failed, said};
use crate::install;
use crate::process::{output, run as execute};

const SEARCH: &str = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";

/// A root folder to run commands in.
pub(super) struct RootFolder(PathBuf);

impl RootFolder {
    /// Copies a clean Debian to `place`, which is emptied first.
    pub(super) fn debian(suite: &str, kept: &Path, place: &Path) -> Result<RootFolder, String> {
        if output(Command::new("id").arg("-u")).is_none_or(|id| id.trim() != "0") {
            return Err("a trial changes the root folder of processes, which needs root".to_owned());
        }
        let clean = kept.join(format!("debian-{suite}"));
        let finished = kept.join(format!("debian-{suite}.finished"));
        if !finished.exists() {
            install::debootstrap()?;
            fs::create_dir_all(kept).map_err(failed(kept))?;
            done(Command::new("rm").args(["-rf", "--one-file-system"]).arg(&clean))?;
            let mut make = Command::new("debootstrap");
            execute(make.args(["--variant=minbase", suite]).arg(&clean).arg(mirror()?))?;
            File::create(&finished).map_err(failed(&finished))?;
        }
        done(Command::new("rm").args(["-rf", "--one-file-system"]).arg(place))?;
        done(Command::new("cp").args(["--archive", "--one-file-system"]).arg(&clean).arg(place))?;
        Ok(RootFolder(place.to_owned()))
    }

    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.0.join(inside.trim_start_matches('/'))
    }

    pub(super) fn read(&self, inside: &str) -> Result<String, String> {
        let path = self.path(inside);
        fs::read_to_string(&path).map_err(failed(&path))
    }

    /// A command inside, as a user, with `NAME=value` variables and nothing else of this environment. The process is the
    /// command itself, with `/proc` mounted where no other process sees it.
    pub(super) fn command(&self, user: &str, variables: &[String], words: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        let enter = r#"mount -t proc proc "$0/proc" && exec chroot "$@""#;
        command.args(["--mount", "--", "sh", "-c", enter]).arg(&self.0);
        command.arg(format!("--userspec={user}")).arg(&self.0);
        command.args(["/usr/bin/env", "-i", SEARCH]).args(variables).args(words);
        command
    }

    /// Runs a command inside and returns its output.
    pub(super) fn run(&self, user: &str, variables: &[String], words: &[&str]) -> Result<String, String> {
        said(&mut self.command(user, variables, words))
    }
}

/// The mirror of the first source of packages of this machine.
fn mirror() -> Result<String, String> {
    let mut list = Command::new("apt-get");
    list.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
    let listed = said(&mut list)?;
    listed.lines().next().map(str::to_owned).ok_or("apt has no source of packages".to_owned())
}

/// A process that a trial has started; killed if the trial fails.
pub(super) struct Running(Child);

impl Running {
    pub(super) fn start(command: &mut Command, log: &Path) -> Result<Running, String> {
        let output = File::create(log).map_err(failed(log))?;
        let errors = output.try_clone().map_err(failed(log))?;
        let started = command.stdin(Stdio::null()).stdout(output).stderr(errors).spawn();
        started.map(Running).map_err(|error| format!("{command:?} could not be started: {error}"))
    }

    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)) | Err(_))
    }

    /// Sends SIGTERM and waits for exit code 0.
    pub(super) fn stop(mut self) -> Result<(), String> {
        done(Command::new("sh").args(["-c", "kill -TERM \"$0\"", &self.0.id().to_string()]))?;
        let status = self.0.wait().map_err(|error| format!("the process cannot be awaited: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("the process ended with {status}")) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
