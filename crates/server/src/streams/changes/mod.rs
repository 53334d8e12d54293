//! The channel `changes`: rooms that can be rebuilt from what they send alone, through cuts and restarts.
//!
//! `watched` copies what a request touched while the state is exactly that; the hub brings it here, where each room keeps
//! how its subject stands and the deltas of a while (`kept`, `market`, `account`). Readers of a room, and those who ask over
//! HTTP, get the same bytes (`reading`).

mod account;
mod kept;
mod market;
mod reading;
mod watched;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use api::stream::Heartbeat;
use exchange::change::Change;
use exchange::id::MarketId;
use exchange::numbers::Currency;
use exchange::time::Time;
use exchange::{Exchange, Shelf};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::composing;
use super::outbox::{Frame, Outbox};
use super::room::Room;
use super::rooms::Rooms;
use super::settings::StreamSettings;
use super::tap::Noted;
use crate::state::Shared;
use crate::view;
use crate::view::stream::millis;
use account::AccountStanding;
use kept::{Bounds, Kept, Missing, Standing};

pub(crate) use reading::{ChangesPage, NoChanges};
pub(super) use watched::{Seen, Watched};

/// A room as its holders share it. It is looked at when somebody wants it first, and closed for good.
#[derive(Debug, Default)]
enum Place {
    #[default]
    New,
    Open(Box<Kept>),
    Closed,
}

#[derive(Debug)]
pub(super) struct Changes {
    shared: Arc<Shared>,
    rooms: Arc<Rooms>,
    watched: Arc<Watched>,
    settings: Arc<OnceLock<StreamSettings>>,
    places: Mutex<HashMap<Room, Arc<Mutex<Place>>>>,
    /// Bytes of the deltas that all rooms keep.
    bytes: AtomicUsize,
    /// Up to where the hub has told everything.
    told: watch::Sender<u64>,
    /// Reads that wait for something to change.
    waiting: AtomicUsize,
}

