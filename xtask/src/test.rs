//! `cargo xtask test [args…]`: installs what the tests need, builds and runs them. Without arguments all of them, including
//! OpenAPI conformance, the tools for agents, the client libraries and the browser tests. With `--long` alone, all HTTP tests
//! also run through lanes, an upgrade starts from a shipped build, the browser tests run in a second browser too, the client
//! libraries' connections are cut 1,000 times, five primaries are lost under Patroni, the executable is installed by cargo,
//! and the packages of a release are built, installed and tried.
//!
//! The dev profile is optimised with overflow checks on, so there is no second, slower run.

use std::fs;
use std::process::Command;

use crate::process::{cargo, output, root, run as execute, step};
use crate::web::build_executable;
use crate::{demo, dist, install, node, parallel, python, sdk, soak, web};

/// Options that select packages, with which `--workspace` must not be passed.
const SELECTIONS: &[&str] = &["-p", "--package", "--manifest-path"];

/// All tests, and those that take long.
const LONG: &str = "--long";

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let is_long = arguments.first().is_some_and(|first| first == LONG);
    let extra = if is_long { &arguments[1..] } else { arguments };
    if is_long && !extra.is_empty() {
        return Err(format!("{LONG} is for all tests and takes no further arguments"));
    }
    step("packages the tests need", install::run)?;
    step("build the tests", || execute(&mut cargo(build_arguments(extra))))?;
    step("run the tests", || execute(&mut cargo(run_arguments(extra))))?;
    // A selection of tests does not include these.
    if !extra.is_empty() {
        return Ok(());
    }
    step("the HTTP tests through lanes", || in_lanes(is_long))?;
    step("packages the client libraries need", prepare_clients)?;
    step("conformance, tools for agents, client libraries", || parallel::run(&clients(is_long)))?;
    step("browser", web::browse)?;
    if !is_long {
        return Ok(());
    }
    step("an upgrade from a shipped build", upgrade_shipped)?;
    step("the Rust client library", || sdk::run(&sdk_arguments("rust", is_long)))?;
    step("browser: Firefox", web::firefox)?;
    step("five failovers", || soak::failovers("5"))?;
    step("`cargo install`", install_by_cargo)?;
    step("packages", dist::try_packages)
}

/// What programs of others use: two tasks at a time, the longest first.
fn clients(is_long: bool) -> Vec<Vec<String>> {
    let sdk = |language| [vec!["sdk".to_owned()], sdk_arguments(language, is_long)].concat();
    vec![sdk("python"), vec!["conformance".to_owned()], sdk("typescript"), vec!["agents".to_owned()]]
}

/// Installs what several of them would install at the same time.
fn prepare_clients() -> Result<(), String> {
    python::install()?;
    install::chromium()?;
    node::npm(&root())?;
    build_executable()
}

fn sdk_arguments(language: &str, is_long: bool) -> Vec<String> {
    let words: &[&str] = if is_long { &[language, "--cuts", "1000"] } else { &[language] };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// HTTP tests that depend on the transport: who may do what, malformed input, and the comparison of both transports.
const OF_TRANSPORT: [&str; 4] = ["--", "access::", "lanes::", "malformed::"];

/// Runs HTTP tests again: each request goes through a socket and a lane instead of straight to the router.
fn in_lanes(is_long: bool) -> Result<(), String> {
    let mut arguments = vec!["test", "--locked", "--workspace", "--test", "http"];
    if !is_long {
        arguments.extend(OF_TRANSPORT);
    }
    execute(cargo(arguments).env("BELLWETHER_TEST_LANES", "1"))
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
    let drill = ["test", "--locked", "--workspace", "--test", "cluster", "rolling"];
    execute(cargo(drill).env(SHIPPED, to))
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
        arguments.push("--workspace");
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
    use super::{build_arguments, clients, run, run_arguments};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn without_arguments_the_whole_workspace_is_tested() {
        assert_eq!(run_arguments(&[]), ["test", "--locked", "--workspace"]);
    }

    #[test]
    fn tasks_of_the_clients_are_the_words_of_this_program() {
        let short: Vec<String> = clients(false).iter().map(|words| words.join(" ")).collect();
        assert_eq!(short, ["sdk python", "conformance", "sdk typescript", "agents"]);
        assert_eq!(clients(true)[0], ["sdk", "python", "--cuts", "1000"]);
    }

    #[test]
    fn long_tests_cannot_be_narrowed_down() {
        assert!(run(&words("--long -p exchange")).unwrap_err().contains("--long"));
    }

    #[test]
    fn extra_arguments_pass_through() {
        let extra = words("book -- --nocapture");
        assert_eq!(run_arguments(&extra), ["test", "--locked", "--workspace", "book", "--", "--nocapture"]);
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
        assert_eq!(build_arguments(&extra), ["test", "--locked", "--workspace", "book", "--no-run"]);
        assert_eq!(build_arguments(&words("--no-run")), ["test", "--locked", "--workspace", "--no-run"]);
    }
}
