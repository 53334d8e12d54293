//! The thread between the apply thread and the readers: sends events in order, then snapshots of books and prices.
//!
//! Books and prices are read after the changes that touched them, so several changes cost one read and one message.
//! Missed changes are never hidden: books and prices are sent again, and readers of events are disconnected.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use api::response::Book;
use api::stream::{GameUpdateData, PriceUpdateData};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use exchange::Shelf;
use exchange::catalogue::{Engine, RetiredEvent};
use exchange::change::{Change, Party, Trade};
use exchange::id::{EventId, GameId, MarketId, OrderId};
use exchange::numbers::Currency;
use exchange::order::ReportedOrder;

use super::changes::Changes;
use super::composing;
use super::frames::EncodedMessage;
use super::outbox::Ending;
use super::room::Room;
use super::rooms::Rooms;
use super::tap::{StreamUpdate, TapState, UpdateBatch};
use crate::pipeline::state::Shared;
use crate::view::stream::event_of;

/// The maximum number of groups processed before books and prices are read.
const BATCHES_AT_ONCE: usize = 64;
/// How soon missed changes are handled when nothing else happens.
const POLL_EVERY: Duration = Duration::from_secs(1);

const MISSED: Ending = Ending { code: 1013, reason: "updates were missed: connect again and read the state" };
const HUB_ENDED: Ending = Ending { code: 1011, reason: "the streams have failed" };

/// The hub's thread.
#[derive(Debug)]
pub struct Hub(JoinHandle<()>);

impl Hub {
    pub(super) fn start(
        shared: Arc<Shared>,
        rooms: Arc<Rooms>,
        changes: Arc<Changes>,
        tap_state: Arc<TapState>,
        batches: Receiver<UpdateBatch>,
    ) -> Hub {
        let work = move || {
            // However the thread ends, no reader must wait for messages that will not come.
            let _end_on_drop = EndOnDrop { rooms: rooms.clone(), tap_state: tap_state.clone() };
            Publisher::new(shared, rooms, changes).run(&batches, &tap_state);
        };
        let thread = thread::Builder::new().name("streams".to_owned()).spawn(work);
        Hub(thread.unwrap_or_else(|error| panic!("cannot spawn the streams thread: {error}")))
    }

    /// Waits for the thread, which ends when the tap is dropped.
    pub fn join(self) {
        if self.0.join().is_err() {
            tracing::error!("the streams thread panicked");
        }
    }
}

struct EndOnDrop {
    rooms: Arc<Rooms>,
    tap_state: Arc<TapState>,
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.tap_state.mark_ended();
        self.rooms.end_all(HUB_ENDED);
    }
}

struct Publisher {
    shared: Arc<Shared>,
    rooms: Arc<Rooms>,
    changes: Arc<Changes>,
    stale: StaleSubjects,
    /// The last snapshots sent, to skip unchanged ones.
    books: HashMap<(MarketId, Currency), Book>,
    prices: HashMap<EventId, PriceUpdateData>,
    games: HashMap<GameId, GameUpdateData>,
    /// An empty shelf: retired events no longer change.
    nothing: Shelf,
}

/// Books and events that must be read again.
#[derive(Debug, Default)]
struct StaleSubjects {
    books: BTreeSet<(MarketId, Currency)>,
    events: BTreeSet<EventId>,
    /// Some game may have changed.
    games: bool,
}

impl Publisher {
    fn new(shared: Arc<Shared>, rooms: Arc<Rooms>, changes: Arc<Changes>) -> Publisher {
        let nothing = Shelf::empty();
        Publisher {
            shared,
            rooms,
            changes,
            stale: StaleSubjects::default(),
            books: HashMap::new(),
            prices: HashMap::new(),
            games: HashMap::new(),
            nothing,
        }
    }

