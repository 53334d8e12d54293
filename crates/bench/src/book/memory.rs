//! Heap bytes per resting order, by memcheck.
//!
//! `bench book-hold` rests orders and exits without dropping the book; memcheck then reports the bytes that were not
//! freed. A counting allocator would give the same number, but would also slow down the timed runs of contestants that
//! allocate.

use std::io;
use std::process::ExitCode;

use super::race::Entry;
use super::valgrind;

/// Resting orders when the bytes are counted.
pub(crate) const ORDERS: u32 = 100_000;

pub(crate) fn per_resting_order(entry: &Entry) -> io::Result<f64> {
    let empty = held(entry, 0)?;
    let full = held(entry, ORDERS)?;
    Ok(full.saturating_sub(empty) as f64 / f64::from(ORDERS))
}

fn held(entry: &Entry, orders: u32) -> io::Result<u64> {
    let options = ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"];
    let arguments = ["book-hold", entry.name, &orders.to_string()];
    eprintln!("memcheck: {}, {orders} orders", entry.name);
    valgrind::run(&options, &arguments, "in use at exit")
}

/// The hidden `bench book-hold CONTESTANT ORDERS`.
pub(crate) fn run_hold(arguments: &[String]) -> ExitCode {
    let [name, orders] = arguments else {
        return usage();
    };
    let (Some(entry), Ok(orders)) = (super::entry_named(name), orders.parse()) else {
        return usage();
    };
    (entry.hold)(orders);
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("Usage: bench book-hold CONTESTANT ORDERS");
    ExitCode::from(2)
}
