//! The automation of this repository, as `cargo xtask <task>`.
//!
//! Each task is one file. `tidy` checks the house rules; start there to learn what is refused and why. This crate
//! depends on no other crate of the workspace, so that it builds in seconds.

mod agents;
mod bench;
mod ci;
mod conformance;
mod demo;
mod dist;
mod fuzz;
mod help;
mod install;
mod json;
mod lighthouse;
mod lint;
mod node;
mod parallel;
mod process;
mod python;
mod sdk;
mod soak;
mod test;
mod tidy;
mod web;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::var_os(fuzz::COVERAGE).is_some() {
        return fuzz::compile(std::env::args_os().skip(1));
    }
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = arguments.collect();
    match run(&task, &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {task}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &str, rest: &[String]) -> Result<(), String> {
    match task {
        "help" | "-h" | "--help" => help::run(),
        "ci" => without_arguments(rest).and_then(|()| ci::run()),
        "lint" => without_arguments(rest).and_then(|()| lint::run()),
        "install" => without_arguments(rest).and_then(|()| install::all()),
        "test" => test::run(rest),
        "tidy" => without_arguments(rest).and_then(|()| tidy::run()),
        "conformance" => conformance::run(rest),
        "agents" => without_arguments(rest).and_then(|()| agents::run()),
        "sdk" => sdk::run(rest),
        "web" => web::run(rest),
        "lighthouse" => without_arguments(rest).and_then(|()| lighthouse::run()),
        "bench" => bench::run(rest),
        "dist" => dist::run(rest),
        "soak" => soak::run(rest),
        "fuzz" => fuzz::run(rest),
        unknown => Err(format!("no task is called `{unknown}`; `cargo xtask help` lists them")),
    }
}

/// A mistyped option must not be ignored silently.
fn without_arguments(rest: &[String]) -> Result<(), String> {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(format!("takes no arguments, but got `{extra}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn an_unknown_task_is_refused_by_name() {
        let message = run("tset", &[]).unwrap_err();
        assert!(message.contains("`tset`"), "{message}");
    }

    #[test]
    fn a_task_without_options_refuses_them() {
        let message = run("tidy", &["--fix".to_owned()]).unwrap_err();
        assert!(message.contains("`--fix`"), "{message}");
    }

    #[test]
    fn every_task_in_the_help_is_known() {
        for (task, _) in super::help::TASKS {
            let name = task.split_whitespace().next().unwrap();
            assert!(include_str!("main.rs").contains(&format!("\"{name}\"")), "{name}");
        }
    }
}
