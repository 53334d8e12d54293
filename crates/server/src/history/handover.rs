//! The hand-over of changes from the apply thread to the history thread.
//!
//! A group is added without waking the history thread: it wakes by itself once a second, and earlier when much is
//! queued, when a reader waits or when a snapshot needs the changes on disk. The queue is limited in bytes, not groups: a
//! second of small groups is harmless, while a few large ones take a lot of memory.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::recorder::Batch;

/// About a second of changes of a busy exchange. Above this the apply thread waits.
const BYTES_MAX: usize = 128 << 20;
/// How long changes are gathered for one commit, unless a reader waits or `PLENTY` are queued. The entries of a commit are
/// merged with those of others later, so fewer commits cost less.
const GATHER: Duration = Duration::from_secs(1);
const PLENTY: usize = 20_000;
/// Changes in one commit, approximately.
const CHANGES_MAX: usize = 150_000;

/// The contents of one commit.
#[derive(Debug, Default)]
pub(super) struct CommitInput {
    pub(super) batches: Vec<Batch>,
    /// The callers to notify once everything is durable.
    pub(super) syncs: Vec<Sender<()>>,
}

#[derive(Debug, Default)]
struct Queue {
    batches: Vec<Batch>,
    syncs: Vec<Sender<()>>,
    /// Changes in `batches`.
    changes: usize,
    /// Memory of the batches that are queued or being stored.
    bytes: usize,
    /// The highest sequence that a reader waits for, and the sequence of the last batch taken.
    wanted: u64,
    taken: u64,
    /// The history thread waits for the first batch, without a deadline.
    is_idle: bool,
    senders: usize,
    /// The history thread has ended.
    has_ended: bool,
}

impl Queue {
    fn is_due(&self) -> bool {
        self.changes >= PLENTY || self.wanted > self.taken || !self.syncs.is_empty() || self.senders == 0
    }
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// The history thread has work.
    due: Condvar,
    /// The apply thread may go on.
    freed: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The side of the apply thread and of readers.
#[derive(Debug)]
pub(super) struct HandoverSender(Arc<Shared>);

/// The side of the history thread.
#[derive(Debug)]
pub(super) struct HandoverReceiver(Arc<Shared>);

pub(super) fn handover() -> (HandoverSender, HandoverReceiver) {
    let shared = Arc::new(Shared::default());
    shared.queue().senders = 1;
    (HandoverSender(shared.clone()), HandoverReceiver(shared))
}

impl HandoverSender {
    /// Adds a batch. Waits while the queue is full. If the history thread has ended the batch is dropped: trading
    /// continues, reads fail.
    pub(super) fn add(&self, batch: Batch) {
        let bytes = batch.bytes();
        let is_full = |queue: &mut Queue| queue.bytes >= BYTES_MAX && !queue.has_ended;
        let mut queue =
            self.0.freed.wait_while(self.0.queue(), is_full).unwrap_or_else(PoisonError::into_inner);
        if queue.has_ended {
            return;
        }
        let was_due = queue.is_due();
        queue.bytes += bytes;
        queue.changes += batch.changes.len();
        queue.batches.push(batch);
        let wakes = std::mem::take(&mut queue.is_idle) || (!was_due && queue.is_due());
        drop(queue);
        if wakes {
            self.0.due.notify_one();
        }
    }

    /// Asks for commits without gathering, until one has the request with this sequence. It may not be queued yet.
    pub(super) fn hurry(&self, sequence: u64) {
        let mut queue = self.0.queue();
        queue.wanted = queue.wanted.max(sequence);
        drop(queue);
        self.0.due.notify_one();
    }

    /// Asks for everything queued to become durable; `done` is notified then, and dropped if the thread has ended.
    pub(super) fn sync(&self, done: Sender<()>) {
        let mut queue = self.0.queue();
        if !queue.has_ended {
            queue.syncs.push(done);
            drop(queue);
            self.0.due.notify_one();
        }
    }
}

impl Clone for HandoverSender {
    fn clone(&self) -> HandoverSender {
        self.0.queue().senders += 1;
        HandoverSender(self.0.clone())
    }
}

impl Drop for HandoverSender {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.senders -= 1;
        if queue.senders == 0 {
            drop(queue);
            self.0.due.notify_one();
        }
    }
}

