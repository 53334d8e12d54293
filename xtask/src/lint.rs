//! `cargo xtask lint`: static checks.
//!
//! All checks run even if an early one fails, so that one run shows every problem.

use crate::parallel::{self, Task};
use crate::process::{cargo, run as execute, step, succeeds};
use crate::{install, tidy};

type Check = (&'static str, fn() -> Result<(), String>);

const CHECKS: &[Check] = &[
    ("format", format),
    ("packages the build needs", install::for_build),
    ("tidy", tidy::run),
    ("clippy and pages", clippy_and_pages),
    ("licences", licences),
];

pub(crate) fn run() -> Result<(), String> {
    failures(CHECKS)
}

fn failures(checks: &[Check]) -> Result<(), String> {
    let mut found = Vec::new();
    for (title, check) in checks {
        if let Err(message) = step(title, check) {
            found.push(format!("{title}: {message}"));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n  ")) }
}

fn format() -> Result<(), String> {
    execute(&mut cargo(["fmt", "--all", "--check"]))
}

/// Side by side: the tools of the pages use one core. Each prints when it has ended, and only what failed.
fn clippy_and_pages() -> Result<(), String> {
    let clippy = cargo(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]);
    let clippy = Task { name: "clippy".to_owned(), command: clippy, places: 1 };
    let pages = Task::of_this_program(&["web", "check"].map(str::to_owned))?;
    let ended = parallel::run(vec![clippy, pages], 2, parallel::begin, parallel::tell);
    let failed: Vec<&str> =
        ended.iter().filter(|ended| !ended.is_done).map(|ended| ended.name.as_str()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join(", ")) }
}

/// Licences and bans are listed in `deny.toml`. cargo-deny is not part of the toolchain, so it may be missing.
fn licences() -> Result<(), String> {
    if succeeds(&mut cargo(["deny", "--version"])) {
        execute(&mut cargo(["deny", "--offline", "--locked", "check", "licenses", "bans"]))
    } else {
        println!("    skipped: cargo-deny is not installed on this machine");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::failures;

    #[test]
    fn every_check_runs_and_every_failure_is_named() {
        let message =
            failures(&[("a", || Err("one".to_owned())), ("b", || Ok(())), ("c", || Err("two".to_owned()))])
                .unwrap_err();
        assert_eq!(message, "a: one\n  c: two");
    }

    #[test]
    fn no_failure_is_success() {
        assert_eq!(failures(&[("a", || Ok(()))]), Ok(()));
    }
}
