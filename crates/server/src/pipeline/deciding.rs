//! Decides one request and passes the result to an observer; used live and in replays. What the response to an operator shows
//! is copied at once, before another request changes it. If the rules panic, the sequence is logged, because every restart will
//! panic at the same request.

use std::thread;

use exchange::identity::Actor;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Decision, Exchange, Request, Undecidable};

use crate::applied::{Applied, Observer};
use crate::respond::{Shape, Shown, stored};

/// The request being decided. Logs an error when it is dropped by a panic.
struct Deciding<'a> {
    sequence: u64,
    request: &'a Request,
}

/// A decision, with what the response to an operator shows of the state.
#[derive(Debug)]
pub struct Decided {
    pub result: Decision,
    /// `None` for a refusal, for a repetition, for a caller who is not an operator, and if neither a caller nor a later
    /// repetition needs it.
    pub shown: Option<Box<Shown>>,
}

/// Applies `request` and calls `observe` with its result and its changes. `is_awaited`: a caller waits for the response.
pub fn decide(
    exchange: &mut Exchange,
    at: Time,
    request: &Request,
    is_awaited: bool,
    observe: impl FnOnce(&Applied<'_>),
) -> Result<Decided, Undecidable> {
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
    let shown = match (&result, request.actor) {
        (Ok(Reply::Replayed { .. }), _) => None,
        (Ok(reply), Actor::Operator { .. }) if is_awaited || request.is_remembered(&result) => {
            Shown::of(exchange, &request.command, reply).map(Box::new)
        }
        _ => None,
    };
    Ok(Decided { result, shown })
}

impl Decided {
    /// Has the response stored, if the request's idempotency key is remembered. `seq` and `at` are those of the request.
    pub fn store_answer(&self, seq: u64, at: Time, request: &Request, observer: &mut dyn Observer) {
        let encode = || match &self.shown {
            Some(shown) => stored::encode_shown(shown),
            None => stored::encode(Shape::of(&request.command), &self.result, at),
        };
        if request.is_remembered(&self.result) {
            observer.store_answer(seq, at, &encode);
        }
    }
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
