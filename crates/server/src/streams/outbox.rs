//! A reader's queue: bounded, and adding to it never blocks.
//!
//! Events are queued in order up to a limit; one more closes the connection. Of a book or a price only the newest
//! snapshot is queued, in the place of the previous one, so a slow reader gets fewer of them and never an outdated one.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::room::Room;

/// An encoded message, shared by its readers.
pub(super) type EncodedMessage = Utf8Bytes;

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
    frame: Option<EncodedMessage>,
}

#[derive(Debug)]
enum Queued {
    /// A response to the client's own message.
    Answer(EncodedMessage),
    Event(Room, EncodedMessage),
    /// The slot's snapshot at the time of sending.
    Newest(Slot),
}

#[derive(Debug, Default)]
struct Queue {
    queued: VecDeque<Queued>,
    newest: HashMap<Slot, Snapshot>,
    events: usize,
    /// The number of the last event, which may arrive through several rooms.
    last_event: u64,
    ending: Option<Ending>,
}

#[derive(Debug)]
pub(super) struct Outbox {
    /// The connection's unique number.
    pub(super) client: u64,
    events_max: usize,
    queue: Mutex<Queue>,
    ready: Notify,
}

/// The reader read too slowly for too long.
pub(super) const TOO_SLOW: Ending =
    Ending { code: 1008, reason: "too slow: read faster or subscribe to less" };

impl Outbox {
    pub(super) fn new(client: u64, events_max: usize) -> Outbox {
        Outbox { client, events_max, queue: Mutex::default(), ready: Notify::new() }
    }

    /// Queues a response. Clients may send only a limited number of messages, so responses need no limit of their own.
    pub(super) fn answer(&self, frame: EncodedMessage) {
        self.queue.lock().queued.push_back(Queued::Answer(frame));
        self.ready.notify_one();
    }

    /// Queues an event by number; an event that arrives through a second room is not sent twice.
    pub(super) fn event(&self, room: &Room, number: u64, frame: &EncodedMessage) {
        let mut queue = self.queue.lock();
        if queue.ending.is_some() || queue.last_event == number {
            return;
        }
        queue.last_event = number;
        if queue.events >= self.events_max {
            queue.end(TOO_SLOW);
        } else {
            queue.events += 1;
            queue.queued.push_back(Queued::Event(room.clone(), frame.clone()));
        }
        drop(queue);
        self.ready.notify_one();
    }

    /// How many more events can be queued.
    pub(super) fn vacancy(&self) -> usize {
        self.events_max.saturating_sub(self.queue.lock().events)
    }

    /// Queues a snapshot in place of an older one. Drops it if a newer one was sent: snapshots come from two threads,
    /// the hub and a subscribing session.
    pub(super) fn snapshot(&self, slot: &Slot, sequence: u64, frame: &EncodedMessage) {
        let mut queue = self.queue.lock();
        if queue.ending.is_some() {
            return;
        }
        let known = queue.newest.get(slot);
        if known.is_some_and(|known| known.sequence >= sequence) {
            return;
        }
        let has_place = known.is_some_and(|known| known.frame.is_some());
        queue.newest.insert(slot.clone(), Snapshot { sequence, frame: Some(frame.clone()) });
        if !has_place {
            queue.queued.push_back(Queued::Newest(slot.clone()));
        }
        drop(queue);
        self.ready.notify_one();
    }

