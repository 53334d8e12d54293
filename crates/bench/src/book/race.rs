//! The contestants in order, and their turns.
//!
//! Each turn builds a fresh book, rests the set-up orders and times the rest; building and dropping are not timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::bare_ladder::BareLadder;
use super::contestant::{Contestant, Digest, Resting, Tally, Totals};
use super::generator;
use super::lobster::Lobster;
use super::matchcore::Matchcore;
use super::orderbook_rs::OrderbookRs;
use super::ours::OursSharedUsers;
use super::rust_ob::RustOb;
use super::workload::{Operation, Workload};

/// The entry points of a contestant, each monomorphized for it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// Runs the whole workload and computes a digest of every fill.
    pub(crate) check: fn(&Workload) -> Outcome,
    /// The time of the measured operations.
    pub(crate) time: fn(&Workload) -> Duration,
    /// Runs the records and exits without dropping the book.
    pub(crate) once: fn(&[Operation]),
    /// Rests this many orders and exits without dropping the book.
    pub(crate) hold: fn(u32),
}

/// The bare ladder is first: the others are measured relative to it.
pub(crate) const ENTRIES: &[Entry] = &[
    Entry::of::<BareLadder>("bare ladder"),
    Entry::of::<OursSharedUsers>("ours"),
    Entry::of::<Matchcore>("matchcore 0.4"),
    Entry::of::<Lobster>("lobster 0.7"),
    Entry::of::<RustOb>("rust_ob 2.5"),
    Entry::of::<OrderbookRs>("orderbook-rs 0.15"),
];

/// The result of a contestant on the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) digest: Digest,
    pub(crate) resting: Resting,
}

impl Entry {
    const fn of<C: Contestant>(name: &'static str) -> Self {
        Self { name, check: check::<C>, time: time::<C>, once: once::<C>, hold: hold::<C> }
    }
}

/// The times of every contestant, in the order of [`ENTRIES`].
pub(crate) fn rounds(workload: &Workload, rounds: usize) -> Vec<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(rounds); ENTRIES.len()];
    for round in 1..=rounds {
        for (entry, times) in ENTRIES.iter().zip(&mut times) {
            eprint!("\rround {round} of {rounds}: {:<20}", entry.name);
            times.push((entry.time)(workload));
        }
    }
    eprintln!();
    times
}

pub(crate) fn check<C: Contestant>(workload: &Workload) -> Outcome {
    let mut book = C::default();
    let mut digest = Digest::default();
    apply(&mut book, &workload.records, &mut digest);
    Outcome { digest, resting: book.resting() }
}

fn time<C: Contestant>(workload: &Workload) -> Duration {
    let mut book = C::default();
    let mut totals = Totals::default();
    apply(&mut book, workload.set_up(), &mut totals);
    let start = Instant::now();
    apply(&mut book, workload.measured(), &mut totals);
    let elapsed = start.elapsed();
    black_box(totals);
    elapsed
}

fn once<C: Contestant>(records: &[Operation]) {
    let mut book = C::default();
    let mut totals = Totals::default();
    apply(&mut book, records, &mut totals);
    black_box(totals);
    std::mem::forget(book);
}

fn hold<C: Contestant>(orders: u32) {
    let mut book = C::default();
    let mut totals = Totals::default();
    for order in generator::spread(orders) {
        book.add(order, &mut totals);
    }
    assert_eq!(totals.trades, 0, "the spread orders must not cross");
    std::mem::forget(book);
}

/// A separate function per contestant, so that all are called the same way.
#[inline(never)]
fn apply<C: Contestant>(book: &mut C, operations: &[Operation], tally: &mut impl Tally) {
    for operation in operations {
        match *operation {
            Operation::Add(order) => book.add(order, tally),
            Operation::Cancel(id) => book.cancel(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ours::OursDistinctUsers;
    use super::*;

    #[test]
    fn the_books_trade_alike_without_own_orders() {
        let workload = generator::generate(20_000);
        let floor = check::<BareLadder>(&workload);
        assert_eq!(check::<OursDistinctUsers>(&workload), floor);
        assert_eq!(check::<RustOb>(&workload), floor);
        assert_eq!(check::<OrderbookRs>(&workload), floor);
        assert_eq!(check::<Lobster>(&workload).digest, floor.digest);
    }

    #[test]
    fn shared_users_make_ours_pass_over_own_orders() {
        let workload = generator::generate(20_000);
        let distinct = check::<OursDistinctUsers>(&workload);
        assert_ne!(check::<OursSharedUsers>(&workload).digest, distinct.digest);
    }
}
