//! Answers on their way back to their callers, one wake-up for many.
//!
//! A wake-up from a thread outside of the runtime costs a lock and often a system call; from inside it is a push to a
//! queue. So the first caller of a group carries the answers of the next ones and passes them on when it gets its own.

use tokio::sync::oneshot;

use super::{Answer, SubmitError};

/// Answers that one caller carries. A large group is carried by several, so that several cores can take part.
const CARRIED_MAX: usize = 64;

/// Where a caller waits.
pub(super) type Caller = oneshot::Sender<Delivery>;

/// An answer, and those of others that go on from here. They go on whatever becomes of it: a caller that went away
/// drops its delivery, and dropping is what passes them on.
#[derive(Debug)]
pub(super) struct Delivery {
    answer: Option<Result<Answer, SubmitError>>,
    others: Vec<(Caller, Answer)>,
}

impl Delivery {
    /// The answer; the others are on their way when this returns.
    pub(super) fn open(mut self) -> Option<Result<Answer, SubmitError>> {
        self.answer.take()
    }
}

/// Tells a caller why its request was not even written.
pub(super) fn refuse(caller: Caller, why: SubmitError) {
    // A caller that went away does not want to know.
    let _ = caller.send(Delivery { answer: Some(Err(why)), others: Vec::new() });
}

impl Drop for Delivery {
    fn drop(&mut self) {
        for (caller, answer) in self.others.drain(..) {
            // A caller that went away does not want its answer.
            let _ = caller.send(Delivery { answer: Some(Ok(answer)), others: Vec::new() });
        }
    }
}

/// Sends a group's answers off.
pub(super) fn deliver(answers: Vec<(Caller, Answer)>) {
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

    fn group(count: u64) -> (Vec<(Caller, Answer)>, Vec<oneshot::Receiver<Delivery>>) {
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
