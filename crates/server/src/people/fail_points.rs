//! Points between the two stores at which a crash test kills the process. Builds without debug assertions ignore them.
//!
//! `BELLWETHER_FAIL_POINT=row-written:3` kills the process the third time it reaches that point.
//! `BELLWETHER_ROW_SECONDS` shortens the life of rows that no command has named.

use std::env;
use std::sync::atomic::{AtomicU64, Ordering};

use exchange::time::Span;
use rustix::process::{Signal, getpid, kill_process};

/// A row is durable, but no command has named it.
pub(crate) const ROW_WRITTEN: &str = "row-written";
/// A command is durable and answered, but the rows that it replaced or erased still exist.
pub(crate) const COMMAND_DURABLE: &str = "command-durable";
/// Rows are deleted, but their bytes are not overwritten yet.
pub(super) const ROW_DELETED: &str = "row-deleted";

/// How long a row may wait for the command that names it.
const ROW_LIFE: Span = Span::minutes(5);

static PASSES: AtomicU64 = AtomicU64::new(0);

/// Kills the process if `BELLWETHER_FAIL_POINT` selects this point and its count is reached.
pub(crate) fn pass(point: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Ok(armed) = env::var("BELLWETHER_FAIL_POINT") else { return };
    let Some((name, count)) = armed.split_once(':') else { return };
    if name != point {
        return;
    }
    let passes = PASSES.fetch_add(1, Ordering::Relaxed) + 1;
    if count.parse() == Ok(passes) {
        // Like a crash: no other thread continues, and no buffer is flushed.
        let _ = kill_process(getpid(), Signal::KILL);
    }
}

pub(super) fn row_life() -> Span {
    let drilled = if cfg!(debug_assertions) { env::var("BELLWETHER_ROW_SECONDS").ok() } else { None };
    drilled.and_then(|seconds| seconds.parse().ok()).map_or(ROW_LIFE, Span::seconds)
}
