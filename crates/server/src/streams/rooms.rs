//! The readers of each room. All readers of a room with the same form of decimals get the same bytes; queueing a message never blocks.
//!
//! Published events are kept until the hub delivers them together: each reader is then locked and woken once, however
//! many events there are. Snapshots are queued at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use api::json::Decimals;
use exchange::id::{EventId, GameId, MarketId, UserId};
use exchange::numbers::Currency;
use parking_lot::Mutex;

use super::events::{EventBatch, EventRun, merge};
use super::frames::EncodedMessage;
use super::outbox::{Ending, Outbox, Slot};
use super::room::Room;

/// Published bytes that are delivered without waiting for more.
const DELIVER_BYTES: usize = 64 << 10;

#[derive(Debug, Default)]
pub(super) struct Rooms {
    present: Mutex<Present>,
}

#[derive(Debug, Default)]
struct Present {
    rooms: HashMap<Room, RoomReaders>,
    /// The rooms with undelivered events. A room that was empty in the meantime may be in it twice.
    published: Vec<Room>,
    published_bytes: usize,
    /// The number of the last event. An event has one number in all of its rooms.
    last_event: u64,
}

/// A room with at least one reader.
#[derive(Debug, Default)]
struct RoomReaders {
    readers: BTreeMap<u64, Reader>,
    /// Undelivered events, by number.
    published: Vec<(u64, EncodedMessage)>,
}

#[derive(Debug)]
struct Reader {
    outbox: Arc<Outbox>,
    /// The last event before the reader joined, which gets only later ones.
    joined_after: u64,
}

/// The events of a batch that one reader gets: those from `first` on.
struct Delivery<'a> {
    client: u64,
    outbox: &'a Outbox,
    batch: usize,
    first: usize,
}

impl Rooms {
    pub(super) fn subscribe(&self, room: &Room, outbox: &Arc<Outbox>) {
        let mut present = self.present.lock();
        let joined_after = present.last_event;
        let readers = &mut present.rooms.entry(room.clone()).or_default().readers;
        readers.entry(outbox.client).or_insert_with(|| Reader { outbox: outbox.clone(), joined_after });
    }

    /// Removes a reader from a room. After this returns, the reader gets no more messages of the room.
    pub(super) fn unsubscribe(&self, room: &Room, outbox: &Outbox) {
        let mut present = self.present.lock();
        if let Some(RoomReaders { readers, .. }) = present.rooms.get_mut(room) {
            readers.remove(&outbox.client);
            if readers.is_empty() {
                present.rooms.remove(room);
            }
        }
        drop(present);
        outbox.forget(room);
    }

    /// Whether any of these rooms has a reader.
    pub(super) fn has_readers(&self, rooms: &[Room]) -> bool {
        let present = self.present.lock();
        rooms.iter().any(|room| present.rooms.contains_key(room))
    }

    /// Publishes an event in these rooms. A reader of several of them gets it once.
    pub(super) fn publish(&self, rooms: &[Room], frame: &EncodedMessage) {
        let mut present = self.present.lock();
        let Present { rooms: all, published, published_bytes, last_event } = &mut *present;
        *last_event += 1;
        for room in rooms {
            let Some(readers) = all.get_mut(room) else { continue };
            if readers.published.is_empty() {
                published.push(room.clone());
            }
            readers.published.push((*last_event, frame.clone()));
            *published_bytes += frame.frame(Decimals::Numbers).len();
        }
    }

    /// For the hub, between requests: delivers the published events if there are many. The events of one request are
    /// never delivered apart.
    pub(super) fn deliver_if_many(&self) {
        if self.present.lock().published_bytes >= DELIVER_BYTES {
            self.deliver();
        }
    }

