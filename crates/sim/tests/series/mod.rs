//! A series through 200 intervals of simulated time: downtime, restarts, stale feeds, disagreeing feeds, prices from
//! the future and late prices. `plan.rs` generates the scenario, `story.rs` runs it on the real exchange, `model.rs`
//! computes the expected result from the log alone.

mod model;
mod plan;
mod story;

use exchange::catalogue::{Engine, Interval};

use model::Tally;
use plan::Plan;
use story::Story;

const INTERVALS: [Interval; 4] =
    [Interval::FifteenMinute, Interval::Hourly, Interval::SixHourly, Interval::Daily];
/// Intervals of each run.
const LENGTH: i64 = 200;

fn run(seeds: std::ops::Range<u64>, interval: Interval, engine: Engine) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let plan = Plan::new(seed, interval, engine, LENGTH);
        let story = Story::play(&plan);
        story.judge(&plan, &mut tally).unwrap_or_else(|fault| {
            panic!("seed {seed}, {interval:?}, {engine:?}, {:?}: {fault}", plan.terms.sources)
        });
    }
    tally
}

/// Twelve runs of each interval: four for each number of sources.
fn run_all(engine: Engine) {
    let mut tally = Tally::default();
    for interval in INTERVALS {
        tally = tally + run(0..12, interval, engine);
    }
    // Every case must have occurred.
    let Tally { made, missed, stale, disagreeing, resolved, left, restarts, late, up, down } = tally;
    assert!(made > 3_000 && resolved > 2_000, "{tally:?}");
    assert!(missed > 100 && stale > 500 && disagreeing > 50 && left > 200, "{tally:?}");
    assert!(restarts > 500 && late > 20 && up > 500 && down > 500, "{tally:?}");
}

#[test]
fn two_hundred_intervals_on_books_give_the_events_and_results_of_the_model() {
    run_all(Engine::Clob);
}

#[test]
fn two_hundred_intervals_on_pools_give_the_events_and_results_of_the_model() {
    run_all(Engine::Amm);
}
