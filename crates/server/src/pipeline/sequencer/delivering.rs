//! Delivers answers to their callers in batches, with one wake-up per batch.
//!
//! A caller is a task of the runtime or waits behind an `AnswerSink`. Waking a task from a thread outside the runtime
//! takes a lock and often a system call; from inside the runtime it is a push to a queue. So the first task of a batch
//! receives the answers of the others and forwards them when it gets its own. A sink gets all its answers of a group at
//! once.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use lane::Ticket;
use tokio::sync::oneshot;

use super::{Answer, SubmitError};

/// Answers that one task forwards. A large group is split among several tasks, so that several cores share the work.
const CARRIED_MAX: usize = 64;

/// The result of a submitted request.
pub type Submitted = Result<Answer, SubmitError>;

/// Receives answers for callers that are not tasks of the runtime.
pub trait AnswerSink: Send + Sync {
    /// Takes all answers of a group for this sink, and leaves the list empty.
    fn deliver(&self, answers: &mut Vec<(Ticket, Submitted)>);
}

/// A caller that waits for an answer. If it is dropped unanswered, it gets `SubmitError::Unknown`.
pub(super) enum Caller {
    Task(Responder),
    Sink(SinkCaller),
}

/// The sending end of the channel on which a task waits.
pub(super) type Responder = oneshot::Sender<Delivery>;

/// A caller behind a sink.
pub(super) struct SinkCaller {
    sink: Arc<dyn AnswerSink>,
    ticket: Ticket,
    is_answered: bool,
}

impl SinkCaller {
    pub(super) fn new(sink: Arc<dyn AnswerSink>, ticket: Ticket) -> SinkCaller {
        SinkCaller { sink, ticket, is_answered: false }
    }

    fn answer(mut self, answer: Submitted) {
        self.is_answered = true;
        self.sink.deliver(&mut vec![(self.ticket, answer)]);
    }

    /// The request was not accepted: its submitter has the reason.
    pub(super) fn forget(mut self) {
        self.is_answered = true;
    }
}

impl Drop for SinkCaller {
    fn drop(&mut self) {
        if !self.is_answered {
            self.sink.deliver(&mut vec![(self.ticket, Err(SubmitError::Unknown))]);
        }
    }
}

impl fmt::Debug for SinkCaller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SinkCaller").field("ticket", &self.ticket).finish_non_exhaustive()
    }
}

/// An answer, and the answers to forward. `Drop` forwards them, so a caller that was cancelled forwards them too.
#[derive(Debug)]
pub(super) struct Delivery {
    answer: Option<Submitted>,
    /// When the group was decided. `None` if the request was refused before.
    decided_at: Option<Instant>,
    others: Vec<(Responder, Answer)>,
}

impl Delivery {
    pub(super) fn decided_at(&self) -> Option<Instant> {
        self.decided_at
    }

    /// Returns the answer; the others are forwarded when this returns.
    pub(super) fn open(mut self) -> Option<Submitted> {
        self.answer.take()
    }
}

/// Sends a caller the reason why its request was not written.
pub(super) fn refuse(caller: Caller, why: SubmitError) {
    match caller {
        // The task may have been dropped.
        Caller::Task(task) => {
            drop(task.send(Delivery { answer: Some(Err(why)), decided_at: None, others: Vec::new() }));
        }
        Caller::Sink(caller) => caller.answer(Err(why)),
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        let decided_at = self.decided_at;
        for (caller, answer) in self.others.drain(..) {
            // The task may have been dropped.
            let _ = caller.send(Delivery { answer: Some(Ok(answer)), decided_at, others: Vec::new() });
        }
    }
}

/// The answers for a sink.
type SinkAnswers = Vec<(Ticket, Submitted)>;

/// The answers of a group, by how they are delivered.
#[derive(Default)]
pub(super) struct GroupAnswers {
    tasks: Vec<(Responder, Answer)>,
    sinks: Vec<(Arc<dyn AnswerSink>, SinkAnswers)>,
}