impl HandoverReceiver {
    /// Waits for changes and returns those of one commit; `None` once every sender is gone and nothing is queued. Returns
    /// an empty commit if there are none until `latest`.
    pub(super) fn gather(&self, latest: Option<Instant>) -> Option<CommitInput> {
        let mut queue = self.0.queue();
        while queue.batches.is_empty() && queue.syncs.is_empty() {
            if queue.senders == 0 {
                return None;
            }
            queue.is_idle = true;
            queue = match latest.map(|latest| latest.saturating_duration_since(Instant::now())) {
                None => self.0.due.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    queue.is_idle = false;
                    return Some(CommitInput::default());
                }
                Some(left) => self.0.due.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0,
            };
            queue.is_idle = false;
        }
        let deadline = Instant::now() + GATHER;
        let left = || deadline.saturating_duration_since(Instant::now());
        while !queue.is_due() && !left().is_zero() {
            (queue, _) = self.0.due.wait_timeout(queue, left()).unwrap_or_else(PoisonError::into_inner);
        }
        Some(take_commit(&mut queue))
    }

    /// Whether a caller waits for more than what is stored, or the next commit is due already.
    pub(super) fn is_awaited(&self, stored: u64) -> bool {
        let queue = self.0.queue();
        queue.wanted > stored || queue.is_due()
    }

    /// Whether a sender is left.
    pub(super) fn has_senders(&self) -> bool {
        self.0.queue().senders > 0
    }

    /// Frees the memory of stored batches.
    pub(super) fn release(&self, bytes: usize) {
        self.0.queue().bytes -= bytes;
        self.0.freed.notify_all();
    }
}

/// The oldest batches, up to `CHANGES_MAX` changes. Syncs go with the last of them.
fn take_commit(queue: &mut Queue) -> CommitInput {
    let mut changes = 0;
    let is_within = |batch: &Batch| {
        let fits = changes < CHANGES_MAX;
        changes += batch.changes.len();
        fits
    };
    let count = queue.batches.iter().map(is_within).take_while(|fits| *fits).count();
    let rest = queue.batches.split_off(count);
    let batches = std::mem::replace(&mut queue.batches, rest);
    queue.changes = queue.batches.iter().map(|batch| batch.changes.len()).sum();
    let is_all = queue.batches.is_empty();
    queue.taken = batches.last().map_or(queue.taken, |batch| batch.last);
    CommitInput { batches, syncs: if is_all { std::mem::take(&mut queue.syncs) } else { Vec::new() } }
}

impl Drop for HandoverReceiver {
    /// The apply thread never waits for a history thread that has ended.
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.has_ended = true;
        queue.batches.clear();
        queue.syncs.clear();
        drop(queue);
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    use exchange::change::Change;
    use exchange::id::EventId;
    use exchange::time::Time;

    use super::super::recorder::{RecordedChange, StoredAnswer};
    use super::*;

    fn batch(last: u64) -> Batch {
        Batch { last, ..Batch::default() }
    }

    fn batch_of_changes(last: u64, count: usize) -> Batch {
        let change = |_| RecordedChange {
            seq: last,
            at: Time::ZERO,
            event: EventId::new(1),
            change: Change::SportsImported,
        };
        Batch { last, changes: (0..count).map(change).collect(), ..Batch::default() }
    }

    fn batch_of_bytes(bytes: usize) -> Batch {
        let answer = StoredAnswer { seq: 1, at: Time::ZERO, bytes: vec![0; bytes] };
        Batch { last: 1, answers: vec![answer], ..Batch::default() }
    }

    fn sequences(input: &CommitInput) -> Vec<u64> {
        input.batches.iter().map(|batch| batch.last).collect()
    }

    /// Adds a batch on another thread, and sends a message when that has returned.
    fn adding(sender: &HandoverSender) -> Receiver<()> {
        let (say, added) = channel();
        let sender = sender.clone();
        thread::spawn(move || {
            sender.add(batch(2));
            say.send(())
        });
        added
    }

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(120);

    #[test]
    fn a_full_queue_makes_the_apply_thread_wait_until_batches_are_stored() {
        let (sender, receiver) = handover();
        sender.add(batch_of_bytes(BYTES_MAX));
        let added = adding(&sender);
        assert!(added.recv_timeout(SHORT).is_err(), "the queue is full");
        let bytes = receiver.gather(None).expect("a batch").batches[0].bytes();
        assert!(added.recv_timeout(SHORT).is_err(), "the batch is not stored yet");
        receiver.release(bytes);
        assert!(added.recv_timeout(LONG).is_ok());
    }

