//! Runs this executable under valgrind and parses a number from its log.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn is_installed() -> bool {
    let mut version = Command::new("valgrind");
    version.arg("--version").stdout(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Runs `bench <arguments>` under a valgrind tool and returns the number that follows `heading` in its log.
pub(crate) fn run(options: &[&str], arguments: &[&str], heading: &str) -> io::Result<u64> {
    let output = Command::new("valgrind")
        .args(options)
        .arg(std::env::current_exe()?)
        .args(arguments)
        .stdout(Stdio::null())
        .output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    let number = number_after(&log, heading).filter(|_| output.status.success());
    number.ok_or_else(|| io::Error::other(format!("valgrind has no {heading:?} in its log:\n{log}")))
}

/// Valgrind groups digits with commas.
fn number_after(log: &str, heading: &str) -> Option<u64> {
    let rest = log.lines().find_map(|line| line.split_once(heading))?.1;
    let digits = rest.trim_start_matches([' ', ':']).replace(',', "");
    let end = digits.find(|character: char| !character.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}

/// A temporary folder, removed on drop.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn create() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("bench-book-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If it cannot be removed, the system's cleanup will do it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_found_behind_its_heading() {
        let log = "==7== Events    : Ir\n==7== Collected : 12345\n";
        assert_eq!(number_after(log, "Collected"), Some(12345));
        let log = "==7==     in use at exit: 4,300,017 bytes in 9 blocks";
        assert_eq!(number_after(log, "in use at exit"), Some(4_300_017));
        assert_eq!(number_after("nothing", "Collected"), None);
    }
}
