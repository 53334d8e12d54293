//! A clean Debian in a folder, made by debootstrap with the mirror, the keyring and the proxies of this machine's apt, and
//! commands in it.
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
            let apt = AptSettings::read()?;
            let mut make = Command::new("debootstrap");
            make.arg("--variant=minbase").args(apt.keyring.map(|file| format!("--keyring={file}")));
            // In the environment, because a proxy's address may have a password and commands are printed.
            make.envs(apt.proxies);
            execute(make.arg(suite).arg(&clean).arg(apt.mirror))?;
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

/// The settings of this machine's apt that debootstrap needs too.
#[derive(Debug, PartialEq, Eq)]
struct AptSettings {
    /// Of the first source of packages.
    mirror: String,
    /// The file of its keys, if the source names one; else debootstrap uses Debian's.
    keyring: Option<String>,
    /// As variables of the environment.
    proxies: Vec<(&'static str, String)>,
}

impl AptSettings {
    fn read() -> Result<AptSettings, String> {
        let mut list = Command::new("apt-get");
        list.args(["indextargets", "--format", "$(REPO_URI) $(SIGNED_BY)", "Created-By: Packages"]);
        let mut dump = Command::new("apt-config");
        dump.args(["dump", "--format", "%f %v%n", "Acquire::http::Proxy", "Acquire::https::Proxy"]);
        AptSettings::of(&said(&mut list)?, &said(&mut dump)?)
    }

    /// `sources` has a line for each index: its mirror and its keyring. `options` has names and values.
    fn of(sources: &str, options: &str) -> Result<AptSettings, String> {
        let first = sources.lines().next().ok_or("apt has no source of packages")?;
        let (mirror, keyring) = first.split_once(' ').unwrap_or((first, ""));
        // A source may also name no keyring, a fingerprint, or several files.
        let keyring = keyring.split([',', ' ']).find(|word| word.starts_with('/')).map(str::to_owned);
        let proxy = |line: &str| {
            let (name, value) = line.split_once(' ')?;
            let variable = match name {
                "Acquire::http::Proxy" => "http_proxy",
                "Acquire::https::Proxy" => "https_proxy",
                _ => return None,
            };
            (!value.is_empty() && value != "DIRECT").then(|| (variable, value.to_owned()))
        };
        Ok(AptSettings {
            mirror: mirror.to_owned(),
            keyring,
            proxies: options.lines().filter_map(proxy).collect(),
        })
    }
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

#[cfg(test)]
mod tests {
    use super::AptSettings;

    #[test]
    fn debootstrap_gets_the_mirror_the_keyring_and_the_proxies_of_apt() {
        let sources = "http://mirror.example/debian/ /usr/share/keyrings/ours.gpg\nhttp://other.example/ x\n";
        let options = "Acquire::http::Proxy http://proxy.example:3142\nAcquire::https::Proxy DIRECT\n";
        let expected = AptSettings {
            mirror: "http://mirror.example/debian/".to_owned(),
            keyring: Some("/usr/share/keyrings/ours.gpg".to_owned()),
            proxies: vec![("http_proxy", "http://proxy.example:3142".to_owned())],
        };
        assert_eq!(AptSettings::of(sources, options), Ok(expected));
    }

    #[test]
    fn a_source_without_a_keyring_and_apt_without_a_proxy_give_neither() {
        // apt leaves the name of a field that a source does not have.
        let found = AptSettings::of("http://deb.debian.org/debian/ $(SIGNED_BY)\n", "").unwrap();
        assert_eq!((found.keyring, found.proxies), (None, Vec::new()));
        assert_eq!(found.mirror, "http://deb.debian.org/debian/");
        assert!(AptSettings::of("", "").is_err());
    }
}
