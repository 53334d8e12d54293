//! Decides durable requests in order, passes the changes to the observer and answers the callers.
//!
//! This happens on the apply thread, while the journal thread writes the next frame. When no other request waits, the
//! journal thread applies a small group itself: that costs less than waking the apply thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use exchange::Undecidable;
use exchange::time::Time;
use parking_lot::Mutex;

use super::delivering::GroupAnswers;
use super::{Answer, Pending, WriterStatus};
use crate::applied::Observer;
use crate::pipeline::deciding::{Decided, decide};
use crate::pipeline::state::Shared;
use crate::signals::stages::GroupTimes;

/// Frames queued between the two threads: enough to overlap, few enough to bound what a crash leaves unanswered.
const FRAMES_AHEAD: usize = 4;
/// The largest group that the journal thread applies. A request that arrives meanwhile waits for it.
const SMALL: usize = 8;

/// A durable frame and its callers.
pub(super) struct Group {
    pub(super) at: Time,
    pub(super) pending: Vec<Pending>,
    pub(super) times: GroupTimes,
}

/// Applies groups. Each of the writer's threads has access, one at a time.
struct Applier {
    shared: Arc<Shared>,
    observer: Box<dyn Observer>,
    writer_status: Arc<WriterStatus>,
    answers: GroupAnswers,
}

/// The journal thread's side: accepts durable groups in order.
pub(super) struct GroupSender {
    queue: Sender<Group>,
    /// Groups that are queued or being applied by the apply thread. Only the journal thread adds to it.
    unapplied: Arc<AtomicUsize>,
    applier: Arc<Mutex<Applier>>,
}

/// The apply thread's side.
pub(super) struct GroupReceiver {
    queue: Receiver<Group>,
    unapplied: Arc<AtomicUsize>,
    applier: Arc<Mutex<Applier>>,
}

/// No further group can be applied: the rules panicked or this build cannot decide a request.
#[derive(Debug)]
pub(super) struct ApplyingEnded;

pub(super) fn channel(
    shared: Arc<Shared>,
    observer: Box<dyn Observer>,
    writer_status: Arc<WriterStatus>,
) -> (GroupSender, GroupReceiver) {
    let (to_apply, queue) = bounded(FRAMES_AHEAD);
    let unapplied = Arc::new(AtomicUsize::new(0));
    let answers = GroupAnswers::default();
    let applier = Arc::new(Mutex::new(Applier { shared, observer, writer_status, answers }));
    let sender = GroupSender { queue: to_apply, unapplied: unapplied.clone(), applier: applier.clone() };
    (sender, GroupReceiver { queue, unapplied, applier })
}

impl GroupSender {
    /// Applies the group, or queues it for the apply thread. `is_last`: no other request waits for the journal thread.
    pub(super) fn send(&self, group: Group, is_last: bool) -> Result<(), ApplyingEnded> {
        // Groups must not overtake each other.
        if is_last && group.pending.len() <= SMALL && self.unapplied.load(Ordering::Acquire) == 0 {
            return self.applier.lock().apply(group);
        }
        self.unapplied.fetch_add(1, Ordering::AcqRel);
        self.queue.send(group).map_err(|_| ApplyingEnded)
    }
}

impl GroupReceiver {
    /// Ends when the journal thread has ended and every group it queued is applied.
    pub(super) fn run(self) {
        for group in &self.queue {
            if self.applier.lock().apply(group).is_err() {
                // Not counted as applied: the journal thread must not apply anything after it.
                return;
            }
            self.unapplied.fetch_sub(1, Ordering::AcqRel);
        }
    }
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

impl Applier {
    fn apply(&mut self, group: Group) -> Result<(), ApplyingEnded> {
        let Applier { shared, observer, writer_status, .. } = self;
        let _failing = Failing(writer_status);
        // A panic drops them, and with them the callers.
        let mut answers = std::mem::take(&mut self.answers);
        let (at, count) = (group.at, group.pending.len());
        for pending in group.pending {
            // One lock per request: a reader waits for one request at most, never for a whole group.
            let mut exchange = shared.write();
            let sequence = exchange.seq() + 1;
            let is_awaited = pending.caller.is_some();
            let decided = decide(&mut exchange, at, &pending.request, is_awaited, |applied| {
                observer.applied(applied);
            });
            let decided = match decided {
                Ok(decided) => decided,
                Err(cause) => return Err(stop_at(sequence, &cause, writer_status)),
            };
            shared.note_applied(&exchange, &pending.request.command);
            let (seq, at) = (exchange.seq(), exchange.now());
            writer_status.note_state(&exchange);
            drop(exchange);
            if let Some(trace) = pending.trace {
                trace.decide(group.times, seq);
            }
            decided.store_answer(seq, at, &pending.request, &mut **observer);
            if let Some(caller) = pending.caller {
                let Decided { result, shown } = decided;
                answers.push(caller, Answer { seq, at, command: pending.request.command, result, shown });
            }
        }
        writer_status.applied.fetch_add(count as u64, Ordering::Relaxed);
        if writer_status.stages.is_on() {
            writer_status.stages.apply.record_duration(group.times.durable_at.elapsed());
        }
        observer.group_ended();
        shared.note_group();
        answers.deliver();
        self.answers = answers;
        Ok(())
    }
}

/// Stops the writer at a request of the log that this build cannot decide. Waiting callers get `SubmitError::Unknown`.
fn stop_at(sequence: u64, cause: &Undecidable, writer_status: &WriterStatus) -> ApplyingEnded {
    tracing::error!(sequence, %cause, "this build cannot decide a request of the log; a newer build is needed");
    writer_status.fail();
    ApplyingEnded
}

#[cfg(test)]
mod tests {
    use exchange::identity::Actor;
    use exchange::{Command, Exchange, Request};
    use tokio::sync::oneshot;

