//! `cargo xtask fuzz [NAME] …`: coverage-guided fuzzing of the targets in `crates/fuzz`, on the stable toolchain.
//!
//! libFuzzer comes as a crate. Coverage comes from flags of the stable compiler for the crates of this repository, which
//! [`compile`] adds: cargo calls it as a compiler wrapper. Debug assertions and overflow checks stay on. A run reads the
//! committed corpus and the target's seeds, and stores its findings in `target/fuzz/corpus`; `--minimise` replaces the
//! committed corpus by the inputs that add coverage.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::process::{cargo, root, run as execute, step};

/// A target and its maximal input length, which covers what its parser accepts.
struct Target {
    name: &'static str,
    purpose: &'static str,
    input_bytes_max: u32,
}

const TARGETS: [Target; 8] = [
    Target {
        name: "http",
        purpose: "queries, bodies, headers, signatures, numbers and times of the contract",
        input_bytes_max: 4_096,
    },
    Target { name: "stream", purpose: "messages of stream clients", input_bytes_max: 4_096 },
    Target { name: "frame", purpose: "journal segments: recovery, cursor, audit", input_bytes_max: 8_192 },
    Target { name: "snapshot", purpose: "states and snapshot files", input_bytes_max: 65_536 },
    Target { name: "command", purpose: "the command codec", input_bytes_max: 8_192 },
    Target { name: "venue", purpose: "decoded commands on a small venue (slow)", input_bytes_max: 8_192 },
    Target {
        name: "connection",
        purpose: "raw connections to both routers, streams included (slow)",
        input_bytes_max: 8_192,
    },
    Target { name: "picture", purpose: "uploaded PNG, JPEG and WebP files", input_bytes_max: 8_192 },
];

/// Without a limit a run would never end.
const MINUTES_DEFAULT: u64 = 5;
/// Read by `crates/fuzz/src/main.rs`.
const TARGET: &str = "BELLWETHER_FUZZ_TARGET";
const SEEDS: &str = "BELLWETHER_FUZZ_SEEDS";

/// Set while cargo builds the fuzzer; this executable is then called as `xtask RUSTC ARGUMENTS…`.
pub(crate) const COVERAGE: &str = "BELLWETHER_FUZZ_COVERAGE";

/// Coverage counters, a table of code addresses, and traced comparisons, as libFuzzer requires. `cargo fuzz` passes
/// these too. Sanitizers need another toolchain and are left out; `unsafe` code is forbidden in this repository.
const FLAGS: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Limits on the memory of the process and on the seconds per input. The executable limits what one input may allocate.
const MEMORY_MIB_MAX: u32 = 2_048;
const INPUT_SECONDS_MAX: u32 = 20;

/// The requested task.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Task {
    Minutes(u64),
    Runs(u64),
    Replay(PathBuf),
    Minimise,
}

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    let (targets, task) = read(extra)?;
    let mut executable = PathBuf::new();
    step("build the fuzzer", || {
        executable = build()?;
        Ok(())
    })?;
    for target in targets {
        step(&format!("fuzz {}: {}", target.name, target.purpose), || target.perform(&executable, &task))?;
    }
    Ok(())
}

fn read(extra: &[String]) -> Result<(Vec<&'static Target>, Task), String> {
    let (named, options) = match extra.split_first() {
        Some((name, rest)) if !name.starts_with("--") => (Some(name), rest),
        _ => (None, extra),
    };
    let targets: Vec<_> =
        TARGETS.iter().filter(|target| named.is_none_or(|name| target.name == name)).collect();
    if let (Some(name), []) = (named, targets.as_slice()) {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        return Err(format!("no target is called `{name}`; there are {}", names.join(", ")));
    }
    let number = |option: &str, value: &String| {
        let number = value.parse::<u64>().ok().filter(|number| *number > 0);
        number.ok_or_else(|| format!("`{option}` needs a whole number above 0, not `{value}`"))
    };
    let task = match options {
        [] => Task::Minutes(MINUTES_DEFAULT),
        [option, value] if option == "--minutes" => Task::Minutes(number(option, value)?),
        [option, value] if option == "--runs" => Task::Runs(number(option, value)?),
        [option, value] if option == "--replay" && named.is_some() => Task::Replay(PathBuf::from(value)),
        [option] if option == "--minimise" => Task::Minimise,
        other => {
            let usage = "[NAME] with one of --minutes N, --runs N, --minimise; NAME --replay FILE";
            return Err(format!("takes {usage}; not `{}`", other.join(" ")));
        }
    };
    Ok((targets, task))
}

