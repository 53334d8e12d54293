//! `cargo xtask test [args…]`: installs what the tests need, builds and runs them. Without arguments all of them, including
//! OpenAPI conformance, the tools for agents, the client libraries and the browser tests. With `--changed` those that depend on
//! what differs from `main`. With `--long` also `ONLY_LONG`.
//!
//! The dev profile has overflow checks and debug assertions on, so there is no second run with them.

mod changed;
mod executables;
mod report;

use std::fs;
use std::process::Command;
use std::thread::{self, available_parallelism};

pub(crate) use executables::SELECTION;

use crate::parallel::{self, Task};
use crate::process::{cargo, output, run as execute, step};
use crate::{demo, dist, install, sdk, soak, web};
use executables::Executable;
use report::Report;

/// Options that select packages, with which `--workspace` must not be passed.
const SELECTIONS: &[&str] = &["-p", "--package", "--manifest-path"];

/// All tests, and those that take long.
const LONG: &str = "--long";
/// Tests that depend on what differs from `main`.
const CHANGED: &str = "--changed";
const ONLY_LONG: &str = "all HTTP tests through lanes, the tests of the benchmarks, random days and the adversary at full length, \
    an upgrade from a shipped build, 1,000 cut connections of the client libraries, the browser tests in Firefox, five failovers, \
    `cargo install`, and a trial of the packages";

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => all(false),
        [LONG] => all(true),
        [CHANGED] => changed::run(),
        [option @ (LONG | CHANGED), ..] => Err(format!("{option} takes no further arguments")),
        _ => chosen(arguments),
    }
}

/// The tests that cargo's arguments select.
fn chosen(arguments: &[String]) -> Result<(), String> {
    step("packages the tests need", install::run)?;
    step("build the tests", || execute(&mut cargo(build_arguments(arguments))))?;
    step("run the tests", || execute(&mut cargo(run_arguments(arguments))))
}

fn all(is_long: bool) -> Result<(), String> {
    let mut report = Report::new();
    let executables = prepared(&mut report)?;
    let mut work: Vec<Work> = executables.iter().map(|executable| Work::tests(executable, is_long)).collect();
    work.extend(executables.iter().filter_map(|executable| through_lanes(executable, is_long)));
    for words in others(is_long) {
        let mut task = Task::of_this_program(&words)?;
        task.places = if task.name == BROWSE { BROWSE_PLACES } else { 1 };
        work.push(Work::other(task));
    }
    side_by_side(&mut report, work)?;
    if is_long {
        long(&mut report)?;
    }
    report.end(Some(", conformance, tools for agents, client libraries, browser"), ONLY_LONG)
}

/// What only `--long` runs, one after the other.
fn long(report: &mut Report) -> Result<(), String> {
    report
        .step("the tests of the benchmarks", || execute(&mut cargo(["test", "--locked", "-p", "bench"])))?;
    report.step("an upgrade from a shipped build", upgrade_shipped)?;
    report.step("the Rust client library", || sdk::run(&sdk_arguments("rust", true)))?;
    report.step("browser: Firefox", web::firefox)?;
    report.step("five failovers", || soak::failovers("5"))?;
    report.step("`cargo install`", install_by_cargo)?;
    report.step("packages", dist::try_packages)
}

/// Builds the tests, and meanwhile installs what running them needs: packages come from the network and the disk.
fn prepared(report: &mut Report) -> Result<Vec<Executable>, String> {
    report.step("packages the build needs", install::for_build)?;
    let packages = Task::of_this_program(&["install".to_owned()])?;
    thread::scope(|scope| {
        let installing = scope.spawn(|| parallel::run(vec![packages], 1, |_| (), parallel::tell));
        let executables = report.step("build the tests", || executables::build(&SELECTION));
        let installed = report.step("packages the tests need", || match installing.join() {
            Ok(ended) if ended.iter().all(|ended| ended.is_done) => Ok(()),
            _ => Err("see what it printed above".to_owned()),
        });
        installed.and(executables)
    })
}

/// A process of a run.
struct Work<'a> {
    task: Task,
    executable: Option<&'a Executable>,
    /// Variables that it needs, as a shell reads them before the command.
    variables: &'static str,
}