    use super::super::delivering::{Caller, Delivery};
    use super::*;
    use crate::applied::Applied;

    /// Notes the thread and the sequence of every request, and panics at one of them.
    struct Noting {
        applied: Arc<Mutex<Vec<(String, u64)>>>,
        panics_at: u64,
    }

    impl Observer for Noting {
        fn applied(&mut self, applied: &Applied<'_>) {
            assert!(applied.seq != self.panics_at, "planted");
            let thread = thread::current().name().unwrap_or_default().to_owned();
            self.applied.lock().push((thread, applied.seq));
        }
    }

    type Noted = Arc<Mutex<Vec<(String, u64)>>>;

    fn stage(panics_at: u64) -> (GroupSender, GroupReceiver, Noted, Arc<WriterStatus>) {
        let (applied, writer_status) = (Noted::default(), Arc::new(WriterStatus::default()));
        let observer = Box::new(Noting { applied: applied.clone(), panics_at });
        let shared = Arc::new(Shared::new(Exchange::new()));
        let (sender, receiver) = channel(shared, observer, writer_status.clone());
        (sender, receiver, applied, writer_status)
    }

    fn group(requests: usize) -> (Group, Vec<oneshot::Receiver<Delivery>>) {
        let pending = |_| {
            let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
            let (caller, answer) = oneshot::channel();
            (Pending { request, caller: Some(Caller::Task(caller)), trace: None }, answer)
        };
        let (pending, answers) = (0..requests).map(pending).unzip();
        (Group { at: Time::from_micros(1), pending, times: GroupTimes::read_now() }, answers)
    }

    fn on_apply_thread(groups: GroupReceiver) -> thread::JoinHandle<()> {
        let thread = thread::Builder::new().name("apply".to_owned()).spawn(move || groups.run());
        thread.expect("a thread")
    }

    #[test]
    fn the_sender_applies_a_small_last_group_but_never_before_a_queued_one() {
        let (sender, receiver, applied, _) = stage(0);
        let here = thread::current().name().unwrap_or_default().to_owned();
        let mut waiting = Vec::new();
        let mut send = |requests, is_last| {
            let (group, answers) = group(requests);
            waiting.extend(answers);
            sender.send(group, is_last).expect("a running applier");
        };
        send(1, true);
        assert_eq!(*applied.lock(), [(here.clone(), 1)]);
        send(1, false);
        send(1, true);
        assert_eq!(applied.lock().len(), 1, "the second group is queued, and the third behind it");
        let applying = on_apply_thread(receiver);
        send(SMALL + 1, true);
        drop(sender);
        applying.join().expect("no panic");
        let expected: Vec<(String, u64)> =
            (1..=12).map(|seq| (if seq == 1 { here.clone() } else { "apply".to_owned() }, seq)).collect();
        assert_eq!(*applied.lock(), expected);
        let answered = |answer: oneshot::Receiver<Delivery>| answer.blocking_recv().ok()?.open()?.ok();
        let sequences: Vec<_> = waiting.into_iter().map(|answer| answered(answer).map(|a| a.seq)).collect();
        assert_eq!(sequences, (1..=12).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_panic_on_the_apply_thread_nothing_is_applied_and_no_caller_waits() {
        let (sender, receiver, applied, writer_status) = stage(2);
        let (broken, answers) = group(3);
        sender.send(broken, false).expect("a queue");
        assert!(on_apply_thread(receiver).join().is_err(), "the planted panic");
        assert!(writer_status.has_failed());
        // Not even that of the first request, which was decided: its answer is lost with the group.
        assert!(
            answers.into_iter().all(|answer| answer.blocking_recv().is_err()),
            "no caller is kept waiting"
        );
        let (later, _answers) = group(1);
        assert!(sender.send(later, true).is_err());
        assert_eq!(applied.lock().len(), 1);
    }
}