/// Builds the executable and returns its path.
fn build() -> Result<PathBuf, String> {
    let wrapper = std::env::current_exe().map_err(|error| format!("cannot find this executable: {error}"))?;
    let mut command =
        cargo(["build", "--locked", "--package", "fuzz", "--bin", "fuzz", "--features", "libfuzzer"]);
    // Only for workspace crates: counters of other crates would be reset and read for every input without benefit.
    execute(command.env("RUSTC_WORKSPACE_WRAPPER", wrapper).env(COVERAGE, "1"))?;
    Ok(root().join("target/debug/fuzz"))
}

/// Runs the compiler, with coverage flags when it compiles a crate.
pub(crate) fn compile(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(compiler) = arguments.next() else { return ExitCode::FAILURE };
    let arguments: Vec<_> = arguments.collect();
    let is_crate = arguments.iter().any(|argument| argument == "--crate-name");
    let flags = if is_crate { FLAGS.as_slice() } else { &[] };
    match Command::new(&compiler).args(&arguments).args(flags).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{} could not be started: {error}", compiler.display());
            ExitCode::FAILURE
        }
    }
}

impl Target {
    fn perform(&self, executable: &Path, task: &Task) -> Result<(), String> {
        let (corpus, found, artifacts) = (self.committed(), self.folder("corpus"), self.folder("artifacts"));
        for folder in [&corpus, &found, &artifacts] {
            make(folder)?;
        }
        let mut command = self.command(executable, task, &artifacts);
        match task {
            Task::Minutes(_) | Task::Runs(_) => {
                // Count compared values as progress: otherwise a length or a magic number is never found.
                command.arg("-use_value_profile=1").env(SEEDS, &found).arg(&found).arg(&corpus);
                execute(&mut command).map_err(|error| self.explain(&error, &artifacts))
            }
            Task::Replay(file) => execute(command.arg(file)),
            Task::Minimise => {
                let smallest = self.folder("minimised");
                remove(&smallest)?;
                make(&smallest)?;
                // Few inputs that reach every edge; hit counts do not matter for a replay.
                command.args(["-set_cover_merge=1", "-use_counters=0"]);
                execute(command.env(SEEDS, &found).arg(&smallest).arg(&corpus).arg(&found))?;
                replace(&corpus, &smallest)
            }
        }
    }

    fn command(&self, executable: &Path, task: &Task, artifacts: &Path) -> Command {
        let mut command = Command::new(executable);
        command.current_dir(root()).env(TARGET, self.name);
        command.arg(format!("-max_len={}", self.input_bytes_max));
        command.arg(format!("-rss_limit_mb={MEMORY_MIB_MAX}"));
        command.arg(format!("-timeout={INPUT_SECONDS_MAX}"));
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        match task {
            Task::Minutes(minutes) => {
                command.arg(format!("-max_total_time={}", minutes.saturating_mul(60)));
            }
            Task::Runs(runs) => {
                command.arg(format!("-runs={runs}"));
            }
            Task::Replay(_) | Task::Minimise => {}
        }
        // Occasional status lines, not one per new input.
        command.args(["-print_final_stats=1", "-verbosity=1", "-reload=0"]);
        command
    }

    fn committed(&self) -> PathBuf {
        root().join("crates/fuzz/corpus").join(self.name)
    }

