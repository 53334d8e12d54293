//! Decides one request and passes the result to an observer; used live and in replays. If the rules panic, the sequence
//! is logged, because every restart will panic at the same request.

use std::thread;

use exchange::time::Time;
use exchange::{Decision, Exchange, Request, Undecidable};

use crate::applied::Applied;

/// The request being decided. Logs an error when it is dropped by a panic.
struct Deciding<'a> {
    sequence: u64,
    request: &'a Request,
}

/// Applies `request` and calls `observe` with its result and its changes.
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
                "this build panicked on this command, which is in the journal: no later command was decided or answered"
            );
        }
    }
}