impl GroupAnswers {
    pub(super) fn push(&mut self, caller: Caller, answer: Answer) {
        match caller {
            Caller::Task(task) => self.tasks.push((task, answer)),
            Caller::Sink(mut caller) => {
                caller.is_answered = true;
                let known = self.sinks.iter_mut().find(|(sink, _)| Arc::ptr_eq(sink, &caller.sink));
                let answered = (caller.ticket, Ok(answer));
                match known {
                    Some((_, answers)) => answers.push(answered),
                    None => self.sinks.push((caller.sink.clone(), vec![answered])),
                }
            }
        }
    }

    /// Sends all answers. The sinks stay, so that a busy sink is found without a new list.
    pub(super) fn deliver(&mut self) {
        for (sink, answers) in &mut self.sinks {
            if !answers.is_empty() {
                sink.deliver(answers);
            }
        }
        if self.tasks.is_empty() {
            return;
        }
        // One reading for the group.
        let decided_at = Some(Instant::now());
        let mut answers = self.tasks.drain(..);
        while let Some((first, answer)) = answers.next() {
            let others = answers.by_ref().take(CARRIED_MAX).collect();
            let _ = first.send(Delivery { answer: Some(Ok(answer)), decided_at, others });
        }
    }
}

#[cfg(test)]
mod tests {
    use exchange::command::Command;
    use exchange::reply::Reply;
    use exchange::time::Time;
    use parking_lot::Mutex;
    use tokio::sync::oneshot;

    use super::*;

    fn answer(seq: u64) -> Answer {
        Answer { seq, at: Time::from_micros(0), command: Command::Tick, result: Ok(Reply::Done), shown: None }
    }

    fn group(count: u64) -> (GroupAnswers, Vec<oneshot::Receiver<Delivery>>) {
        let mut answers = GroupAnswers::default();
        let waiting = (0..count).map(|seq| {
            let (caller, waiting) = oneshot::channel();
            answers.push(Caller::Task(caller), answer(seq));
            waiting
        });
        let waiting = waiting.collect();
        (answers, waiting)
    }

    /// The sequences of each delivery; 0 for an unknown outcome.
    #[derive(Default)]
    struct Deliveries(Mutex<Vec<Vec<u64>>>);

    impl AnswerSink for Deliveries {
        fn deliver(&self, answers: &mut Vec<(Ticket, Submitted)>) {
            let sequences = answers.drain(..).map(|(_, answer)| answer.map_or(0, |answer| answer.seq));
            self.0.lock().push(sequences.collect());
        }
    }

    #[test]
    fn a_sink_gets_the_answers_of_a_group_at_once_and_a_dropped_caller_gets_an_unknown_outcome() {
        let (one, other) = (Arc::new(Deliveries::default()), Arc::new(Deliveries::default()));
        let caller = |sink: &Arc<Deliveries>| SinkCaller::new(sink.clone(), Ticket::default());
        let mut answers = GroupAnswers::default();
        for (sink, seq) in [(&one, 1), (&other, 2), (&one, 3)] {
            answers.push(Caller::Sink(caller(sink)), answer(seq));
        }
        answers.deliver();
        answers.push(Caller::Sink(caller(&one)), answer(4));
        answers.deliver();
        drop(caller(&one));
        caller(&one).forget();
        assert_eq!(*one.0.lock(), [vec![1, 3], vec![4], vec![0]]);
        assert_eq!(*other.0.lock(), [vec![2]]);
    }

    fn received(waiting: &mut oneshot::Receiver<Delivery>) -> Option<u64> {
        waiting.try_recv().ok().and_then(Delivery::open)?.ok().map(|answer| answer.seq)
    }

    #[test]
    fn every_caller_of_a_large_group_gets_its_own_answer() {
        let (mut answers, mut waiting) = group(3 * CARRIED_MAX as u64);
        answers.deliver();
        for (seq, waiting) in (0..).zip(&mut waiting) {
            assert_eq!(received(waiting), Some(seq));
        }
    }

    #[test]
    fn a_first_caller_that_goes_away_before_or_after_takes_no_answer_with_it() {
        for leaves_before in [true, false] {
            let (mut answers, waiting) = group(3);
            let mut waiting = waiting.into_iter();
            let first = waiting.next();
            if leaves_before {
                drop(first);
                answers.deliver();
            } else {
                answers.deliver();
                drop(first);
            }
            let others: Vec<_> = waiting.map(|mut waiting| received(&mut waiting)).collect();
            assert_eq!(others, [Some(1), Some(2)]);
        }
    }
}
