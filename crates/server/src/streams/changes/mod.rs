//! The channel `changes`: rooms whose state can be rebuilt from their messages alone, across lost connections and
//! restarts.
//!
//! `watched` copies what a request touched, right after it was applied. The hub passes it on to the rooms, each of
//! which keeps its subject's state and recent deltas (`kept`, `market`, `account`). Stream readers and HTTP clients
//! (`reading`) get the same bytes.

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
use crate::pipeline::state::Shared;
use crate::view;
use crate::view::stream::millis;
use account::AccountStanding;
use kept::{Bounds, Kept, Missing, Standing};

pub(crate) use reading::{ChangesPage, NoChanges};
pub(super) use watched::{Seen, Watched};

/// A shared room. Its subject is read at the first use; once closed, it stays closed.
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
    /// The sequence up to which the hub has reported everything.
    told: watch::Sender<u64>,
    /// Reads that wait for a change.
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

    /// Adds a reader. Its queue gets what it lacks first, then the new messages. Nothing is lost in between, because
    /// the room is locked and the hub cannot send to it.
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

    /// Runs `act` on a locked room. `None` if its subject does not exist, in memory or on the shelf.
    fn within<T>(&self, room: &Room, shelf: &Shelf, act: impl FnOnce(&mut Kept) -> T) -> Option<T> {
        loop {
            let place = self.places.lock().entry(room.clone()).or_default().clone();
            let mut place = place.lock();
            if let Place::New = *place {
                *place = Place::Open(Box::new(self.open(room, shelf)?));
            }
            // Otherwise the room was closed between the two locks; try again with a new one.
            if let Place::Open(kept) = &mut *place {
                kept.used = Instant::now();
                return Some(act(kept));
            }
        }
    }

    /// Reads a room's subject for the first time. It is watched before the read, so that nothing applied after the read
    /// is lost.
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

    /// For the hub: reports one request's changes.
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
        // A room that is not open yet will read a state that includes this request.
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

    /// For the hub: everything up to `head` is reported.
    pub(super) fn reached(&self, head: u64) {
        self.told.send_if_modified(|told| std::mem::replace(told, head) != head);
    }

    /// For the hub, periodically: sends heartbeats in idle rooms and closes unused ones.
    pub(super) fn beat(&self) {
        let (now, told, at) = (Instant::now(), *self.told.borrow(), self.shared.read().now());
        let settings = self.settings();
        let (every, kept_for) = (settings.heartbeat_every, settings.changes_kept_for);
        self.places.lock().retain(|room, place| {
            // The room is in use.
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

    /// For the hub: closes all rooms after unknown changes were missed. They are reopened from the current state.
    pub(super) fn give_up(&self) {
        // While this lock is held, no room can be created again before it is closed here.
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

    /// The interval at which `beat` should be called.
    pub(super) fn beat_every(&self) -> Duration {
        self.settings().heartbeat_every
    }

    /// The settings or their defaults. Does not initialise the cell, which would make a later `configure` fail.
    fn settings(&self) -> Cow<'_, StreamSettings> {
        match self.settings.get() {
            Some(settings) => Cow::Borrowed(settings),
            None => Cow::Owned(StreamSettings::default()),
        }
    }
}

/// The trades of a request in one book.
fn trades(noted: &Noted, market: MarketId, currency: Currency) -> Vec<api::response::Trade> {
    let trade = |change: &Change| match change {
        Change::Trade(trade) if trade.market == market && trade.currency == currency => {
            Some(view::trade::trade(trade, noted.at))
        }
        _ => None,
    };
    noted.changes.iter().filter_map(trade).collect()
}
