//! `cargo xtask soak …`: what the tests do, for as long as asked.
//!
//! `soak [rules] [--minutes N] [--seed S] …` sends random commands to the exchange; the test is in `crates/sim`, which also
//! reads the options and prints the seed that leads to a broken rule again. `soak crashes [--minutes N | --kills N] [--seed
//! S]` kills the executable under load; it is the crash test of `crates/cli/tests`, told by its environment to go on.

use std::process::Command;

use crate::process::{cargo, run as execute};

const CRASH_TEST: &str = "crash::what_was_answered_is_there_exactly_once_after_each_of_many_kills";
const KILLS: &str = "BELLWETHER_CRASH_KILLS";
const MINUTES: &str = "BELLWETHER_CRASH_MINUTES";
const SEED: &str = "BELLWETHER_CRASH_SEED";
/// Without a bound it would never end.
const KILLS_USUAL: &str = "300";

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    match extra.split_first() {
        Some((kind, rest)) if kind == "crashes" => execute(&mut crashes(rest)?),
        Some((kind, rest)) if kind == "rules" => execute(&mut cargo(rules(rest))),
        _ => execute(&mut cargo(rules(extra))),
    }
}

fn rules(extra: &[String]) -> Vec<&str> {
    let mut arguments = vec!["run", "--release", "--locked", "-p", "sim", "--", "soak"];
    arguments.extend(extra.iter().map(String::as_str));
    arguments
}

fn crashes(options: &[String]) -> Result<Command, String> {
    let test =
        ["test", "--locked", "-p", "cli", "--test", "demo", "--", "--exact", CRASH_TEST, "--nocapture"];
    let mut command = cargo(test);
    for (name, value) in settings(options)? {
        command.env(name, value);
    }
    Ok(command)
}

/// The environment of the crash test.
fn settings(options: &[String]) -> Result<Vec<(&'static str, &str)>, String> {
    let mut settings = Vec::new();
    for pair in options.chunks(2) {
        let name = match pair[0].as_str() {
            "--minutes" => MINUTES,
            "--kills" => KILLS,
            "--seed" => SEED,
            unknown => return Err(format!("crashes takes --minutes, --kills and --seed, not `{unknown}`")),
        };
        match pair.get(1) {
            Some(value) if value.parse::<u64>().is_ok() => settings.push((name, value.as_str())),
            _ => return Err(format!("`{}` needs a whole number", pair[0])),
        }
    }
    if !settings.iter().any(|(name, _)| [MINUTES, KILLS].contains(name)) {
        settings.push((KILLS, KILLS_USUAL));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::{CRASH_TEST, KILLS, MINUTES, SEED, crashes, rules, settings};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn options_go_to_the_simulator() {
        let expected = ["run", "--release", "--locked", "-p", "sim", "--", "soak", "--seed", "7"];
        assert_eq!(rules(&words("--seed 7")), expected);
    }

    #[test]
    fn options_reach_the_crash_test_by_its_environment() {
        assert_eq!(settings(&words("--kills 9 --seed 7")), Ok(vec![(KILLS, "9"), (SEED, "7")]));
        assert_eq!(settings(&words("--minutes 2")), Ok(vec![(MINUTES, "2")]));
        assert_eq!(settings(&words("--seed 7")), Ok(vec![(SEED, "7"), (KILLS, "300")]));
        let command = crashes(&words("--kills 9")).expect("a command");
        assert!(
            command.get_envs().any(|(name, value)| name == KILLS && value.is_some_and(|value| value == "9"))
        );
    }

    #[test]
    fn an_option_that_nobody_reads_is_refused() {
        assert!(settings(&words("--hours 2")).unwrap_err().contains("`--hours`"));
        assert!(settings(&words("--kills many")).unwrap_err().contains("`--kills`"));
        assert!(settings(&words("--kills")).unwrap_err().contains("`--kills`"));
    }

    #[test]
    fn the_crash_test_is_called_what_it_is_called_here() {
        let name = CRASH_TEST.rsplit("::").next().expect("a name");
        assert!(include_str!("../../crates/cli/tests/demo/crash/mod.rs").contains(&format!("fn {name}()")));
    }
}
