//! A reader's queue: bounded, and adding to it never blocks.
//!
//! Events are queued in order up to a limit; more of them close the connection. Of a book or a price only the newest
//! snapshot is queued, in the place of the previous one, so a slow reader gets fewer of them and never an outdated one.
//! The session is woken when the queue stops being empty; it then takes all of it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use api::json::Decimals;
use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::events::EventRun;
use super::frames::EncodedMessage;
use super::outgoing::Outgoing;
use super::room::Room;

/// Why we close a connection; sent in the close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) code: u16,
    pub(super) reason: &'static str,
}

/// Identifies a snapshot: the room, and which of several in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub(super) room: Room,
    pub(super) part: u8,
}

/// The newest snapshot of a slot: queued while it has a frame, sent when it has none.
#[derive(Debug)]
struct Snapshot {
    sequence: u64,
    frame: Option<Bytes>,
}

#[derive(Debug)]
enum Queued {
    /// A response to the client's own message.
    Answer(Bytes),
    Events(EventRun),
    /// The slot's snapshot at the time of sending.
    Newest(Slot),
}

#[derive(Debug, Default)]
struct Queue {
    queued: VecDeque<Queued>,
    newest: HashMap<Slot, Snapshot>,
    events: usize,
    ending: Option<Ending>,
}

#[derive(Debug)]
pub(super) struct Outbox {
    /// The connection's unique number.
    pub(super) client: u64,
    /// The form of the decimals of its messages.
    pub(super) decimals: Decimals,
    events_max: usize,
    queue: Mutex<Queue>,
    /// The session has taken messages that are not written to its socket yet. Raised under the queue's lock.
    is_writing: AtomicBool,
    ready: Notify,
    /// Apart from `ready`, so that a session that waits for its socket is not woken by further messages.
    ending: Notify,
}

/// The reader read too slowly for too long.
pub(super) const TOO_SLOW: Ending =
    Ending { code: 1008, reason: "too slow: read faster or subscribe to less" };

impl Outbox {
    pub(super) fn new(client: u64, events_max: usize, decimals: Decimals) -> Outbox {
        let (queue, is_writing) = (Mutex::default(), AtomicBool::new(false));
        let (ready, ending) = (Notify::new(), Notify::new());
        Outbox { client, decimals, events_max, queue, is_writing, ready, ending }
    }

    /// Queues a response. Clients may send only a limited number of messages, so responses need no limit of their own.
    pub(super) fn answer(&self, message: &EncodedMessage) {
        let frame = message.frame(self.decimals).clone();
        self.add(|queue| queue.queued.push_back(Queued::Answer(frame)));
    }

    /// Queues events that were delivered together. They are too many if the queue was full before: a single request can
    /// cause more events than a queue holds, and even the quickest reader could not make room for them meanwhile.
    pub(super) fn events(&self, runs: &[EventRun]) {
        let count: usize = runs.iter().map(EventRun::len).sum();
        if count == 0 {
            return;
        }
        self.add(|queue| {
            if queue.events >= self.events_max {
                queue.end(TOO_SLOW);
            } else {
                queue.events += count;
                queue.queued.extend(runs.iter().cloned().map(Queued::Events));
            }
        });
    }

    /// Changes an open queue. A queue that is not empty has woken its session already.
    fn add(&self, change: impl FnOnce(&mut Queue)) {
        let mut queue = self.queue.lock();
        if queue.ending.is_some() {
            return;
        }
        let was_empty = queue.queued.is_empty();
        change(&mut queue);
        let (has_ended, is_empty) = (queue.ending.is_some(), queue.queued.is_empty());
        drop(queue);
        if has_ended {
            self.notify_of_end();
        } else if was_empty && !is_empty {
            self.ready.notify_one();
        }
    }

    fn notify_of_end(&self) {
        self.ready.notify_one();
        self.ending.notify_one();
    }

    /// How many more events can be queued.
    pub(super) fn vacancy(&self) -> usize {
        self.events_max.saturating_sub(self.queue.lock().events)
    }

    /// Queues a snapshot in place of an older one. Drops it if a newer one was sent: snapshots come from two threads,
    /// the hub and a subscribing session.
    pub(super) fn snapshot(&self, slot: &Slot, sequence: u64, message: &EncodedMessage) {
        let frame = message.frame(self.decimals);
        self.add(|queue| {
            let known = queue.newest.get_mut(slot);
            if known.as_ref().is_some_and(|known| known.sequence >= sequence) {
                return;
            }
            let newest = Snapshot { sequence, frame: Some(frame.clone()) };
            let replaced = match known {
                Some(known) => std::mem::replace(known, newest).frame,
                None => queue.newest.insert(slot.clone(), newest).and_then(|known| known.frame),
            };
            if replaced.is_none() {
                queue.queued.push_back(Queued::Newest(slot.clone()));
            }
        });
    }

