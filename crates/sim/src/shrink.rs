//! Making a failing journal short: drop chunks of requests while the same rule still fails.

use core::fmt::Write;

use exchange::command::Request;
use exchange::time::Time;

use crate::run::{FailedRun, run_journal};

type Journal = Vec<(Time, Request)>;

/// Replays one shrinking may take; long enough for a handful of commands to remain.
const REPLAYS_MAX: usize = 600;

/// The shortest journal found that breaks the same rule.
pub fn shrink(failed: &FailedRun) -> Journal {
    let fails =
        |journal: &Journal| run_journal(journal).is_err_and(|failure| failure.rule == failed.failure.rule);
    let mut journal = failed.journal.clone();
    if !fails(&journal) {
        // Only the generated run shows it (a snapshot in between, say): nothing can be left out.
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

/// The failure in words, with its shrunk script.
pub fn report(failed: &FailedRun) -> String {
    let mut text =
        format!("seed {}, command index {}, rule: {}\n", failed.seed, failed.index, failed.failure.rule);
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", failed.failure.detail);
    let shrunk = shrink(failed);
    let _ = writeln!(text, "{} of {} requests are enough:", shrunk.len(), failed.journal.len());
    for (at, request) in &shrunk {
        let _ = writeln!(text, "  {at:?}  {:?}  {:?}", request.actor, request.command);
    }
    text
}