    /// Closes the connection. Queued messages are dropped.
    pub(super) fn end(&self, ending: Ending) {
        self.queue.lock().end(ending);
        self.ready.notify_one();
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
            Queued::Event(of, _) => of != room,
            Queued::Newest(slot) => slot.room != *room,
        });
        newest.retain(|slot, _| slot.room != *room);
        *events = queued.iter().filter(|queued| matches!(queued, Queued::Event(..))).count();
    }

    /// Takes up to `most` queued messages, and returns whether there are more.
    pub(super) fn take(&self, most: usize) -> Result<(Vec<EncodedMessage>, bool), Ending> {
        let mut queue = self.queue.lock();
        if let Some(ending) = queue.ending {
            return Err(ending);
        }
        let mut taken = Vec::new();
        while taken.len() < most {
            let Some(queued) = queue.queued.pop_front() else { break };
            taken.extend(queue.frame_of(queued));
        }
        Ok((taken, !queue.queued.is_empty()))
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
            let changed = self.ready.notified();
            if let Some(ending) = self.ending() {
                return ending;
            }
            changed.await;
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

    fn frame_of(&mut self, queued: Queued) -> Option<EncodedMessage> {
        match queued {
            Queued::Answer(frame) => Some(frame),
            Queued::Event(_, frame) => {
                self.events -= 1;
                Some(frame)
            }
            Queued::Newest(slot) => self.newest.get_mut(&slot)?.frame.take(),
        }
    }
}

#[cfg(test)]
mod tests {
    use exchange::id::{EventId, MarketId};

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

    fn taken(outbox: &Outbox) -> Vec<String> {
        let (frames, _) = outbox.take(100).expect("no end");
        frames.iter().map(|frame| frame.as_str().to_owned()).collect()
    }

    #[test]
    fn of_a_book_only_the_newest_waits_in_the_place_of_the_first() {
        let outbox = Outbox::new(1, 10);
        outbox.snapshot(&slot(1), 1, &"one at 1".into());
        outbox.event(&activity(), 1, &"event".into());
        outbox.snapshot(&slot(2), 1, &"two at 1".into());
        outbox.snapshot(&slot(1), 3, &"one at 3".into());
        outbox.snapshot(&slot(1), 2, &"one at 2".into());
        assert_eq!(taken(&outbox), ["one at 3", "event", "two at 1"]);
        outbox.snapshot(&slot(1), 2, &"one at 2".into());
        assert!(taken(&outbox).is_empty(), "older than what was sent");
        outbox.snapshot(&slot(1), 4, &"one at 4".into());
        assert_eq!(taken(&outbox), ["one at 4"]);
    }

    #[test]
    fn however_many_snapshots_come_a_reader_is_not_ended_and_keeps_one_of_each() {
        let outbox = Outbox::new(1, 2);
        for sequence in 0..1_000 {
            outbox.snapshot(&slot(u128::from(sequence % 3)), sequence, &sequence.to_string().into());
        }
        assert_eq!(taken(&outbox), ["999", "997", "998"]);
    }

    #[test]
    fn one_event_more_than_may_wait_ends_the_reader_and_frees_what_waited() {
        let outbox = Outbox::new(1, 2);
        for number in 1..=3 {
            outbox.event(&activity(), number, &"event".into());
        }
        assert_eq!(outbox.take(100), Err(TOO_SLOW));
        outbox.event(&activity(), 4, &"event".into());
        outbox.snapshot(&slot(1), 1, &"book".into());
        let queue = outbox.queue.lock();
        assert!(queue.queued.is_empty() && queue.newest.is_empty());
    }

    #[test]
    fn an_event_that_comes_through_two_rooms_is_sent_once() {
        let outbox = Outbox::new(1, 10);
        let market = Room::Activity { event: EventId::new(1), market: Some(MarketId::new(2)) };
        for number in 1..=2 {
            outbox.event(&activity(), number, &number.to_string().into());
            outbox.event(&market, number, &number.to_string().into());
        }
        assert_eq!(taken(&outbox), ["1", "2"]);
    }

    #[test]
    fn queued_messages_of_a_left_room_are_dropped() {
        let outbox = Outbox::new(1, 2);
        outbox.event(&activity(), 1, &"event".into());
        outbox.snapshot(&slot(1), 1, &"one".into());
        outbox.snapshot(&slot(2), 1, &"two".into());
        outbox.answer("answer".into());
        outbox.forget(&book(1));
        outbox.forget(&activity());
        assert_eq!(taken(&outbox), ["two", "answer"]);
        for number in 2..=3 {
            outbox.event(&activity(), number, &"event".into());
        }
        assert_eq!(taken(&outbox).len(), 2, "forgotten events do not count");
    }
}
