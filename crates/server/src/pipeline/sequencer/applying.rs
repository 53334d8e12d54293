//! The apply thread: decides durable requests in order, passes the changes to the observer and answers the callers.

use std::sync::atomic::Ordering;
use std::thread;

use crossbeam_channel::Receiver;
use exchange::Undecidable;
use exchange::time::Time;

use super::delivering::GroupAnswers;
use super::{Answer, Pending, WriterStatus};
use crate::applied::{Decided, Observer};
use crate::pipeline::deciding::decide;
use crate::pipeline::state::Shared;

/// A durable frame and its callers.
pub(super) struct Group {
    pub(super) at: Time,
    pub(super) pending: Vec<Pending>,
}

/// Refuses all further requests after a panic. Waiting callers get `SubmitError::Unknown`.
struct Failing<'a>(&'a WriterStatus);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail();
        }
    }
}

/// Ends when the journal thread has ended and every group it sent is applied.
pub(super) fn run(
    shared: &Shared,
    groups: &Receiver<Group>,
    mut observer: Box<dyn Observer>,
    writer_status: &WriterStatus,
) {
    let _failing = Failing(writer_status);
    let mut answers = GroupAnswers::default();
    for group in groups {
        let at = group.at;
        let mut count = 0;
        for pending in group.pending {
            // One lock per request: a reader waits for one request at most, never for a whole group.
            let mut exchange = shared.write();
            let sequence = exchange.seq() + 1;
            let result =
                match decide(&mut exchange, at, &pending.request, |applied| observer.applied(applied)) {
                    Ok(result) => result,
                    Err(cause) => return stop_at(sequence, &cause, writer_status),
                };
            shared.note_applied(&exchange, &pending.request.command);
            let (seq, at) = (exchange.seq(), exchange.now());
            writer_status.note_state(&exchange);
            drop(exchange);
            observer.store_answer(&Decided { seq, at, request: &pending.request, result: &result });
            if let Some(caller) = pending.caller {
                answers.push(caller, Answer { seq, at, command: pending.request.command, result });
            }
            count += 1;
        }
        writer_status.applied.fetch_add(count, Ordering::Relaxed);
        observer.group_ended();
        shared.note_group();
        answers.deliver();
    }
}

/// Stops the writer at a request of the log that this build cannot decide. Waiting callers get `SubmitError::Unknown`.
fn stop_at(sequence: u64, cause: &Undecidable, writer_status: &WriterStatus) {
    tracing::error!(sequence, %cause, "this build cannot decide a request of the log; a newer build is needed");
    writer_status.fail();
}
