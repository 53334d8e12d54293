//! Malicious operators: none gets alone what takes two, and the same play finds the holes of earlier rules.

use std::collections::BTreeSet;

use sim::rogue::judge::{
    FEE_NOTICE, GAME_TRADES, GLASS_PROPOSES, GROWTH_PRICE, HALF_AGREEMENT, KEY_REPEATED, LOST_UPDATE,
    MONEY_ALONE, NAMES_CHANGED, NEVER_OPENED, ONE_PERSON, REFERENCE_REPEATED, RESULT_ALONE,
    RESULT_CONTRADICTS, SERIES_CAPS, TERMS_ALONE, VERDICT_CHANGED,
};
use sim::rogue::play::explore;
use sim::rogue::probe::{RESULT_GOES_THROUGH, VERDICT_GOES_THROUGH};
use sim::rogue::soak::{Plan, report, soak};

fn malicious_operators(stages: u64, commands: u64) {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let plan = Plan {
        first_seed: 1,
        commands: u64::MAX,
        stages: Some(stages),
        time_max: None,
        threads,
        progress: false,
    };
    let tally = match soak(plan) {
        Ok(tally) => tally,
        Err(broken) => panic!("{}", report(&broken)),
    };
    println!("{tally}");
    assert!(tally.by_rogue >= commands, "only {} commands were sent", tally.by_rogue);
    assert_eq!(tally.missed(), Vec::<&str>::new(), "every state was reached and every command tried");
}

#[test]
fn no_operator_gets_alone_what_takes_two() {
    malicious_operators(140, 60_000);
}

#[test]
#[ignore = "--long"]
fn no_operator_gets_alone_what_takes_two_in_a_million_commands() {
    malicious_operators(2_200, 1_000_000);
}

#[test]
fn a_rogue_finds_the_holes_of_earlier_rules_by_itself() {
    let stages = 1..=150;
    let found: BTreeSet<String> = stages.flat_map(|seed| explore(seed, 3, 500).expect("a stage")).collect();
    let holes = [
        SERIES_CAPS,
        VERDICT_CHANGED,
        ONE_PERSON,
        GLASS_PROPOSES,
        VERDICT_GOES_THROUGH,
        HALF_AGREEMENT,
        LOST_UPDATE,
        RESULT_ALONE,
        RESULT_CONTRADICTS,
        RESULT_GOES_THROUGH,
        NAMES_CHANGED,
        GAME_TRADES,
        NEVER_OPENED,
        FEE_NOTICE,
        TERMS_ALONE,
        GROWTH_PRICE,
        KEY_REPEATED,
        REFERENCE_REPEATED,
        MONEY_ALONE,
    ];
    let missed: Vec<_> = holes.into_iter().filter(|hole| !found.contains(*hole)).collect();
    assert_eq!(missed, Vec::<&str>::new(), "found: {found:#?}");
}
