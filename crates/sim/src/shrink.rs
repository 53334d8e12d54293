//! Shortens a failing journal: drops chunks of requests while the same rule still fails.

use core::fmt::Write;

use exchange::command::Request;
use exchange::time::Time;

use crate::run::{FailedRun, run_journal};

type Journal = Vec<(Time, Request)>;

/// Replays per shrinking; enough to reduce a failure to a handful of commands.
const REPLAYS_MAX: usize = 600;

/// The shortest journal found that breaks the same rule.
pub fn shrink(failed: &FailedRun) -> Journal {
    let fails =
        |journal: &Journal| run_journal(journal).is_err_and(|failure| failure.rule == failed.failure.rule);
    let mut journal = failed.journal.clone();
    if !fails(&journal) {
        // The failure depends on the generated run (for example, on a snapshot in between): nothing can be dropped.
        return journal;
    }
    let (mut chunk, mut replays) = (journal.len() / 2, 0);
    while chunk > 0 && replays < REPLAYS_MAX {
        let mut dropped = false;
        let mut from = 0;
        while from < journal.len() && replays < REPLAYS_MAX {
            let mut shorter = journal.clone();
            shorter.drain(from..(from + chunk).min(journal.len()));
            replays += 1;
            if fails(&shorter) {
                journal = shorter;
                dropped = true;
            } else {
                from += chunk;
            }
        }
        if !dropped || chunk > 1 {
            chunk /= 2;
        }
    }
    journal
}

/// Describes the failure, with its shrunk script.
pub fn report(failed: &FailedRun) -> String {
    let mut text =
        format!("seed {}, command index {}, rule: {}\n", failed.seed, failed.index, failed.failure.rule);
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}", failed.failure.detail);
    let shrunk = shrink(failed);
    let _ = writeln!(text, "{} of {} requests are enough:", shrunk.len(), failed.journal.len());
    for (at, request) in &shrunk {
        let _ = writeln!(text, "  {at:?}  {:?}  {:?}", request.actor, request.command);
    }
    text
}
