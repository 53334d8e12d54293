//! Delivers answers to their callers in batches, with one wake-up per batch.
//!
//! Waking a task from a thread outside the runtime takes a lock and often a system call; from inside the runtime it is
//! a push to a queue. So the first caller of a batch receives the answers of the others and forwards them when it gets
//! its own.

use tokio::sync::oneshot;

use super::{Answer, SubmitError};

/// Answers that one caller forwards. A large group is split among several callers, so that several cores share the
/// work.
const CARRIED_MAX: usize = 64;

/// The sending end of the channel on which a caller waits.
pub(super) type Responder = oneshot::Sender<Delivery>;

/// An answer, and the answers to forward. `Drop` forwards them, so a caller that was cancelled forwards them too.
#[derive(Debug)]
pub(super) struct Delivery {
    answer: Option<Result<Answer, SubmitError>>,
    others: Vec<(Responder, Answer)>,
}

impl Delivery {
    /// Returns the answer; the others are forwarded when this returns.
    pub(super) fn open(mut self) -> Option<Result<Answer, SubmitError>> {
        self.answer.take()
    }
}

/// Sends a caller the reason why its request was not written.
pub(super) fn refuse(caller: Responder, why: SubmitError) {
    // The caller may have been dropped.
    let _ = caller.send(Delivery { answer: Some(Err(why)), others: Vec::new() });
}

impl Drop for Delivery {
    fn drop(&mut self) {
        for (caller, answer) in self.others.drain(..) {
            // The caller may have been dropped.
            let _ = caller.send(Delivery { answer: Some(Ok(answer)), others: Vec::new() });
        }
    }
}

/// Sends a group's answers.
pub(super) fn deliver(answers: Vec<(Responder, Answer)>) {
    let mut answers = answers.into_iter();
    while let Some((first, answer)) = answers.next() {
        let others = answers.by_ref().take(CARRIED_MAX).collect();
        let _ = first.send(Delivery { answer: Some(Ok(answer)), others });
    }
}

#[cfg(test)]
mod tests {
    use exchange::reply::Reply;
    use exchange::time::Time;
    use tokio::sync::oneshot;

    use super::*;

    fn group(count: u64) -> (Vec<(Responder, Answer)>, Vec<oneshot::Receiver<Delivery>>) {
        (0..count)
            .map(|seq| {
                let (caller, waiting) = oneshot::channel();
                let answer = Answer { seq, at: Time::from_micros(0), result: Ok(Reply::Done), written: None };
                ((caller, answer), waiting)
            })
            .unzip()
    }

    fn received(waiting: &mut oneshot::Receiver<Delivery>) -> Option<u64> {
        waiting.try_recv().ok().and_then(Delivery::open)?.ok().map(|answer| answer.seq)
    }

    #[test]
    fn every_caller_of_a_large_group_gets_its_own_answer() {
        let (answers, mut waiting) = group(3 * CARRIED_MAX as u64);
        deliver(answers);
        for (seq, waiting) in (0..).zip(&mut waiting) {
            assert_eq!(received(waiting), Some(seq));
        }
    }

    #[test]
    fn a_first_caller_that_goes_away_before_or_after_takes_no_answer_with_it() {
        for leaves_before in [true, false] {
            let (answers, waiting) = group(3);
            let mut waiting = waiting.into_iter();
            let first = waiting.next();
            if leaves_before {
                drop(first);
                deliver(answers);
            } else {
                deliver(answers);
                drop(first);
            }
            let others: Vec<_> = waiting.map(|mut waiting| received(&mut waiting)).collect();
            assert_eq!(others, [Some(1), Some(2)]);
        }
    }
}