    fn run(&mut self, batches: &Receiver<UpdateBatch>, tap_state: &TapState) {
        let mut last_heartbeat = Instant::now();
        loop {
            let heartbeat_every = self.changes.heartbeat_every().min(POLL_EVERY);
            let mut groups = 0;
            match batches.recv_timeout(heartbeat_every) {
                Ok(first) => {
                    for batch in std::iter::once(first).chain(batches.try_iter().take(BATCHES_AT_ONCE)) {
                        // Readers are disconnected before they see a group that follows the gap.
                        self.recover_if(tap_state.take_missed());
                        for update in &batch.updates {
                            self.publish(update);
                            self.rooms.deliver_if_many();
                        }
                        self.changes.set_head(batch.head);
                        groups += 1;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.recover_if(tap_state.take_missed());
            // Before the snapshots, which include these events.
            self.rooms.deliver();
            self.publish_stale();
            tap_state.note_published(groups);
            if last_heartbeat.elapsed() >= heartbeat_every {
                last_heartbeat = Instant::now();
                self.changes.send_heartbeats();
                self.rooms.deliver();
            }
        }
    }

    fn publish(&mut self, update: &StreamUpdate) {
        self.changes.publish(update);
        for change in &update.changes {
            match change {
                Change::Order { record, cause } => {
                    self.stale.books.insert((record.market, record.currency));
                    self.stale.events.insert(record.instrument.event);
                    let room = [Room::Orders { user: record.user, market: record.market }];
                    if self.rooms.has_readers(&room) {
                        let (sequence, at) = (update.sequence, update.at);
                        let frame = composing::order_updated(sequence, at, record, *cause);
                        self.rooms.publish(&room, &frame);
                    }
                    self.publish_pool_fill(update, record);
                }
                Change::Trade(trade) => {
                    for party in [&trade.taker, &trade.maker] {
                        self.publish_fill(update, trade, party);
                    }
                }
                // The order that moved a pool is reported just before.
                Change::PoolMoved { .. } => {}
                Change::PoolSeeded { market, currency, .. } => self.mark_stale(*market, *currency),
                Change::MarketStatus { market, .. } => {
                    for currency in Currency::ALL {
                        self.mark_stale(*market, currency);
                    }
                }
                Change::EventStatus { event, .. } | Change::EventEdited { event } => {
                    self.stale.events.insert(*event);
                }
                Change::PriceRecorded { symbol, value, source_time } => {
                    let room = Room::AssetPrices { symbol: symbol.clone() };
                    let (sequence, at) = (update.sequence, update.at);
                    let frame = composing::asset_price(sequence, at, symbol, *value, *source_time);
                    self.rooms.publish_snapshot(&room, 0, sequence, &frame);
                }
                Change::SportsImported => self.stale.games = true,
                Change::AccessChanged { user } => self.rooms.access_changed(*user),
                Change::EventRetired(retired) => self.forget(retired),
                _ => {}
            }
        }
    }

    fn mark_stale(&mut self, market: MarketId, currency: Currency) {
        self.stale.books.insert((market, currency));
        // A market that has retired since shows no price any more.
        let event = event_of(&self.shared.read(), market).map(|event| event.id);
        self.stale.events.extend(event);
    }

    /// Drops the caches of a retired event.
    fn forget(&mut self, retired: &RetiredEvent) {
        self.prices.remove(&retired.event.id);
        for market in &retired.markets {
            for currency in Currency::ALL {
                self.books.remove(&(market.market.id, currency));
            }
        }
    }

    fn publish_frame(&self, rooms: &[Room], frame: Option<&EncodedMessage>) {
        match frame {
            Some(frame) => self.rooms.publish(rooms, frame),
            None => tracing::warn!("dropped a message: the streams lag behind, and its market has retired"),
        }
    }

    /// Sends a trade in a book to the followers of one party.
    fn publish_fill(&self, update: &StreamUpdate, trade: &Trade, party: &Party) {
        let Some(order) = order_in(update, party.order) else { return };
        let rooms = rooms_of_fill(order);
        if self.rooms.has_readers(&rooms) {
            let frame = composing::fill(&self.shared, update.sequence, update.at, trade, party, order);
            self.publish_frame(&rooms, frame.as_ref());
        }
    }

    /// An order against a pool is placed and filled at once, without a `Trade`.
    fn publish_pool_fill(&self, update: &StreamUpdate, order: &ReportedOrder) {
        let rooms = rooms_of_fill(order);
        if order.instrument.engine == Engine::Amm && self.rooms.has_readers(&rooms) {
            let frame = composing::pool_fill(&self.shared, update.sequence, update.at, order);
            self.publish_frame(&rooms, frame.as_ref());
        }
    }

    /// Sends the touched books and prices that changed, if they have readers.
    fn publish_stale(&mut self) {
        let StaleSubjects { books, events, games } = std::mem::take(&mut self.stale);
        for (market, currency) in books {
            self.publish_book(market, currency);
        }
        for event in events {
            self.publish_prices(event);
        }
        if games {
            self.publish_games();
        }
    }

    fn publish_book(&mut self, market: MarketId, currency: Currency) {
        let mut rooms = vec![Room::Orderbook { market, currency: Some(currency) }];
        if currency == Currency::Usd {
            rooms.push(Room::Orderbook { market, currency: None });
        }
        if !self.rooms.has_readers(&rooms) {
            self.books.remove(&(market, currency));
            return;
        }
        let Some(seen) = composing::read_books(&self.shared, &self.nothing, market, currency) else {
            return;
        };
        // Ignore the timestamp, which always differs. NO mirrors YES, so comparing YES is enough.
        let shown = self.books.get(&(market, currency));
        let [yes, _] = &seen.state;
        if shown.is_some_and(|shown| Book { timestamp: shown.timestamp, ..yes.clone() } == *shown) {
            return;
        }
        self.books.insert((market, currency), yes.clone());
        let (sequence, frames) = composing::books(seen, currency);
        for room in &rooms {
            for (part, frame) in (0..).zip(&frames) {
                self.rooms.publish_snapshot(room, part, sequence, frame);
            }
        }
    }

    fn publish_prices(&mut self, event: EventId) {
        let room = Room::Prices { event };
        if !self.rooms.has_readers(std::slice::from_ref(&room)) {
            self.prices.remove(&event);
            return;
        }
        let Some(seen) = composing::read_prices(&self.shared, &self.nothing, event) else { return };
        if self.prices.get(&event) != Some(&seen.state) {
            self.rooms.publish_snapshot(&room, 0, seen.sequence, &composing::prices(&seen));
            self.prices.insert(event, seen.state);
        }
    }

    /// Sends the games that changed, of those that have readers.
    fn publish_games(&mut self) {
        let watched = self.rooms.games();
        self.games.retain(|game, _| watched.contains(game));
        for game in watched {
            let Some(seen) = composing::read_game(&self.shared, game) else { continue };
            if self.games.get(&game) != Some(&seen.state) {
                let room = Room::Game { game };
                self.rooms.publish_snapshot(&room, 0, seen.sequence, &composing::game(&seen));
                self.games.insert(game, seen.state);
            }
        }
    }

    /// Handles missed changes, whose content is unknown.
    fn recover_if(&mut self, has_missed: bool) {
        if !has_missed {
            return;
        }
        tracing::warn!("the streams were too far behind: disconnecting readers of events");
        // First, so that new readers get a room that is complete again.
        self.changes.close_all();
        self.rooms.end_readers_of_events(MISSED);
        let (books, events) = self.rooms.snapshot_subjects();
        self.books.clear();
        self.prices.clear();
        self.stale.books.extend(books);
        self.stale.events.extend(events);
        self.games.clear();
        self.stale.games = true;
    }
}

/// The rooms that get the fills of an order.
fn rooms_of_fill(order: &ReportedOrder) -> [Room; 3] {
    let (event, market) = (order.instrument.event, order.market);
    [
        Room::Activity { event, market: None },
        Room::Activity { event, market: Some(market) },
        Room::UserTrades { user: order.user },
    ]
}

/// An order's state after the request that traded it. The request reports both parties' orders.
fn order_in(update: &StreamUpdate, id: OrderId) -> Option<&ReportedOrder> {
    update.changes.iter().find_map(|change| match change {
        Change::Order { record, .. } if record.terms.id == id => Some(record),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use api::json::Decimals;
    use exchange::Exchange;
    use exchange::id::UserId;

    use super::super::outbox::Outbox;
    use super::super::{ConnectionRefusal, NodeMark, Streams};
    use super::*;
    use crate::limits::Network;

    fn outbox(client: u64) -> Arc<Outbox> {
        Arc::new(Outbox::new(client, 10, Decimals::Numbers))
    }

    #[test]
    fn after_a_gap_readers_of_events_are_ended_and_books_and_prices_are_shown_anew() {
        let rooms = Arc::new(Rooms::default());
        let (market, event, user) = (MarketId::new(1), EventId::new(2), UserId::new(3));
        let of_events = [
            Room::Activity { event, market: None },
            Room::UserTrades { user },
            Room::Orders { user, market },
            Room::MarketChanges { market, currency: Currency::Usd },
            Room::AccountChanges { user },
        ];
        let of_states = [
            Room::Orderbook { market, currency: Some(Currency::Ngn) },
            Room::Prices { event },
            Room::AssetPrices { symbol: "BTCUSDT".into() },
        ];
        let readers: Vec<_> = (0..)
            .zip(of_events.iter().chain(&of_states))
            .map(|(client, room)| {
                let outbox = outbox(client);
                rooms.subscribe(room, &outbox);
                outbox
            })
            .collect();
        let shared = Arc::new(Shared::new(Exchange::new()));
        let changes = Changes::new(shared.clone(), rooms.clone(), Arc::default(), Arc::default());
        let mut publisher = Publisher::new(shared, rooms, Arc::new(changes));
        publisher.recover_if(false);
        assert!(readers.iter().all(|reader| reader.ending().is_none()));
        publisher.recover_if(true);
        let endings: Vec<_> = readers.iter().map(|reader| reader.ending()).collect();
        let missed = [Some(MISSED); 5];
        assert_eq!(endings, [&missed[..], &[None; 3]].concat());
        assert_eq!(publisher.stale.books, BTreeSet::from([(market, Currency::Ngn)]));
        assert_eq!(publisher.stale.events, BTreeSet::from([event]));
    }

    #[test]
    fn when_the_hub_is_gone_its_readers_are_ended_and_no_more_are_let_in() {
        let (streams, tap, hub) =
            Streams::start(&Arc::new(Shared::new(Exchange::new())), NodeMark::default());
        let (streams, network) = (Arc::new(streams), Network::of(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert!(streams.admit(network).is_ok());
        let reader = outbox(1);
        streams.rooms.subscribe(&Room::Prices { event: EventId::new(1) }, &reader);
        drop(tap);
        hub.join();
        assert_eq!(reader.ending(), Some(HUB_ENDED));
        assert_eq!(streams.admit(network).map(drop), Err(ConnectionRefusal::HubEnded));
    }
}
