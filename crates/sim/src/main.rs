//! The simulator's command line: `sim soak`, `sim replay`, `sim operators`, `sim record`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use sim::rogue;
use sim::run::run_seed;
use sim::shrink::report;
use sim::soak::{Plan, soak};

const USAGE: &str = "sim soak [--minutes N] [--seed S] [--commands N]\nsim replay --seed S [--index I] [--commands N]\n\
     sim operators [--minutes N] [--seed S] [--commands N] [--rules R]\n\
     sim record FOLDER [--seeds N] [--commands N]";
const COMMANDS_PER_SEED: usize = 2_000;
/// Commands of malicious operators.
const ROGUE_COMMANDS: u64 = 10_000_000;
/// The number of seeds that a recording chooses from.
const SEEDS: u64 = 640;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("soak") => run_soak(&arguments),
        Some("replay") => replay(&arguments),
        Some("operators") => operators(&arguments),
        Some("record") => record(&arguments),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn option(arguments: &[String], name: &str) -> Option<u64> {
    let place = arguments.iter().position(|argument| argument == name)?;
    arguments.get(place + 1)?.parse().ok()
}

/// A broken rule may panic inside a run; the panic is caught and reported once.
fn hush_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

fn run_soak(arguments: &[String]) -> ExitCode {
    hush_panics();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let plan = Plan {
        first_seed: option(arguments, "--seed").unwrap_or(1_000_000),
        seeds: None,
        commands_per_seed: option(arguments, "--commands")
            .map_or(COMMANDS_PER_SEED, |commands| commands as usize),
        time_max: option(arguments, "--minutes").map(|minutes| Duration::from_secs(60 * minutes)),
        threads,
        progress: true,
    };
    match soak(plan) {
        Ok(counts) => {
            print!("{counts}");
            ExitCode::SUCCESS
        }
        Err(failed) => {
            eprintln!("{}", report(&failed));
            ExitCode::FAILURE
        }
    }
}

/// A malicious operator sends ten million commands, or as many as asked for, under the eyes of the judge.
fn operators(arguments: &[String]) -> ExitCode {
    hush_panics();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let time_max = option(arguments, "--minutes").map(|minutes| Duration::from_secs(60 * minutes));
    if let Some(rules) = option(arguments, "--rules") {
        return explore(arguments, rules as u32);
    }
    let usual = if time_max.is_some() { u64::MAX } else { ROGUE_COMMANDS };
    let plan = rogue::soak::Plan {
        first_seed: option(arguments, "--seed").unwrap_or(1_000_000),
        commands: option(arguments, "--commands").unwrap_or(usual),
        stages: None,
        time_max,
        threads,
        progress: true,
    };
    match rogue::soak::soak(plan) {
        Ok(tally) => {
            print!("{tally}");
            ExitCode::SUCCESS
        }
        Err(broken) => {
            eprintln!("{}", rogue::soak::report(&broken));
            ExitCode::FAILURE
        }
    }
}

/// Counts the rules that the rogue breaks under earlier rules of the exchange.
fn explore(arguments: &[String], rules: u32) -> ExitCode {
    let first = option(arguments, "--seed").unwrap_or(1_000_000);
    let stages = option(arguments, "--commands").unwrap_or(100_000) / rogue::play::COMMANDS_PER_STAGE;
    let mut broken = BTreeMap::new();
    for seed in first..first + stages {
        for rule in rogue::play::explore(seed, rules, rogue::play::COMMANDS_PER_STAGE).unwrap_or_default() {
            *broken.entry(rule).or_insert(0_u64) += 1;
        }
    }
    for (rule, times) in broken {
        println!("{times:>9}  {rule}");
    }
    ExitCode::SUCCESS
}

/// Records journals of this version into a new folder.
fn record(arguments: &[String]) -> ExitCode {
    let Some(folder) = arguments.get(1).filter(|folder| !folder.starts_with("--")).map(Path::new) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if folder.exists() {
        eprintln!("{} already exists: a recorded version is never replaced", folder.display());
        return ExitCode::FAILURE;
    }
    let seeds = option(arguments, "--seeds").unwrap_or(SEEDS);
    let commands = option(arguments, "--commands").map_or(COMMANDS_PER_SEED, |commands| commands as usize);
    match sim::recording::record(folder, seeds, commands) {
        Ok(missed) if missed.is_empty() => ExitCode::SUCCESS,
        Ok(missed) => {
            eprintln!("no seed reached {missed:?}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn replay(arguments: &[String]) -> ExitCode {
    hush_panics();
    let Some(seed) = option(arguments, "--seed") else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let commands = option(arguments, "--commands").map_or(COMMANDS_PER_SEED, |commands| commands as usize);
    sim::run::print_seed(seed, commands, option(arguments, "--index").map(|index| index as usize));
    match run_seed(seed, commands) {
        Ok(counts) => {
            print!("{counts}");
            ExitCode::SUCCESS
        }
        Err(failed) => {
            eprintln!("{}", report(&failed));
            ExitCode::FAILURE
        }
    }
}
