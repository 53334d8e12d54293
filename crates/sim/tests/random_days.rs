//! Random days: commands over fixed seeds, a million with `--long`, and more over a fresh one if `SIM_SEED` is set.

use std::time::Duration;

use sim::shrink::report;
use sim::soak::{Plan, soak};

const COMMANDS_PER_SEED: usize = 1_600;

/// Seeds that reach a state which the first days of a shorter run miss: a credit or debit over the cap of a day, which one in
/// eighty reaches.
const RARE_SEEDS: [u64; 2] = [184, 271];

fn run(first_seed: u64, seeds: u64) -> sim::counts::Counts {
    let plan = Plan {
        first_seed,
        seeds: Some(seeds),
        commands_per_seed: COMMANDS_PER_SEED,
        time_max: None::<Duration>,
        threads: std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        progress: false,
    };
    match soak(plan) {
        Ok(counts) => counts,
        Err(failed) => panic!("{}", report(&failed)),
    }
}

#[test]
fn random_days_break_no_rule_and_reach_every_rare_state() {
    random_days(160, 250_000);
}

#[test]
#[ignore = "--long"]
fn a_million_random_commands_break_no_rule_and_reach_every_rare_state() {
    random_days(640, 1_000_000);
}

fn random_days(seeds: u64, commands_min: u64) {
    let mut counts = run(1, seeds);
    RARE_SEEDS.iter().for_each(|seed| counts.add(&run(*seed, 1)));
    println!("{counts}");
    assert!(counts.commands >= commands_min, "only {} commands were applied", counts.commands);
    assert_eq!(counts.missed(), Vec::<&str>::new(), "every rare state was reached");
}

/// The seed of a commit, in continuous integration: every run plays new days.
#[test]
fn a_fresh_seed_breaks_no_rule() {
    let fresh = std::env::var("SIM_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let counts = run(fresh.unwrap_or(9_000_000), 20);
    assert_eq!(counts.seeds, 20);
}