    /// Closes the connection. Queued messages are dropped.
    pub(super) fn end(&self, ending: Ending) {
        self.queue.lock().end(ending);
        self.notify_of_end();
    }

    /// Wakes the session without a message, to check its authorisation again.
    pub(super) fn wake(&self) {
        self.ready.notify_one();
    }

    /// Drops the queued messages of a room.
    pub(super) fn forget(&self, room: &Room) {
        let mut queue = self.queue.lock();
        let Queue { queued, newest, events, .. } = &mut *queue;
        queued.retain(|queued| match queued {
            Queued::Answer(_) => true,
            Queued::Events(run) => run.batch.room != *room,
            Queued::Newest(slot) => slot.room != *room,
        });
        newest.retain(|slot, _| slot.room != *room);
        let count = |queued: &Queued| if let Queued::Events(run) = queued { run.len() } else { 0 };
        *events = queued.iter().map(count).sum();
    }

    /// Moves queued messages to `outgoing` while it has less than `bytes_max`, and returns whether there are more.
    pub(super) fn take(&self, outgoing: &mut Outgoing, bytes_max: usize) -> Result<bool, Ending> {
        let mut queue = self.queue.lock();
        if let Some(ending) = queue.ending {
            return Err(ending);
        }
        while outgoing.bytes() < bytes_max {
            let Some(first) = queue.queued.pop_front() else { break };
            queue.take(first, outgoing, bytes_max);
        }
        self.is_writing.store(!outgoing.is_empty(), Ordering::Release);
        Ok(!queue.queued.is_empty())
    }

    /// The session has written everything that it took.
    pub(super) fn note_written(&self) {
        self.is_writing.store(false, Ordering::Release);
    }

    /// Whether nothing is queued or being written. A queue that has ended gets no more messages.
    pub(super) fn is_written(&self) -> bool {
        let queue = self.queue.lock();
        queue.ending.is_some() || (queue.queued.is_empty() && !self.is_writing.load(Ordering::Acquire))
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.queue.lock().ending
    }

    /// Waits for a change since the last wait.
    pub(super) async fn changed(&self) {
        self.ready.notified().await;
    }

    /// Waits until the connection is closed.
    pub(super) async fn ended(&self) -> Ending {
        loop {
            let ended = self.ending.notified();
            if let Some(ending) = self.ending() {
                return ending;
            }
            ended.await;
        }
    }
}

