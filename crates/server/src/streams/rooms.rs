//! Who reads what. A message goes to all readers of a room as the same bytes; putting it into their queues never waits.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use parking_lot::Mutex;

use super::outbox::{Ending, Frame, Outbox, Slot};
use super::room::Room;

type Readers = BTreeMap<u64, Arc<Outbox>>;

#[derive(Debug, Default)]
pub(super) struct Rooms {
    readers: Mutex<HashMap<Room, Readers>>,
    /// Events sent so far.
    events: AtomicU64,
}

impl Rooms {
    pub(super) fn join(&self, room: &Room, outbox: &Arc<Outbox>) {
        let mut readers = self.readers.lock();
        readers.entry(room.clone()).or_default().insert(outbox.client, outbox.clone());
    }

    /// When this returns, nothing of the room reaches the reader any more.
    pub(super) fn leave(&self, room: &Room, outbox: &Outbox) {
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

    /// Whether anybody reads one of these.
    pub(super) fn is_read(&self, rooms: &[Room]) -> bool {
        let readers = self.readers.lock();
        rooms.iter().any(|room| readers.contains_key(room))
    }

    /// Something that happened, to everybody in these rooms, once to each.
    pub(super) fn tell(&self, rooms: &[Room], frame: &Frame) {
        let number = self.events.fetch_add(1, Ordering::Relaxed) + 1;
        let readers = self.readers.lock();
        for room in rooms {
            for outbox in readers.get(room).into_iter().flat_map(BTreeMap::values) {
                outbox.event(room, number, frame);
            }
        }
    }

    /// The same to one reader alone.
    pub(super) fn tell_one(&self, room: &Room, outbox: &Outbox, frame: &Frame) {
        let number = self.events.fetch_add(1, Ordering::Relaxed) + 1;
        outbox.event(room, number, frame);
    }

    /// How something stands, to everybody in a room.
    pub(super) fn show(&self, room: &Room, part: u8, sequence: u64, frame: &Frame) {
        let readers = self.readers.lock();
        let slot = Slot { room: room.clone(), part };
        for outbox in readers.get(room).into_iter().flat_map(BTreeMap::values) {
            outbox.snapshot(&slot, sequence, frame);
        }
    }

    /// Somebody's keys or sessions have changed.
    pub(super) fn access_changed(&self, user: UserId) {
        let readers = self.readers.lock();
        for outbox in readers.get(&Room::Access { user }).into_iter().flat_map(BTreeMap::values) {
            outbox.wake();
        }
    }

    /// Rooms that somebody is in.
    pub(super) fn len(&self) -> usize {
        self.readers.lock().len()
    }

    /// Books and events that somebody looks at.
    pub(super) fn looked_at(&self) -> (Vec<(MarketId, Currency)>, Vec<EventId>) {
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

    /// Ends everybody who waits for events: some were missed, and nothing that is sent later makes up for them.
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