impl<'a> Work<'a> {
    fn tests(executable: &'a Executable, is_long: bool) -> Work<'a> {
        Work { task: executable.task(&[], is_long), executable: Some(executable), variables: "" }
    }

    fn other(task: Task) -> Work<'a> {
        Work { task, executable: None, variables: "" }
    }
}

const BROWSE: &str = "web browse";
/// Two browsers compute all the time.
const BROWSE_PLACES: usize = 2;

/// Names of those that take longest begin like this, the longest first: the run ends sooner if none of them begins last.
const FIRST: &[&str] = &[
    BROWSE,
    "crates/cli/tests/cluster",
    "crates/sim/tests",
    "crates/cli/tests/demo",
    "sdk python",
    "crates/cli/tests/faults",
    "conformance",
    "crates/server/tests/http",
    "sdk typescript",
    "crates/cli/tests/conformance",
    "crates/server/tests/streams",
    "crates/server/tests/view",
    "crates/journal/tests",
    "crates/server/tests",
    "agents",
    "crates/cli",
];

fn side_by_side(report: &mut Report, mut work: Vec<Work>) -> Result<(), String> {
    let rank = |name: &str| FIRST.iter().position(|first| name.starts_with(first)).unwrap_or(FIRST.len());
    work.sort_by_key(|work| rank(&work.task.name));
    // Most tests wait for a server or a clock: with one process more than cores, no core waits with them.
    let places = available_parallelism().map_or(2, usize::from) + 1;
    let (tasks, executables): (Vec<Task>, Vec<_>) =
        work.into_iter().map(|work| (work.task, (work.executable, work.variables))).unzip();
    let names: Vec<String> = tasks.iter().map(|task| task.name.clone()).collect();
    let ended =
        report.step("run the tests", || Ok(parallel::run(tasks, places, parallel::begin, parallel::tell)))?;
    for ended in &ended {
        let place = names.iter().position(|name| *name == ended.name);
        match place.map(|place| executables[place]) {
            Some((Some(executable), variables)) => report.take_executable(executable, variables, ended),
            _ => report.take_task(ended),
        }
    }
    Ok(())
}

/// What programs of others use, as words of this program.
fn others(is_long: bool) -> Vec<Vec<String>> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let sdk = |language| [words("sdk"), sdk_arguments(language, is_long)].concat();
    vec![words(BROWSE), sdk("python"), words("conformance"), sdk("typescript"), words("agents")]
}

fn sdk_arguments(language: &str, is_long: bool) -> Vec<String> {
    let words: &[&str] = if is_long { &[language, "--cuts", "1000"] } else { &[language] };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// HTTP tests that depend on the transport: who may do what, malformed input, and the comparison of both transports.
const OF_TRANSPORT: [&str; 3] = ["access::", "lanes::", "malformed::"];

/// The variable that sends the requests of the HTTP tests through lanes.
const LANES: &str = "BELLWETHER_TEST_LANES";
const LANES_ON: &str = "BELLWETHER_TEST_LANES=1 ";

/// The HTTP tests once more, if these are they: each request goes through a socket and a lane instead of straight to the router.
fn through_lanes(executable: &Executable, is_long: bool) -> Option<Work<'_>> {
    let words: &[&str] = if is_long { &[] } else { &OF_TRANSPORT };
    executable.is_of_http().then(|| {
        let mut task = executable.task(words, is_long);
        task.name.push_str(", through lanes");
        task.command.env(LANES, "1");
        Work { task, executable: Some(executable), variables: LANES_ON }
    })
}

/// The variable with the executable from which the drill of an upgrade starts.
const SHIPPED: &str = "PLAIN_BELLWETHER";