    #[test]
    fn the_apply_thread_does_not_wait_for_a_history_that_has_ended() {
        let (sender, receiver) = handover();
        sender.add(batch_of_bytes(BYTES_MAX));
        let added = adding(&sender);
        let (done, is_done) = crossbeam_channel::bounded(1);
        drop(receiver);
        assert!(added.recv_timeout(LONG).is_ok());
        sender.sync(done);
        assert!(is_done.recv().is_err(), "nothing becomes durable any more");
    }

    #[test]
    fn a_hurried_reader_a_sync_and_many_changes_end_the_gathering() {
        let (sender, receiver) = handover();
        sender.add(batch(1));
        sender.hurry(1);
        assert_eq!(sequences(&receiver.gather(None).expect("a batch")), [1]);
        assert!(receiver.is_awaited(0), "the reader waits until the batch is stored");
        assert!(!receiver.is_awaited(1));
        let (done, is_done) = crossbeam_channel::bounded(1);
        sender.add(batch(2));
        sender.sync(done);
        let input = receiver.gather(None).expect("a batch");
        assert_eq!((sequences(&input), input.syncs.len()), (vec![2], 1));
        input.syncs[0].send(()).expect("the caller waits");
        is_done.recv().expect("a notice");
        sender.add(batch_of_changes(3, PLENTY));
        assert!(sender.0.queue().is_due());
        assert_eq!(sequences(&receiver.gather(None).expect("a batch")), [3]);
    }

    #[test]
    fn a_reader_hurries_the_batch_that_is_not_queued_yet() {
        let (sender, receiver) = handover();
        sender.add(batch(1));
        sender.hurry(2);
        assert_eq!(sequences(&receiver.gather(None).expect("a batch")), [1]);
        assert!(sender.0.queue().is_due(), "the reader still waits");
        sender.add(batch(2));
        assert_eq!(sequences(&receiver.gather(None).expect("a batch")), [2]);
        assert!(!sender.0.queue().is_due());
    }

    #[test]
    fn a_commit_is_bounded_and_its_sync_waits_for_the_rest() {
        let (sender, receiver) = handover();
        let (done, _is_done) = crossbeam_channel::bounded(1);
        for last in 1..=3 {
            sender.add(batch_of_changes(last, CHANGES_MAX));
        }
        sender.sync(done);
        let counts: Vec<_> = (0..3)
            .map(|_| {
                receiver.gather(None).map(|input| (sequences(&input), input.syncs.len())).expect("a batch")
            })
            .collect();
        assert_eq!(counts, [(vec![1], 0), (vec![2], 0), (vec![3], 1)]);
    }

    #[test]
    fn only_the_first_batch_wakes_an_idle_thread() {
        let (sender, receiver) = handover();
        let waiting = thread::spawn(move || receiver.gather(None).map(|input| sequences(&input)));
        while !sender.0.queue().is_idle {
            thread::yield_now();
        }
        sender.add(batch(1));
        assert!(!sender.0.queue().is_idle, "the first batch wakes it");
        sender.add(batch(2));
        assert!(!sender.0.queue().is_due(), "the second one does not");
        sender.hurry(2);
        let gathered = waiting.join().expect("a thread without a panic").expect("a commit");
        assert!(gathered == [1, 2], "{gathered:?}");
    }

    #[test]
    fn a_commit_without_changes_is_returned_at_the_latest_time() {
        let (sender, receiver) = handover();
        let input = receiver.gather(Some(Instant::now() + SHORT)).expect("an empty commit");
        assert!(input.batches.is_empty() && input.syncs.is_empty());
        sender.add(batch(1));
        assert_eq!(sequences(&receiver.gather(Some(Instant::now())).expect("a batch")), [1]);
    }

    #[test]
    fn the_last_sender_ends_the_thread_after_everything_queued() {
        let (sender, receiver) = handover();
        let other = sender.clone();
        other.add(batch(1));
        drop((sender, other));
        assert_eq!(sequences(&receiver.gather(None).expect("a batch")), [1]);
        assert!(receiver.gather(None).is_none());
    }
}
