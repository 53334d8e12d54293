//! Decides one request and tells the observer, live and in a replay alike. If the rules panic on it, the log names its
//! sequence: a restart will meet it at that place again.

use std::thread;

use exchange::time::Time;
use exchange::{Decision, Exchange, Request, Undecidable};

use crate::sequencer::Applied;

/// What is being decided. Dropped by a panic, it says so.
struct Deciding<'a> {
    sequence: u64,
    request: &'a Request,
}

/// `observe` learns what came of it, and what changed.
pub fn decide(
    exchange: &mut Exchange,
    at: Time,
    request: &Request,
    observe: impl FnOnce(&Applied<'_>),
) -> Result<Decision, Undecidable> {
    let _deciding = Deciding { sequence: exchange.seq() + 1, request };
    let result = exchange.apply(at, request)?;
    observe(&Applied {
        seq: exchange.seq(),
        at: exchange.now(),
        request,
        result: &result,
        changes: exchange.changes(),
        exchange,
    });
    Ok(result)
}

impl Drop for Deciding<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            tracing::error!(
                sequence = self.sequence,
                command = self.request.command.name(),
                "this build cannot decide this command, which is in the journal: nothing behind it was decided or answered"
            );
        }
    }
}
