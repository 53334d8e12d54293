//! The apply thread: decides durable requests in order, tells the observer what changed, answers the callers.

use std::sync::atomic::Ordering;
use std::thread;

use crossbeam_channel::Receiver;
use exchange::change::Change;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request, Undecidable};

use super::delivering::deliver;
use super::{Answer, Pending, Pulse, Written};
use crate::deciding::decide;
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

/// One request whose whole group was decided.
#[derive(Debug)]
pub struct Decided<'a> {
    pub seq: u64,
    pub at: Time,
    pub request: &'a Request,
    pub result: &'a Result<Reply, Reject>,
    /// The state after its group.
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
    /// Keeps the answer for whoever asks again, and gives it for the one who asks now. Readers need not wait meanwhile.
    fn write_answer(&mut self, _: &Decided<'_>) -> Option<Written> {
        None
    }

    /// A group is done: what was observed may be handed on.
    fn group_ended(&mut self) {}
}

/// After a panic nothing is taken any more. Whoever waits learns that the outcome is not known.
struct Failing<'a>(&'a Pulse);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail();
        }
    }
}

/// Ends when the journal's thread has gone and everything it sent is applied.
pub(super) fn run(shared: &Shared, groups: &Receiver<Group>, mut observer: Box<dyn Observer>, pulse: &Pulse) {
    let _failing = Failing(pulse);
    for group in groups {
        let at = group.at;
        let mut decided = Vec::with_capacity(group.pending.len());
        for pending in group.pending {
            // One request for each lock: a reader waits for a request at the most, never for a group.
            let mut exchange = shared.write();
            let sequence = exchange.seq() + 1;
            let result =
                match decide(&mut exchange, at, &pending.request, |applied| observer.applied(applied)) {
                    Ok(result) => result,
                    Err(cause) => return stop_at(sequence, &cause, pulse),
                };
            shared.note_applied(&exchange, &pending.request.command);
            let answer = Answer { seq: exchange.seq(), at: exchange.now(), result, written: None };
            pulse.note_state(&exchange);
            decided.push((pending, answer));
        }
        pulse.applied.fetch_add(decided.len() as u64, Ordering::Relaxed);
        write_answers(shared, &mut decided, &mut *observer);
        observer.group_ended();
        shared.note_group();
        deliver(
            decided.into_iter().filter_map(|(pending, answer)| Some((pending.caller?, answer))).collect(),
        );
    }
}

/// Takes nothing any more: a frame of the log has a request that this build cannot decide. Waiting callers learn that the
/// outcome is not known.
fn stop_at(sequence: u64, cause: &Undecidable, pulse: &Pulse) {
    tracing::error!(sequence, %cause, "this build cannot decide a request of the log: start a newer build");
    pulse.fail();
}

/// Answers that are kept are written here once, for history and for the caller. Nobody else changes the state, so
/// readers and this look at it together.
fn write_answers(shared: &Shared, decided: &mut [(Pending, Answer)], observer: &mut dyn Observer) {
    let exchange = shared.read();
    for (Pending { request, .. }, answer) in decided {
        let Answer { seq, at, ref result, .. } = *answer;
        answer.written = observer.write_answer(&Decided { seq, at, request, result, exchange: &exchange });
    }
}
