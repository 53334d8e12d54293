//! Plays one seed: generate, apply, check; restore at intervals; replay at the end.

use std::panic::{self, AssertUnwindSafe};

use exchange::Exchange;
use exchange::command::Request;
use exchange::time::Time;

use crate::counts::Counts;
use crate::failure::Failure;
use crate::generator::Generator;
use crate::harness::Harness;

/// Commands between two restored snapshots.
const RESTORE_EVERY: usize = 500;

/// A failed seed, with everything needed to reproduce it.
#[derive(Clone, Debug)]
pub struct FailedRun {
    pub seed: u64,
    pub index: usize,
    pub failure: Failure,
    pub journal: Vec<(Time, Request)>,
}

/// Plays `commands` generated commands of a seed.
pub fn run_seed(seed: u64, commands: usize) -> Result<Counts, Box<FailedRun>> {
    let mut harness = Harness::default();
    let outcome = catch(|| play(seed, commands, &mut harness));
    match outcome {
        Ok(()) => {
            harness.counts.seeds = 1;
            Ok(harness.counts)
        }
        Err(failure) => {
            let journal = core::mem::take(&mut harness.journal);
            Err(Box::new(FailedRun { seed, index: journal.len().saturating_sub(1), failure, journal }))
        }
    }
}

fn play(seed: u64, commands: usize, harness: &mut Harness) -> Result<(), Failure> {
    let mut generator = Generator::new(seed);
    for index in 0..commands {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request)?;
        generator.learn(&request, &result);
        if index % RESTORE_EVERY == RESTORE_EVERY - 1 {
            harness.restore()?;
        }
    }
    harness.restore()?;
    harness.replay()
}

/// Applies a journal with all checks; ticks are part of it.
pub fn run_journal(journal: &[(Time, Request)]) -> Result<(), Failure> {
    let mut harness = Harness::default();
    catch(|| {
        for (at, request) in journal {
            // A refusal is a valid result here.
            let _ = harness.step(*at, request)?;
        }
        harness.restore()?;
        harness.replay()
    })
}

/// Converts a panic to a failure whose rule is the panic message.
pub fn catch<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let rule = words.lines().next().unwrap_or_default().split(": ").next().unwrap_or_default().to_owned();
        Err(Failure { rule: format!("panic: {rule}"), detail: words })
    })
}

/// Prints the requests and results of a seed: the last twenty, up to a command index if given.
pub fn print_seed(seed: u64, commands: usize, index: Option<usize>) {
    let mut harness = Harness::default();
    // The following run reports the failure.
    let _ = catch(|| play(seed, commands, &mut harness));
    let journal = core::mem::take(&mut harness.journal);
    let end = index.map_or(journal.len(), |index| (index + 1).min(journal.len()));
    let mut exchange = Exchange::new();
    let _ = catch(|| {
        for (place, (at, request)) in journal[..end].iter().enumerate() {
            let shown = place + 20 >= end;
            if shown {
                println!("{place:>6}  {at:?}  {:?}  {:?}", request.actor, request.command);
            }
            let result = exchange.apply(*at, request).expect("a request of this build");
            if shown {
                println!("        {result:?}");
            }
        }
        Ok(())
    });
}
