//! `cargo xtask test [args…]`: installs what the tests need, builds them, runs them; all of them when nothing is chosen,
//! conformance to the OpenAPI document and the walks of a browser included.
//!
//! The dev profile is optimised with overflow checks on, so there is no second, slower round.

use crate::process::{cargo, run as execute, step};
use crate::{conformance, install, web};

/// Any of these picks packages, which `--workspace` would overrule.
const SELECTIONS: &[&str] = &["-p", "--package", "--manifest-path"];

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    step("packages the tests need", install::run)?;
    step("build the tests", || execute(&mut cargo(build_arguments(extra))))?;
    step("run the tests", || execute(&mut cargo(run_arguments(extra))))?;
    // Whoever chooses some tests does not wait for these.
    if !extra.is_empty() {
        return Ok(());
    }
    step("conformance", || conformance::run(&[]))?;
    step("browser", web::browse)
}

fn run_arguments(extra: &[String]) -> Vec<&str> {
    let mut arguments = vec!["test", "--locked"];
    if !selects_packages(for_cargo(extra)) {
        arguments.push("--workspace");
    }
    arguments.extend(extra.iter().map(String::as_str));
    arguments
}

/// The same build, without what follows `--`: that is for the test executables.
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
    use super::{build_arguments, run_arguments};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn without_arguments_the_whole_workspace_is_tested() {
        assert_eq!(run_arguments(&[]), ["test", "--locked", "--workspace"]);
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
