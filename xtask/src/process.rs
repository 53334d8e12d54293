//! Runs other programs, and prints steps with their duration.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable when it runs this crate or its tests; a bare executable uses the value from compile time.
    let manifest =
        std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&manifest).parent().expect("xtask is one folder below the root").to_owned()
}

/// Cargo with `arguments`, started in the root.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    // Variables that cargo set for this package would make build scripts rerun.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(describes_this_package) {
            command.env_remove(name);
        }
    }
    command
}

fn describes_this_package(variable: &str) -> bool {
    variable.starts_with("CARGO_PKG_")
        || variable.starts_with("CARGO_MANIFEST_")
        || ["CARGO_BIN_NAME", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE"].contains(&variable)
}

/// Runs a command with inherited input and output. A failure is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = show(command);
    println!("    $ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// Like `run`, but returns what the command printed to its standard output, by lines.
pub(crate) fn lines(command: &mut Command) -> Result<Vec<String>, String> {
    let shown = show(command);
    println!("    $ {shown}");
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("`{shown}` could not be started: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()),
        false => Err(format!("`{shown}` ended with {}", output.status)),
    }
}

/// Whether a command can be started and succeeds. Its output is discarded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The output of a command, if it succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A port of the loopback interface that no program uses now.
pub(crate) fn free_address() -> Result<SocketAddr, String> {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.map_err(|error| format!("no free port: {error}"))
}

/// Prints `title`, runs the work, prints how long it took.
pub(crate) fn step<T>(title: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    println!("==> {title}");
    let start = Instant::now();
    let result = work();
    let verdict = if result.is_ok() { "done in" } else { "failed after" };
    println!("    {title}: {verdict} {}", show_elapsed(start.elapsed()));
    result
}

/// The command line, without the program's folder.
fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}

pub(crate) fn show_elapsed(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    if seconds < 60 {
        format!("{seconds}.{} s", elapsed.subsec_millis() / 100)
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{cargo, lines, output, root, run, show, show_elapsed, step, succeeds};

    #[test]
    fn the_root_holds_this_crate() {
        assert!(root().join("xtask/Cargo.toml").is_file());
    }

    #[test]
    fn a_command_is_shown_without_its_folder() {
        assert_eq!(show(Command::new("/usr/bin/cargo").args(["test", "-p", "x"])), "cargo test -p x");
    }

    #[test]
    fn cargo_does_not_inherit_what_describes_xtask() {
        let command = cargo(["--version"]);
        let removed = |name| command.get_envs().any(|(key, value)| key == name && value.is_none());
        assert!(removed("CARGO_PKG_NAME") && removed("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn times_are_short_to_read() {
        assert_eq!(show_elapsed(Duration::from_millis(40)), "0.0 s");
        assert_eq!(show_elapsed(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(show_elapsed(Duration::from_secs(125)), "2 min 5 s");
    }

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        assert_eq!(run(&mut Command::new("true")), Ok(()));
        assert!(run(&mut Command::new("false")).unwrap_err().contains("`false`"));
        assert!(run(&mut Command::new("no-such-program")).unwrap_err().contains("could not be started"));
    }

    #[test]
    fn lines_come_from_a_command_that_succeeds() {
        let shell = |script| lines(Command::new("sh").args(["-c", script]));
        assert_eq!(shell("echo a; echo b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert!(shell("echo a; exit 3").unwrap_err().contains("exit 3"));
    }

    #[test]
    fn a_quiet_command_only_returns_success_or_failure() {
        assert!(succeeds(&mut Command::new("true")));
        assert!(!succeeds(&mut Command::new("no-such-program")));
        assert_eq!(output(Command::new("echo").arg("a")).as_deref(), Some("a\n"));
        assert_eq!(output(&mut Command::new("false")), None);
    }

    #[test]
    fn a_step_hands_on_the_result_of_its_work() {
        assert_eq!(step("nothing", || Ok(())), Ok(()));
        assert_eq!(step::<()>("trouble", || Err("why".to_owned())), Err("why".to_owned()));
    }
}
