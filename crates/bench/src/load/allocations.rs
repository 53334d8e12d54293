//! Counts of the allocator. Only `bench-counted` has an allocator that counts: counting shares its numbers between
//! the cores, which would slow the timed runs.

use std::alloc::System;
use std::path::PathBuf;
use std::process::Command;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use crate::Problem;

/// The allocator of `bench-counted`: the system's, with counters.
pub type Counting = StatsAlloc<System>;
pub const COUNTING: &Counting = &INSTRUMENTED_SYSTEM;

/// Calls of the allocator so far, all threads together, or a difference of two such counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    pub count: u64,
    pub bytes: u64,
}

impl Allocations {
    /// All zero in an executable with another allocator.
    pub fn now() -> Allocations {
        let stats = COUNTING.stats();
        Allocations {
            count: (stats.allocations + stats.reallocations) as u64,
            bytes: stats.bytes_allocated as u64,
        }
    }

    pub fn since(&self, before: &Allocations) -> Allocations {
        Allocations { count: self.count - before.count, bytes: self.bytes - before.bytes }
    }

    pub fn add(&mut self, other: &Allocations) {
        self.count += other.count;
        self.bytes += other.bytes;
    }
}

/// Bytes that are allocated now.
pub fn heap_bytes() -> u64 {
    let stats = COUNTING.stats();
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64
}

/// The executable that counts, if it was built beside this one.
pub fn counting_executable() -> Result<Option<PathBuf>, Problem> {
    let path = std::env::current_exe()?.with_file_name("bench-counted");
    Ok(path.is_file().then_some(path))
}

/// Runs `bench-counted` with its output on ours. Returns false if it was not built.
pub fn run_counting(arguments: &[&str]) -> Result<bool, Problem> {
    let Some(executable) = counting_executable()? else { return Ok(false) };
    let status = Command::new(executable).args(arguments).status()?;
    if status.success() { Ok(true) } else { Err(format!("bench-counted ended with {status}").into()) }
}