impl Changes {
    pub(super) fn new(
        shared: Arc<Shared>,
        rooms: Arc<Rooms>,
        watched: Arc<Watched>,
        settings: Arc<OnceLock<StreamSettings>>,
    ) -> Changes {
        Changes {
            shared,
            rooms,
            watched,
            settings,
            places: Mutex::default(),
            bytes: AtomicUsize::new(0),
            told: watch::Sender::new(0),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Lets a reader in. What it misses goes into its queue first, then whatever comes; nothing is lost in between, since
    /// the hub tells nothing in this room meanwhile.
    pub(super) fn join(&self, room: &Room, outbox: &Arc<Outbox>, resume_from: Option<u64>, shelf: &Shelf) {
        self.within(room, shelf, |kept| {
            match kept.missing(resume_from, *self.told.borrow(), outbox.vacancy() / 2) {
                Missing::Everything(frame) => self.rooms.tell_one(room, outbox, &frame),
                Missing::Deltas(deltas) => {
                    deltas.iter().for_each(|(_, frame)| self.rooms.tell_one(room, outbox, frame));
                }
            }
            self.rooms.join(room, outbox);
        });
    }

    /// Does something with a room while nothing happens in it. None if its subject does not exist, in memory or on the
    /// shelf.
    fn within<T>(&self, room: &Room, shelf: &Shelf, act: impl FnOnce(&mut Kept) -> T) -> Option<T> {
        loop {
            let place = self.places.lock().entry(room.clone()).or_default().clone();
            let mut place = place.lock();
            if let Place::New = *place {
                *place = Place::Open(Box::new(self.open(room, shelf)?));
            }
            // Otherwise it was given up between the two locks, and another is made.
            if let Place::Open(kept) = &mut *place {
                kept.used = Instant::now();
                return Some(act(kept));
            }
        }
    }

    /// Looks at a room's subject for the first time. It is watched before: whatever is applied after the look is noted.
    fn open(&self, room: &Room, shelf: &Shelf) -> Option<Kept> {
        self.watched.add(room);
        let exchange = self.shared.read();
        let standing = match room {
            Room::MarketChanges { market, currency } => {
                let standing = |exchange: &Exchange| {
                    let index = exchange.catalogue().find_market(*market)?;
                    Some(view::changes::market(exchange, index, *currency))
                };
                Standing::Market(Box::new(standing(&exchange).or_else(|| standing(shelf))?))
            }
            Room::AccountChanges { user } => Standing::Account(AccountStanding::look(&exchange, *user)?),
            _ => return None,
        };
        Some(Kept::new(room.to_string(), standing, exchange.seq(), exchange.now()))
    }

    /// The hub's: what one request changed.
    pub(super) fn tell(&self, noted: &Noted) {
        for seen in &noted.seen.markets {
            let (market, currency) = (seen.market, seen.currency);
            self.advance(&Room::MarketChanges { market, currency }, noted, |kept| {
                let Standing::Market(before) = &mut kept.standing else { return None };
                let trades = trades(noted, market, currency);
                let changes = market::since(before, &seen.standing, trades)?;
                **before = seen.standing.clone();
                Some(kept.tell(noted.sequence, noted.at, &changes))
            });
        }
        for seen in &noted.seen.accounts {
            self.advance(&Room::AccountChanges { user: seen.user }, noted, |kept| {
                let Standing::Account(standing) = &mut kept.standing else { return None };
                let changes = standing.advance(&self.shared, &noted.changes, seen)?;
                Some(kept.tell(noted.sequence, noted.at, &changes))
            });
        }
    }

    fn advance(&self, room: &Room, noted: &Noted, tell: impl FnOnce(&mut Kept) -> Option<Frame>) {
        let Some(place) = self.places.lock().get(room).cloned() else { return };
        let mut place = place.lock();
        // Whoever looks first looks later than this was applied, or has done so already.
        let Place::Open(kept) = &mut *place else { return };
        if noted.sequence <= kept.last {
            return;
        }
        let before = kept.bytes;
        if let Some(frame) = tell(kept) {
            self.rooms.tell(std::slice::from_ref(room), &frame);
            let others = self.bytes.load(Ordering::Relaxed) - before;
            let settings = self.settings();
            let bounds = Bounds { deltas: settings.changes_kept_max, bytes: settings.changes_kept_bytes_max };
            let over = (others + kept.bytes).saturating_sub(settings.changes_kept_bytes_total_max);
            kept.trim(bounds, over);
            self.bytes.store(others + kept.bytes, Ordering::Relaxed);
        }
    }

    /// The hub's: everything up to here is told.
    pub(super) fn reached(&self, head: u64) {
        self.told.send_if_modified(|told| std::mem::replace(told, head) != head);
    }

    /// The hub's, now and then: says in rooms that were silent how far they are, and gives up those nobody wants.
    pub(super) fn beat(&self) {
        let (now, told, at) = (Instant::now(), *self.told.borrow(), self.shared.read().now());
        let settings = self.settings();
        let (every, kept_for) = (settings.heartbeat_every, settings.changes_kept_for);
        self.places.lock().retain(|room, place| {
            // Somebody is in it.
            let Some(mut place) = place.try_lock() else { return true };
            if self.rooms.is_read(std::slice::from_ref(room)) {
                if let Place::Open(kept) = &mut *place {
                    self.beat_in(room, kept, told, at, every);
                }
                return true;
            }
            let is_wanted = matches!(&*place, Place::Open(kept) if now.duration_since(kept.used) < kept_for);
            if !is_wanted {
                self.close(room, &mut place);
            }
            is_wanted
        });
    }

    fn beat_in(&self, room: &Room, kept: &mut Kept, told: u64, at: Time, every: Duration) {
        let now = Instant::now();
        kept.used = now;
        if now.duration_since(kept.told) >= every {
            kept.told = now;
            let name = room.to_string();
            let (sequence, head) = (kept.last, kept.head(told));
            let beat = Heartbeat { room: &name, sequence, head, timestamp: millis(at) };
            self.rooms.tell(std::slice::from_ref(room), &composing::frame(&beat));
        }
    }

    /// The hub's: something was missed, nobody knows what. All rooms begin anew.
    pub(super) fn give_up(&self) {
        // Under this lock nobody makes a room anew that is closed here.
        let mut places = self.places.lock();
        for (room, place) in places.drain() {
            self.close(&room, &mut place.lock());
        }
    }

    fn close(&self, room: &Room, place: &mut Place) {
        if let Place::Open(kept) = std::mem::replace(place, Place::Closed) {
            self.bytes.fetch_sub(kept.bytes, Ordering::Relaxed);
        }
        self.watched.remove(room);
    }

    pub(super) fn len(&self) -> usize {
        self.places.lock().len()
    }

    /// How often `beat` is wanted.
    pub(super) fn beat_every(&self) -> Duration {
        self.settings().heartbeat_every
    }

    /// As they are; asking for them here must not settle them for those who configure.
    fn settings(&self) -> Cow<'_, StreamSettings> {
        match self.settings.get() {
            Some(settings) => Cow::Borrowed(settings),
            None => Cow::Owned(StreamSettings::default()),
        }
    }
}

/// What a request traded in one book.
fn trades(noted: &Noted, market: MarketId, currency: Currency) -> Vec<api::response::Trade> {
    let trade = |change: &Change| match change {
        Change::Trade(trade) if trade.market == market && trade.currency == currency => {
            Some(view::trade::trade(trade, noted.at))
        }
        _ => None,
    };
    noted.changes.iter().filter_map(trade).collect()
}