    /// For the hub: queues the published events for their readers, in the order of their numbers.
    pub(super) fn deliver(&self) {
        let mut present = self.present.lock();
        let batches = present.take_batches();
        let mut deliveries = Vec::new();
        for (index, batch) in batches.iter().enumerate() {
            let readers = present.rooms.get(&batch.room).into_iter().flat_map(|room| &room.readers);
            let readers = readers.filter(|(_, reader)| reader.outbox.decimals == batch.decimals);
            deliveries.extend(readers.map(|(client, reader)| Delivery {
                client: *client,
                outbox: &reader.outbox,
                batch: index,
                first: batch.first_after(reader.joined_after),
            }));
        }
        if batches.len() > 1 {
            deliveries.sort_unstable_by_key(|delivery| (delivery.client, delivery.batch));
        }
        // Successive readers mostly are in the same rooms.
        let mut shared: (Vec<(usize, usize)>, Vec<EventRun>) = Default::default();
        for of_reader in deliveries.chunk_by(|one, next| one.client == next.client) {
            let wanted = || of_reader.iter().map(|delivery| (delivery.batch, delivery.first));
            if !shared.0.iter().copied().eq(wanted()) {
                let runs = wanted().map(|(batch, first)| EventRun::from(&batches[batch], first));
                let runs: Vec<EventRun> = runs.filter(|run| !run.is_empty()).collect();
                shared = (wanted().collect(), if runs.len() > 1 { merge(&runs) } else { runs });
            }
            if let [Delivery { outbox, .. }, ..] = of_reader {
                outbox.events(&shared.1);
            }
        }
    }

    /// Sends events to one reader.
    pub(super) fn send_to(&self, room: &Room, outbox: &Outbox, frames: Vec<EncodedMessage>) {
        // Numbers order the events of several rooms, and these are of one.
        let numbered: Vec<(u64, EncodedMessage)> = frames.into_iter().map(|frame| (0, frame)).collect();
        let batch = Arc::new(EventBatch::new(room.clone(), outbox.decimals, &numbered));
        outbox.events(&[EventRun::from(&batch, 0)]);
    }

    /// Sends a snapshot to all readers of a room.
    pub(super) fn publish_snapshot(&self, room: &Room, part: u8, sequence: u64, frame: &EncodedMessage) {
        let present = self.present.lock();
        let slot = Slot { room: room.clone(), part };
        for outbox in present.outboxes(room) {
            outbox.snapshot(&slot, sequence, frame);
        }
    }

    /// Wakes the sessions of a user whose keys or sessions changed.
    pub(super) fn access_changed(&self, user: UserId) {
        let present = self.present.lock();
        present.outboxes(&Room::Access { user }).for_each(Outbox::wake);
    }

    /// Whether every reader's queue is empty and written to its socket.
    pub(super) fn are_written(&self) -> bool {
        let present = self.present.lock();
        present.rooms.keys().all(|room| present.outboxes(room).all(Outbox::is_written))
    }

    /// The number of rooms with readers.
    pub(super) fn len(&self) -> usize {
        self.present.lock().rooms.len()
    }

