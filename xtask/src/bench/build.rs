//! `cargo xtask bench build`: how long a newcomer waits. Clones the last commit into a temporary folder, builds it with
//! an empty target folder and starts the demo, until the first page is served. Then the same after a touched file.
//!
//! Crates must be downloaded already: cargo works offline here. Changes that are not committed do not count.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::process::{cargo, free_address, root, run as execute};

const PATIENCE: Duration = Duration::from_secs(3_600);
const POLL: Duration = Duration::from_millis(100);
const TOUCHED: &str = "crates/server/src/app.rs";
const CLONE_GOAL_SECONDS: f64 = 240.0;
const TOUCH_GOAL_SECONDS: f64 = 60.0;

/// Measures both and returns them as rows of the table.
pub(crate) fn run() -> Result<Vec<String>, String> {
    let place = std::env::temp_dir().join(format!("bellwether-build-{}", std::process::id()));
    let _removed_at_the_end = Removed(place.clone());
    let tree = place.join("tree");
    let failed = |error: std::io::Error| format!("{} cannot be prepared: {error}", place.display());
    fs::create_dir_all(&place).map_err(failed)?;
    execute(Command::new("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(root()).arg(&tree))?;

    let cold = first_page(&place, "fresh")?;
    println!("    fresh clone to first page: {cold:.0} s");
    File::options()
        .append(true)
        .open(tree.join(TOUCHED))
        .and_then(|file| file.set_modified(SystemTime::now()))
        .map_err(failed)?;
    let touched = first_page(&place, "touched")?;
    println!("    after touching a file of the server: {touched:.0} s");
    Ok(vec![
        row("fresh clone to first page, crates downloaded", cold, CLONE_GOAL_SECONDS),
        row("first page after touching a file of the server", touched, TOUCH_GOAL_SECONDS),
    ])
}

fn row(name: &str, seconds: f64, goal: f64) -> String {
    let verdict = if seconds <= goal { "reached" } else { "missed" };
    format!("| {name} | {seconds:.0} s | ≤ {goal:.0} s | {verdict} |")
}

/// Runs `cargo run --release -- demo` until the page is there; returns the seconds.
fn first_page(place: &Path, data: &str) -> Result<f64, String> {
    let listen = free_address()?;
    let log = place.join(format!("{data}.log"));
    let output = File::create(&log).map_err(|error| format!("no log: {error}"))?;
    let mut command = cargo(["run", "--release", "--locked", "--", "demo", "--admin-listen", "127.0.0.1:0"]);
    command.arg("--listen").arg(listen.to_string()).arg("--data").arg(place.join(data));
    command.current_dir(place.join("tree")).env("CARGO_TARGET_DIR", place.join("target"));
    // A newcomer has no such setting.
    command.env("CARGO_NET_OFFLINE", "true").env_remove("CARGO_INCREMENTAL");
    let errors = output.try_clone().map_err(|error| format!("no log: {error}"))?;
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let began = Instant::now();
    let demo = command.spawn().map_err(|error| format!("cargo could not be started: {error}"))?;
    let mut demo = Stopped(demo);
    while !has_page(listen) {
        if let Ok(Some(status)) = demo.0.try_wait() {
            let log = fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("the demo ended with {status}; its output:\n{log}"));
        }
        if began.elapsed() > PATIENCE {
            return Err("the first page did not come within an hour".to_owned());
        }
        thread::sleep(POLL);
    }
    Ok(began.elapsed().as_secs_f64())
}

/// Whether the traders' page is served.
fn has_page(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with(b"HTTP/1.1 200"))
}

/// `cargo run` replaces itself by the demo, so the child is the demo.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{TOUCHED, has_page, row};
    use crate::process::{free_address, root};

    #[test]
    fn a_row_names_value_goal_and_verdict() {
        assert_eq!(row("clone", 612.7, 240.0), "| clone | 613 s | ≤ 240 s | missed |");
        assert_eq!(row("clone", 240.0, 240.0), "| clone | 240 s | ≤ 240 s | reached |");
    }

    #[test]
    fn the_touched_file_exists() {
        assert!(root().join(TOUCHED).is_file());
    }

    #[test]
    fn a_port_without_a_server_has_no_page() {
        assert!(!has_page(free_address().unwrap()));
    }
}
