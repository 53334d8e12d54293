//! Runs the files of `deploy` unchanged: the unit's command with its environment file, the services of the compose
//! file with their scripts, commands and health checks, the image's entry point, the backup unit, nginx, the rules and
//! dashboards; the checklist before going live; and settings with a slip, which end every command.
//!
//! There is no container engine and no systemd in a test. So paths, ports and host names are mapped by one table per
//! file, and nothing else is changed.

mod backups;
mod check;
mod cluster;
mod compose;
mod containerfile;
mod exchange;
mod health;
mod monitoring;
mod nginx;
mod settings;
mod tls;
mod unit;

use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of `deploy`.
fn deployed(name: &str) -> String {
    let path = root().join("deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Replaces each text on the left by the text on the right.
fn mapped(text: &str, table: &[(&str, String)]) -> String {
    table.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