/// The drill of an upgrade with an executable that is built as it is shipped, so that it cannot be the next version.
fn upgrade_shipped() -> Result<(), String> {
    execute(&mut cargo(["build", "--locked", "--package", "cli"]))?;
    let folder = demo::target()?.join("debug");
    let (from, to) = (folder.join("bellwether"), folder.join("bellwether-plain"));
    // The build of the tests puts its own executable in the place of this one.
    fs::copy(&from, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    let drill = ["--test", "cluster", "rolling"];
    execute(cargo(["test", "--locked"].into_iter().chain(SELECTION).chain(drill)).env(SHIPPED, to))
}

/// The folder below the target folder that `cargo install` writes to.
const INSTALLED: &str = "installed";

/// Installs the executable as a person with Rust does, and runs it.
fn install_by_cargo() -> Result<(), String> {
    let installed = demo::target()?.join(INSTALLED);
    execute(cargo(["install", "--locked", "--path", "crates/cli", "--root"]).arg(&installed))?;
    let said = output(Command::new(installed.join("bin/bellwether")).arg("--version"));
    let said = said.ok_or("the installed executable does not run")?;
    let expected = format!("bellwether {}", env!("CARGO_PKG_VERSION"));
    match said.trim().starts_with(&expected) {
        true => Ok(()),
        false => Err(format!("the installed executable is not {expected}: {said}")),
    }
}

fn run_arguments(extra: &[String]) -> Vec<&str> {
    let mut arguments = vec!["test", "--locked"];
    if !selects_packages(for_cargo(extra)) {
        arguments.extend(SELECTION);
    }
    arguments.extend(extra.iter().map(String::as_str));
    arguments
}

/// Arguments for the build: without those after `--`, which are for the test executables.
fn build_arguments(extra: &[String]) -> Vec<&str> {
    let mut arguments = run_arguments(for_cargo(extra));
    // Cargo refuses the option twice, and the caller may have given it.
    if !arguments.contains(&"--no-run") {
        arguments.push("--no-run");
    }
    arguments
}

fn for_cargo(extra: &[String]) -> &[String] {
    let end = extra.iter().position(|argument| argument == "--").unwrap_or(extra.len());
    &extra[..end]
}

fn selects_packages(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| {
        let name = argument.split('=').next().unwrap_or(argument);
        SELECTIONS.contains(&name) || (argument.starts_with("-p") && !argument.starts_with("--"))
    })
}

#[cfg(test)]
mod tests {
    use super::{FIRST, SELECTION, build_arguments, others, run, run_arguments};
    use crate::process::root;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn without_arguments_the_whole_workspace_is_tested() {
        let expected = [&["test", "--locked"][..], &SELECTION].concat();
        assert_eq!(run_arguments(&[]), expected);
    }

    #[test]
    fn other_tasks_are_the_words_of_this_program() {
        let short: Vec<String> = others(false).iter().map(|words| words.join(" ")).collect();
        assert_eq!(short, ["web browse", "sdk python", "conformance", "sdk typescript", "agents"]);
        assert_eq!(others(true)[1], ["sdk", "python", "--cuts", "1000"]);
    }

    #[test]
    fn what_begins_first_exists() {
        let words: Vec<String> = others(false).iter().map(|words| words.join(" ")).collect();
        for first in FIRST {
            let is_there = |path: String| root().join(path).exists();
            let is_known = words.iter().any(|name| name == first)
                || is_there(format!("{first}.rs"))
                || is_there(format!("{first}/"));
            assert!(is_known, "{first}");
        }
    }

    #[test]
    fn long_tests_cannot_be_narrowed_down() {
        for option in ["--long", "--changed"] {
            assert!(run(&words(&format!("{option} -p exchange"))).unwrap_err().contains(option));
        }
    }

    #[test]
    fn extra_arguments_pass_through() {
        let extra = words("book -- --nocapture");
        assert!(run_arguments(&extra).ends_with(&["book", "--", "--nocapture"]));
    }

    #[test]
    fn a_chosen_package_replaces_the_workspace() {
        for choice in ["-p exchange", "-pexchange", "--package=exchange"] {
            assert!(!run_arguments(&words(choice)).contains(&"--workspace"), "{choice}");
        }
        assert!(run_arguments(&words("-- -p")).contains(&"--workspace"));
    }

    #[test]
    fn the_build_leaves_out_what_is_for_the_test_executables() {
        let extra = words("book -- --nocapture");
        assert!(build_arguments(&extra).ends_with(&["book", "--no-run"]));
        assert!(build_arguments(&words("--no-run")).ends_with(&["bench", "--no-run"]));
    }
}
