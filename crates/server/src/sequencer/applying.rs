//! The apply thread: decides durable requests in order, tells the observer what changed, answers the callers.

use std::sync::atomic::Ordering;

use crossbeam_channel::Receiver;
use exchange::change::Change;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request};

use super::{Answer, Pending, Pulse};
use crate::state::Shared;

/// A durable frame on its way.
pub(super) struct Group {
    pub(super) at: Time,
    pub(super) pending: Vec<Pending>,
}

/// One request as it was decided.
#[derive(Debug)]
pub struct Applied<'a> {
    pub seq: u64,
    pub at: Time,
    pub request: &'a Request,
    pub result: &'a Result<Reply, Reject>,
    pub changes: &'a [Change],
    /// The state right after it.
    pub exchange: &'a Exchange,
}

/// Learns of everything that was applied, in order, before any caller is answered. It must not be slow.
pub trait Observer: Send {
    /// The last sequence that it has already, from before this start. A start replays what lies behind it even where
    /// a snapshot would spare it.
    fn known(&self) -> u64 {
        u64::MAX
    }

    fn applied(&mut self, applied: &Applied<'_>);
    /// A group is done: what was observed may be handed on.
    fn group_ended(&mut self) {}
}

/// Ends when the journal's thread has gone and everything it sent is applied.
pub(super) fn run(shared: &Shared, groups: &Receiver<Group>, mut observer: Box<dyn Observer>, pulse: &Pulse) {
    let mut answers = Vec::new();
    for group in groups {
        let mut exchange = shared.write();
        for pending in group.pending {
            let result = exchange.apply(group.at, &pending.request);
            observer.applied(&Applied {
                seq: exchange.seq(),
                at: exchange.now(),
                request: &pending.request,
                result: &result,
                changes: exchange.changes(),
                exchange: &exchange,
            });
            let answer = Answer { seq: exchange.seq(), at: exchange.now(), result };
            answers.extend(pending.caller.map(|caller| (caller, answer)));
            pulse.applied.fetch_add(1, Ordering::Relaxed);
        }
        let next_due = exchange.next_due().map_or(i64::MAX, Time::micros);
        drop(exchange);
        pulse.next_due.store(next_due, Ordering::Release);
        observer.group_ended();
        for (caller, answer) in answers.drain(..) {
            // A caller that went away does not want its answer.
            let _ = caller.send(answer);
        }
    }
}
