//! The output of `bench book`: the workload, one table, and an explanation of its columns.

use std::time::Duration;

use super::instructions;
use super::memory;
use super::options::Options;
use super::race::{Entry, Outcome};
use super::valgrind;
use super::workload::{Operation, SET_UP_RECORDS, Workload};

/// A contestant's line of the table.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) entry: &'static Entry,
    pub(crate) outcome: Outcome,
    pub(crate) times: Vec<Duration>,
    pub(crate) instructions: Option<f64>,
    pub(crate) bytes: Option<f64>,
}

impl Line {
    pub(crate) fn new((entry, outcome): (&'static Entry, Outcome)) -> Self {
        Self { entry, outcome, times: Vec::new(), instructions: None, bytes: None }
    }
}

pub(crate) fn workload(workload: &Workload, floor: &Outcome) {
    let measured = workload.measured();
    let is_cancel = |operation: &&Operation| matches!(operation, Operation::Cancel(_));
    let cancels = measured.iter().filter(is_cancel).count();
    println!(
        "Workload: {} resting orders, then {} operations ({} adds, {} cancels), {} trades.",
        grouped(SET_UP_RECORDS as u64),
        grouped(measured.len() as u64),
        grouped((measured.len() - cancels) as u64),
        grouped(cancels as u64),
        grouped(floor.digest.totals.trades),
    );
}

pub(crate) fn table(lines: &[Line], operations: usize, options: &Options) {
    let floor = &lines[0];
    let floor_median = median(&floor.times);
    println!(
        "\n| {:<18} | {:>6} | {:>6} | {:>8} | {:>8} | {:>7} | {:>9} | {:>10} | {:>6} | {:>8} | {:>9} |",
        "book",
        "ns/op",
        "min",
        "x ladder",
        "instr/op",
        "B/order",
        "trades",
        "volume",
        "fills",
        "resting",
        "quantity",
    );
    println!("|{}|", ["---"; 11].join("|"));
    for line in lines {
        let per_operation = |time: Duration| time.as_nanos() as f64 / operations as f64;
        let middle = median(&line.times);
        let fastest = line.times.iter().min().copied().unwrap_or_default();
        let outcome = &line.outcome;
        println!(
            "| {:<18} | {:>6.1} | {:>6.1} | {:>8.2} | {:>8} | {:>7} | {:>9} | {:>10} | {:>6} | {:>8} | {:>9} |",
            line.entry.name,
            per_operation(middle),
            per_operation(fastest),
            middle.as_secs_f64() / floor_median.as_secs_f64(),
            optional(line.instructions),
            optional(line.bytes),
            grouped(outcome.digest.totals.trades),
            grouped(outcome.digest.totals.volume),
            if outcome.digest == floor.outcome.digest { "same" } else { "differ" },
            outcome.resting.orders.map_or("-".into(), grouped),
            grouped(outcome.resting.quantity),
        );
    }
    println!();
    legend(operations, options);
}

fn legend(operations: usize, options: &Options) {
    println!(
        "ns/op: median, then least; rounds in turns: {}; one thread, system allocator for all.",
        options.rounds
    );
    println!("All are built alike, arithmetic checks on, as the dist profile has it.");
    println!("fills: whether every fill (taker, maker, price, quantity, in order) is the ladder's.");
    println!("matchcore 0.4 differs because a limit order that crosses trades on past its limit.");
    println!("ours: orders of 1,024 users, self-trade check on, own orders passed over (SKIP).");
    println!("resting, quantity: what is left at the end; - where the peer has no way to ask.");
    if !options.valgrind {
        println!("instr/op, B/order: n/a: --no-valgrind was given.");
    } else if !valgrind::is_installed() {
        println!("instr/op, B/order: n/a: valgrind is not installed.");
    } else {
        println!(
            "instr/op: callgrind over the first {} operations, set-up subtracted.",
            grouped(operations.min(instructions::OPERATIONS_MAX) as u64)
        );
        println!(
            "B/order: heap bytes with {} resting orders less those of the empty book, by memcheck.",
            grouped(u64::from(memory::ORDERS))
        );
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2]
}

fn optional(number: Option<f64>) -> String {
    number.map_or("n/a".into(), |number| format!("{number:.0}"))
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}
