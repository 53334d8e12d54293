//! Initial states and requests from the simulator's generator: the same ones on every machine.

use exchange::command::Request;
use exchange::time::Time;
use exchange::{Exchange, invariants};
use sim::generator::Generator;
use sim::harness::Harness;

/// A run of the simulator, with its checks.
pub(crate) struct Day {
    pub(crate) exchange: Exchange,
    /// Requests generated for this state, each applied before the next is generated.
    pub(crate) requests: Vec<(Time, Request)>,
}

/// Plays `lived` requests of a seed and keeps the following `kept` requests.
pub(crate) fn day(seed: u64, lived: usize, kept: usize) -> Day {
    let (mut generator, mut harness) = (Generator::new(seed), Harness::default());
    play(&mut generator, &mut harness, lived);
    let (exchange, past) = (harness.exchange.clone(), harness.journal.len());
    play(&mut generator, &mut harness, kept);
    Day { exchange, requests: harness.journal.split_off(past) }
}

/// The requests that lead to the state of [`day`].
pub(crate) fn past(seed: u64, lived: usize) -> Vec<(Time, Request)> {
    let mut harness = Harness::default();
    play(&mut Generator::new(seed), &mut harness, lived);
    harness.journal
}

fn play(generator: &mut Generator, harness: &mut Harness, requests: usize) {
    for _ in 0..requests {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request).expect("the simulator finds no failure");
        generator.learn(&request, &result);
    }
}

/// States of several sizes, the empty one first.
pub(crate) fn states() -> Vec<Exchange> {
    let mut states = vec![Exchange::new()];
    states.extend(
        [(1, 8), (2, 30), (3, 60), (4, 120), (5, 200)].map(|(seed, lived)| day(seed, lived, 0).exchange),
    );
    for state in &states {
        invariants::check_all(state).expect("a state of the simulator keeps every invariant");
    }
    states
}