    /// The books and events that have readers.
    pub(super) fn snapshot_subjects(&self) -> (Vec<(MarketId, Currency)>, Vec<EventId>) {
        let (mut books, mut events) = (Vec::new(), Vec::new());
        for room in self.present.lock().rooms.keys() {
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

    /// The games that have readers.
    pub(super) fn games(&self) -> BTreeSet<GameId> {
        let present = self.present.lock();
        let game = |room: &Room| match room {
            Room::Game { game } => Some(*game),
            _ => None,
        };
        present.rooms.keys().filter_map(game).collect()
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
        let present = self.present.lock();
        for room in present.rooms.keys().filter(|room| is_meant(room)) {
            present.outboxes(room).for_each(|outbox| outbox.end(ending));
        }
    }
}

impl Present {
    /// The published events of each room that still has readers, in each form that a reader wants.
    fn take_batches(&mut self) -> Vec<Arc<EventBatch>> {
        self.published_bytes = 0;
        let mut batches = Vec::new();
        for room in std::mem::take(&mut self.published) {
            let Some(RoomReaders { readers, published }) = self.rooms.get_mut(&room) else { continue };
            let events = std::mem::take(published);
            for decimals in [Decimals::Numbers, Decimals::Strings] {
                let is_wanted = readers.values().any(|reader| reader.outbox.decimals == decimals);
                if is_wanted && !events.is_empty() {
                    batches.push(Arc::new(EventBatch::new(room.clone(), decimals, &events)));
                }
            }
        }
        batches
    }

    fn outboxes(&self, room: &Room) -> impl Iterator<Item = &Outbox> {
        let readers = self.rooms.get(room).into_iter().flat_map(|room| room.readers.values());
        readers.map(|reader| &*reader.outbox)
    }
}

#[cfg(test)]
mod tests {
    use super::super::outgoing::Outgoing;
    use super::*;

    fn room(number: u128) -> Room {
        Room::Activity { event: EventId::new(number), market: None }
    }

    fn reader(client: u64) -> Arc<Outbox> {
        Arc::new(Outbox::new(client, 100, Decimals::Numbers))
    }

    /// The queued messages.
    fn taken(outbox: &Outbox) -> Vec<String> {
        let mut outgoing = Outgoing::default();
        outbox.take(&mut outgoing, usize::MAX).expect("no end");
        outgoing.texts()
    }

    fn publish(rooms: &Rooms, of: &[Room], text: &str) {
        rooms.publish(of, &EncodedMessage::text(text));
    }

    #[test]
    fn events_of_several_rooms_arrive_in_order_and_once_with_each_reader() {
        let rooms = Rooms::default();
        let (one, two, both) = (reader(1), reader(2), reader(3));
        for (outbox, room) in [(&one, room(1)), (&two, room(2)), (&both, room(1)), (&both, room(2))] {
            rooms.subscribe(&room, outbox);
        }
        publish(&rooms, &[room(1)], "a");
        publish(&rooms, &[room(2)], "b");
        publish(&rooms, &[room(1), room(2)], "c");
        publish(&rooms, &[room(3)], "of an empty room");
        publish(&rooms, &[room(1)], "d");
        assert!(taken(&both).is_empty(), "nothing before the delivery");
        rooms.deliver();
        assert_eq!([taken(&one), taken(&two)], [vec!["a", "c", "d"], vec!["b", "c"]]);
        assert_eq!(taken(&both), ["a", "b", "c", "d"]);
        rooms.deliver();
        assert!(taken(&both).is_empty(), "delivered once");
    }

    #[test]
    fn a_reader_gets_only_what_is_published_between_its_joining_and_its_leaving() {
        let rooms = Rooms::default();
        let (early, late) = (reader(1), reader(2));
        rooms.subscribe(&room(1), &early);
        publish(&rooms, &[room(1)], "before");
        rooms.subscribe(&room(1), &late);
        publish(&rooms, &[room(1)], "after");
        // A repeated subscription changes nothing.
        rooms.subscribe(&room(1), &early);
        rooms.deliver();
        assert_eq!(taken(&early), ["before", "after"]);
        assert_eq!(taken(&late), ["after"]);
        publish(&rooms, &[room(1)], "for both");
        rooms.unsubscribe(&room(1), &late);
        rooms.deliver();
        assert_eq!((taken(&early), taken(&late)), (vec!["for both".to_owned()], vec![]));
        publish(&rooms, &[room(1)], "for nobody");
        rooms.unsubscribe(&room(1), &early);
        rooms.subscribe(&room(1), &late);
        publish(&rooms, &[room(1)], "for the late");
        rooms.deliver();
        assert_eq!((taken(&early), taken(&late)), (vec![], vec!["for the late".to_owned()]));
    }

    #[test]
    fn many_events_are_delivered_before_the_turn_ends() {
        let rooms = Rooms::default();
        let outbox = reader(1);
        rooms.subscribe(&room(1), &outbox);
        publish(&rooms, &[room(1)], &"x".repeat(DELIVER_BYTES / 2));
        rooms.deliver_if_many();
        assert!(taken(&outbox).is_empty());
        publish(&rooms, &[room(1)], &"y".repeat(DELIVER_BYTES / 2));
        rooms.deliver_if_many();
        assert_eq!(taken(&outbox).len(), 2);
    }
}