impl Queue {
    fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
        self.queued.clear();
        self.newest.clear();
        self.events = 0;
    }

    /// Moves the first of the queue to `outgoing`. Events with which it would exceed `bytes_max` stay queued.
    fn take(&mut self, first: Queued, outgoing: &mut Outgoing, bytes_max: usize) {
        match first {
            Queued::Answer(frame) => outgoing.push(frame, 1),
            Queued::Events(mut run) => {
                let before = run.len();
                let frames = run.split_frames(bytes_max - outgoing.bytes());
                let taken = before - run.len();
                outgoing.push(frames, taken);
                self.events -= taken;
                if !run.is_empty() {
                    self.queued.push_front(Queued::Events(run));
                }
            }
            Queued::Newest(slot) => {
                let newest = self.newest.get_mut(&slot).and_then(|newest| newest.frame.take());
                outgoing.push(newest.unwrap_or_default(), 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use exchange::id::{EventId, MarketId};

    use super::super::events::EventBatch;
    use super::*;

    fn book(number: u128) -> Room {
        Room::Orderbook { market: MarketId::new(number), currency: None }
    }

    fn slot(number: u128) -> Slot {
        Slot { room: book(number), part: 0 }
    }

    fn activity() -> Room {
        Room::Activity { event: EventId::new(1), market: None }
    }

    fn text(text: &str) -> EncodedMessage {
        EncodedMessage::text(text)
    }

    /// Queues events that are delivered together.
    fn deliver(outbox: &Outbox, room: Room, texts: &[&str]) {
        let messages: Vec<_> = (1..).zip(texts.iter().copied().map(text)).collect();
        outbox.events(&[EventRun::from(&Arc::new(EventBatch::new(room, Decimals::Numbers, &messages)), 0)]);
    }

    fn take(outbox: &Outbox, bytes_max: usize) -> (Vec<String>, bool) {
        let mut outgoing = Outgoing::default();
        let has_more = outbox.take(&mut outgoing, bytes_max).expect("no end");
        (outgoing.texts(), has_more)
    }

    fn taken(outbox: &Outbox) -> Vec<String> {
        let (texts, has_more) = take(outbox, usize::MAX);
        assert!(!has_more);
        texts
    }

    #[test]
    fn of_a_book_only_the_newest_waits_in_the_place_of_the_first() {
        let outbox = Outbox::new(1, 10, Decimals::Numbers);
        outbox.snapshot(&slot(1), 1, &text("one at 1"));
        deliver(&outbox, activity(), &["event"]);
        outbox.snapshot(&slot(2), 1, &text("two at 1"));
        outbox.snapshot(&slot(1), 3, &text("one at 3"));
        outbox.snapshot(&slot(1), 2, &text("one at 2"));
        assert_eq!(taken(&outbox), ["one at 3", "event", "two at 1"]);
        outbox.snapshot(&slot(1), 2, &text("one at 2"));
        assert!(taken(&outbox).is_empty(), "older than what was sent");
        outbox.snapshot(&slot(1), 4, &text("one at 4"));
        assert_eq!(taken(&outbox), ["one at 4"]);
    }

    #[test]
    fn however_many_snapshots_come_a_reader_is_not_ended_and_keeps_one_of_each() {
        let outbox = Outbox::new(1, 2, Decimals::Numbers);
        for sequence in 0..1_000 {
            outbox.snapshot(&slot(u128::from(sequence % 3)), sequence, &text(&sequence.to_string()));
        }
        assert_eq!(taken(&outbox), ["999", "997", "998"]);
    }

    #[test]
    fn one_event_more_than_may_wait_ends_the_reader_and_frees_what_waited() {
        let outbox = Outbox::new(1, 2, Decimals::Numbers);
        for _ in 1..=3 {
            deliver(&outbox, activity(), &["event"]);
        }
        assert_eq!(outbox.take(&mut Outgoing::default(), 100), Err(TOO_SLOW));
        deliver(&outbox, activity(), &["event"]);
        outbox.snapshot(&slot(1), 1, &text("book"));
        let queue = outbox.queue.lock();
        assert!(queue.queued.is_empty() && queue.newest.is_empty());
    }

    #[test]
    fn events_delivered_together_are_accepted_while_there_is_room_for_one() {
        let outbox = Outbox::new(1, 3, Decimals::Numbers);
        deliver(&outbox, activity(), &["1", "2"]);
        deliver(&outbox, activity(), &["3", "4", "5"]);
        assert_eq!(outbox.vacancy(), 0);
        assert_eq!(taken(&outbox), ["1", "2", "3", "4", "5"]);
        deliver(&outbox, activity(), &["6", "7", "8"]);
        deliver(&outbox, activity(), &["9"]);
        assert_eq!(outbox.ending(), Some(TOO_SLOW));
    }

    #[test]
    fn a_turn_takes_messages_up_to_a_size_and_the_rest_keeps_its_order() {
        let outbox = Outbox::new(1, 10, Decimals::Numbers);
        outbox.answer(&text("1"));
        deliver(&outbox, activity(), &["2", "3", "4"]);
        outbox.snapshot(&slot(1), 1, &text("5"));
        // Each frame has 3 bytes.
        assert_eq!(take(&outbox, 6), (vec!["1".to_owned(), "2".to_owned()], true));
        assert_eq!(outbox.vacancy(), 8);
        assert_eq!(take(&outbox, 6), (vec!["3".to_owned(), "4".to_owned()], true));
        assert_eq!(take(&outbox, 1), (vec!["5".to_owned()], false), "at least one");
    }

    #[tokio::test]
    async fn a_session_is_woken_once_until_it_takes_the_queue() {
        let outbox = Outbox::new(1, 10, Decimals::Numbers);
        let is_woken = async || tokio::time::timeout(Duration::ZERO, outbox.changed()).await.is_ok();
        deliver(&outbox, activity(), &["1"]);
        assert!(is_woken().await);
        deliver(&outbox, activity(), &["2"]);
        outbox.answer(&text("3"));
        outbox.snapshot(&slot(1), 1, &text("4"));
        assert!(!is_woken().await, "it has not taken the first one yet");
        assert_eq!(taken(&outbox).len(), 4);
        outbox.snapshot(&slot(1), 2, &text("5"));
        assert!(is_woken().await);
        outbox.end(TOO_SLOW);
        assert!(is_woken().await, "the end wakes it always");
    }

    #[test]
    fn queued_messages_of_a_left_room_are_dropped() {
        let outbox = Outbox::new(1, 2, Decimals::Numbers);
        deliver(&outbox, activity(), &["event"]);
        outbox.snapshot(&slot(1), 1, &text("one"));
        outbox.snapshot(&slot(2), 1, &text("two"));
        outbox.answer(&text("answer"));
        outbox.forget(&book(1));
        outbox.forget(&activity());
        assert_eq!(taken(&outbox), ["two", "answer"]);
        for _ in 2..=3 {
            deliver(&outbox, activity(), &["event"]);
        }
        assert_eq!(taken(&outbox).len(), 2, "forgotten events do not count");
    }
}