    fn folder(&self, kind: &str) -> PathBuf {
        root().join("target/fuzz").join(kind).join(self.name)
    }

    /// Names the failing input and the command to reproduce it.
    fn explain(&self, error: &str, artifacts: &Path) -> String {
        let newest = |folder: &Path| {
            let entries = fs::read_dir(folder).ok()?.flatten();
            entries.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok())
        };
        match newest(artifacts) {
            Some(input) => format!(
                "{error}\n  the input: {}\n  to see it again: cargo xtask fuzz {} --replay {}",
                input.path().display(),
                self.name,
                input.path().display()
            ),
            None => error.to_owned(),
        }
    }
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be created: {error}", folder.display()))
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{} cannot be removed: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Replaces a folder by another.
fn replace(folder: &Path, with: &Path) -> Result<(), String> {
    remove(folder)?;
    fs::rename(with, folder).map_err(|error| format!("{} cannot be replaced: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{MINUTES_DEFAULT, SEEDS, TARGET, TARGETS, Task, read};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn asked(text: &str) -> Result<(Vec<&'static str>, Task), String> {
        read(&words(text)).map(|(targets, task)| (targets.iter().map(|target| target.name).collect(), task))
    }

    #[test]
    fn without_a_name_every_target_runs_for_the_usual_time() {
        let (targets, task) = asked("").unwrap();
        assert_eq!(targets.len(), TARGETS.len());
        assert_eq!(task, Task::Minutes(MINUTES_DEFAULT));
    }

    #[test]
    fn a_name_and_one_option_are_understood() {
        assert_eq!(asked("http"), Ok((vec!["http"], Task::Minutes(MINUTES_DEFAULT))));
        assert_eq!(asked("frame --minutes 2"), Ok((vec!["frame"], Task::Minutes(2))));
        assert_eq!(asked("frame --runs 9"), Ok((vec!["frame"], Task::Runs(9))));
        assert_eq!(asked("--runs 9").unwrap().1, Task::Runs(9));
        assert_eq!(asked("--minimise").unwrap().1, Task::Minimise);
        let replay = Task::Replay(PathBuf::from("a/b"));
        assert_eq!(asked("stream --replay a/b"), Ok((vec!["stream"], replay)));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_names_there_are() {
        let message = asked("htp").unwrap_err();
        assert!(message.contains("`htp`") && message.contains("http, stream, frame"), "{message}");
    }

    #[test]
    fn an_option_that_is_not_read_is_refused() {
        for text in ["http --hours 2", "http --minutes", "--replay a", "http --runs 1 --minutes 2", "http x"]
        {
            let message = asked(text).unwrap_err();
            assert!(message.contains("--minutes N"), "{message}");
        }
        for text in ["--runs many", "--minutes 0", "http --minutes -1"] {
            assert!(asked(text).unwrap_err().contains("whole number"), "{text}");
        }
    }

    #[test]
    fn the_targets_are_called_what_they_are_called_here_and_read_what_is_set_here() {
        let library = include_str!("../../crates/fuzz/src/lib.rs");
        for target in &TARGETS {
            assert!(library.contains(&format!("name: \"{}\"", target.name)), "{}", target.name);
        }
        assert_eq!(library.matches("name: \"").count(), TARGETS.len());
        let main = include_str!("../../crates/fuzz/src/main.rs");
        assert!(main.contains(TARGET) && main.contains(SEEDS));
    }

    #[test]
    fn a_run_is_bounded_in_time_and_memory_and_names_the_folder_of_crashes() {
        let command = TARGETS[0].command(Path::new("fuzz"), &Task::Runs(7), Path::new("a"));
        let arguments: Vec<_> = command.get_args().filter_map(|argument| argument.to_str()).collect();
        for expected in ["-runs=7", "-rss_limit_mb=2048", "-timeout=20", "-artifact_prefix=a/"] {
            assert!(arguments.contains(&expected), "{expected} in {arguments:?}");
        }
    }
}
