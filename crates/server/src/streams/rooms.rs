//! The readers of each room. All readers of a room get the same bytes; queueing a message never blocks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use parking_lot::Mutex;

use super::outbox::{EncodedMessage, Ending, Outbox, Slot};
use super::room::Room;

type Readers = BTreeMap<u64, Arc<Outbox>>;

#[derive(Debug, Default)]
pub(super) struct Rooms {
    readers: Mutex<HashMap<Room, Readers>>,
    /// Events sent so far.
    events: AtomicU64,
}

impl Rooms {
    pub(super) fn subscribe(&self, room: &Room, outbox: &Arc<Outbox>) {
        let mut readers = self.readers.lock();
        readers.entry(room.clone()).or_default().insert(outbox.client, outbox.clone());
    }

    /// Removes a reader from a room. After this returns, the reader gets no more messages of the room.
    pub(super) fn unsubscribe(&self, room: &Room, outbox: &Outbox) {
        let mut readers = self.readers.lock();
        if let Some(present) = readers.get_mut(room) {
            present.remove(&outbox.client);
            if present.is_empty() {
                readers.remove(room);
            }
        }
        drop(readers);
        outbox.forget(room);
    }

    /// Whether any of these rooms has a reader.
    pub(super) fn has_readers(&self, rooms: &[Room]) -> bool {
        let readers = self.readers.lock();
        rooms.iter().any(|room| readers.contains_key(room))
    }

    /// Sends an event to all readers of these rooms, once to each.
    pub(super) fn publish(&self, rooms: &[Room], frame: &EncodedMessage) {
        let number = self.events.fetch_add(1, Ordering::Relaxed) + 1;
        let readers = self.readers.lock();
        for room in rooms {
            for outbox in readers.get(room).into_iter().flat_map(BTreeMap::values) {
                outbox.event(room, number, frame);
            }
        }
    }

    /// Sends an event to one reader.
    pub(super) fn send_to(&self, room: &Room, outbox: &Outbox, frame: &EncodedMessage) {
        let number = self.events.fetch_add(1, Ordering::Relaxed) + 1;
        outbox.event(room, number, frame);
    }

    /// Sends a snapshot to all readers of a room.
    pub(super) fn publish_snapshot(&self, room: &Room, part: u8, sequence: u64, frame: &EncodedMessage) {
        let readers = self.readers.lock();
        let slot = Slot { room: room.clone(), part };
        for outbox in readers.get(room).into_iter().flat_map(BTreeMap::values) {
            outbox.snapshot(&slot, sequence, frame);
        }
    }

    /// Wakes the sessions of a user whose keys or sessions changed.
    pub(super) fn access_changed(&self, user: UserId) {
        let readers = self.readers.lock();
        for outbox in readers.get(&Room::Access { user }).into_iter().flat_map(BTreeMap::values) {
            outbox.wake();
        }
    }

    /// The number of rooms with readers.
    pub(super) fn len(&self) -> usize {
        self.readers.lock().len()
    }

    /// The books and events that have readers.
    pub(super) fn snapshot_subjects(&self) -> (Vec<(MarketId, Currency)>, Vec<EventId>) {
        let (mut books, mut events) = (Vec::new(), Vec::new());
        for room in self.readers.lock().keys() {
            match room {
                Room::Orderbook { market, currency } => {
                    books.push((*market, currency.unwrap_or(Currency::Usd)));
                }
                Room::Prices { event } => events.push(*event),
                _ => {}
            }
        }
        (books, events)
    }

    /// Ends the connections of all readers of events: some events were missed, and no later message can replace them.
    pub(super) fn end_readers_of_events(&self, ending: Ending) {
        self.end_if(ending, |room| {
            room.is_resumable()
                || matches!(room, Room::Activity { .. } | Room::UserTrades { .. } | Room::Orders { .. })
        });
    }

    pub(super) fn end_all(&self, ending: Ending) {
        self.end_if(ending, |_| true);
    }

    fn end_if(&self, ending: Ending, is_meant: impl Fn(&Room) -> bool) {
        for (_, readers) in self.readers.lock().iter().filter(|(room, _)| is_meant(room)) {
            for outbox in readers.values() {
                outbox.end(ending);
            }
        }
    }
}
