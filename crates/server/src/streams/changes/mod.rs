//! The channel `changes`: rooms whose state can be rebuilt from their messages alone, across lost connections and
//! restarts.
//!
//! `watched` copies what a request touched, right after it was applied. The hub passes it on to the rooms, each of
//! which keeps its subject's state and recent deltas (`change_log`, `market`, `account`). `account_reading` reads an
//! account when its room opens. Stream readers and HTTP clients (`reading`) get the same bytes.

mod account;
mod account_reading;
mod change_log;
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

use super::frames::EncodedMessage;
use super::outbox::Outbox;
use super::room::Room;
use super::rooms::Rooms;
use super::settings::StreamSettings;
use super::tap::StreamUpdate;
use crate::pipeline::state::Shared;
use crate::view;
use crate::view::stream::millis;
use change_log::{Bounds, CatchUp, ChangeLog, SubjectState};

pub(crate) use reading::{ChangesPage, NoChanges};
pub(super) use watched::{TouchedStates, Watched};

/// A shared room. Its subject is read at the first use; once closed, it stays closed.
#[derive(Debug, Default)]
enum RoomState {
    #[default]
    New,
    Open(Box<ChangeLog>),
    Closed,
}

#[derive(Debug)]
pub(super) struct Changes {
    shared: Arc<Shared>,
    rooms: Arc<Rooms>,
    watched: Arc<Watched>,
    settings: Arc<OnceLock<StreamSettings>>,
    states: Mutex<HashMap<Room, Arc<Mutex<RoomState>>>>,
    /// Bytes of the deltas that all rooms keep.
    bytes: AtomicUsize,
    /// The sequence up to which the hub has reported everything.
    published: watch::Sender<u64>,
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
            states: Mutex::default(),
            bytes: AtomicUsize::new(0),
            published: watch::Sender::new(0),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Adds a reader. Its queue gets what it lacks first, then the new messages. Nothing is lost in between, because
    /// the room is locked and the hub cannot send to it.
    pub(super) fn subscribe(
        &self,
        room: &Room,
        outbox: &Arc<Outbox>,
        resume_from: Option<u64>,
        shelf: &Shelf,
    ) {
        self.with_log(room, shelf, |log| {
            let missing = match log.catch_up(resume_from, *self.published.borrow(), outbox.vacancy() / 2) {
                CatchUp::Snapshot(frame) => vec![frame],
                CatchUp::Deltas(deltas) => deltas.into_iter().map(|(_, frame)| frame).collect(),
            };
            self.rooms.send_to(room, outbox, missing);
            self.rooms.subscribe(room, outbox);
        });
    }

    /// Runs `act` on a locked room. `None` if its subject does not exist, in memory or on the shelf.
    fn with_log<T>(&self, room: &Room, shelf: &Shelf, act: impl FnOnce(&mut ChangeLog) -> T) -> Option<T> {
        loop {
            let state = self.states.lock().entry(room.clone()).or_default().clone();
            let mut state = state.lock();
            if let RoomState::New = *state {
                *state = RoomState::Open(Box::new(self.open(room, shelf)?));
            }
            // Otherwise the room was closed between the two locks; try again with a new one.
            if let RoomState::Open(log) = &mut *state {
                log.used = Instant::now();
                return Some(act(log));
            }
        }
    }

    /// Reads a room's subject for the first time. It is watched before the read, so that nothing applied after the read
    /// is lost.
    fn open(&self, room: &Room, shelf: &Shelf) -> Option<ChangeLog> {
        self.watched.add(room);
        let (subject_state, seq, now) = match room {
            Room::MarketChanges { market, currency } => {
                let subject_state = |exchange: &Exchange| {
                    let index = exchange.catalogue().find_market(*market)?;
                    Some(view::changes::market(exchange, index, *currency))
                };
                let exchange = self.shared.read();
                let state = subject_state(&exchange).or_else(|| subject_state(shelf))?;
                (SubjectState::Market(Box::new(state)), exchange.seq(), exchange.now())
            }
            Room::AccountChanges { user } => {
                let of_sequence = |exchange: &Exchange| (exchange.seq(), exchange.now());
                let (state, (seq, now)) =
                    account_reading::read(&self.shared, &self.watched, *user, of_sequence)?;
                (SubjectState::Account(state), seq, now)
            }
            _ => return None,
        };
        Some(ChangeLog::new(room.to_string(), subject_state, seq, now))
    }

    /// For the hub: reports one request's changes.
    pub(super) fn publish(&self, update: &StreamUpdate) {
        for seen in &update.seen.markets {
            let (market, currency) = (seen.market, seen.currency);
            self.advance(&Room::MarketChanges { market, currency }, update, |log| {
                let SubjectState::Market(before) = &mut log.state else { return None };
                let trades = trades(update, market, currency);
                let changes = market::since(before, &seen.state, trades)?;
                **before = seen.state.clone();
                Some(log.append_delta(update.sequence, update.at, changes))
            });
        }
        for seen in &update.seen.accounts {
            self.advance(&Room::AccountChanges { user: seen.user }, update, |log| {
                let SubjectState::Account(subject_state) = &mut log.state else { return None };
                let changes = subject_state.advance(&update.changes, seen)?;
                Some(log.append_delta(update.sequence, update.at, changes))
            });
        }
    }

    fn advance(
        &self,
        room: &Room,
        update: &StreamUpdate,
        append: impl FnOnce(&mut ChangeLog) -> Option<EncodedMessage>,
    ) {
        let Some(state) = self.states.lock().get(room).cloned() else { return };
        let mut state = state.lock();
        // A room that is not open yet will read a state that includes this request.
        let RoomState::Open(log) = &mut *state else { return };
        if update.sequence <= log.last {
            return;
        }
        let before = log.bytes;
        if let Some(frame) = append(log) {
            self.rooms.publish(std::slice::from_ref(room), &frame);
            let others = self.bytes.load(Ordering::Relaxed) - before;
            let settings = self.settings();
            let bounds = Bounds { deltas: settings.changes_kept_max, bytes: settings.changes_kept_bytes_max };
            let over = (others + log.bytes).saturating_sub(settings.changes_kept_bytes_total_max);
            log.trim(bounds, over);
            self.bytes.store(others + log.bytes, Ordering::Relaxed);
        }
    }

    /// For the hub: everything up to `head` is reported.
    pub(super) fn set_head(&self, head: u64) {
        self.published.send_if_modified(|published| std::mem::replace(published, head) != head);
    }

    /// For the hub, periodically: sends heartbeats in idle rooms and closes unused ones.
    pub(super) fn send_heartbeats(&self) {
        let (now, published, at) = (Instant::now(), *self.published.borrow(), self.shared.read().now());
        let settings = self.settings();
        let (every, kept_for) = (settings.heartbeat_every, settings.changes_kept_for);
        self.states.lock().retain(|room, state| {
            // The room is in use.
            let Some(mut state) = state.try_lock() else { return true };
            if self.rooms.has_readers(std::slice::from_ref(room)) {
                if let RoomState::Open(log) = &mut *state {
                    self.send_heartbeat(room, log, published, at, every);
                }
                return true;
            }
            let is_wanted =
                matches!(&*state, RoomState::Open(log) if now.duration_since(log.used) < kept_for);
            if !is_wanted {
                self.close(room, &mut state);
            }
            is_wanted
        });
    }

    fn send_heartbeat(&self, room: &Room, log: &mut ChangeLog, published: u64, at: Time, every: Duration) {
        let now = Instant::now();
        log.used = now;
        if now.duration_since(log.sent_at) >= every {
            log.sent_at = now;
            let name = room.to_string();
            let (sequence, head) = (log.last, log.head(published));
            let beat = Heartbeat { room: &name, sequence, head, timestamp: millis(at) };
            self.rooms.publish(std::slice::from_ref(room), &EncodedMessage::without_decimals(&beat));
        }
    }

    /// For the hub: closes all rooms after unknown changes were missed. They are reopened from the current state.
    pub(super) fn close_all(&self) {
        // While this lock is held, no room can be created again before it is closed here.
        let mut states = self.states.lock();
        for (room, state) in states.drain() {
            self.close(&room, &mut state.lock());
        }
    }

    fn close(&self, room: &Room, state: &mut RoomState) {
        if let RoomState::Open(log) = std::mem::replace(state, RoomState::Closed) {
            self.bytes.fetch_sub(log.bytes, Ordering::Relaxed);
        }
        self.watched.remove(room);
    }

    pub(super) fn len(&self) -> usize {
        self.states.lock().len()
    }

    /// The interval at which `send_heartbeats` should be called.
    pub(super) fn heartbeat_every(&self) -> Duration {
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
fn trades(update: &StreamUpdate, market: MarketId, currency: Currency) -> Vec<api::response::Trade> {
    let trade = |change: &Change| match change {
        Change::Trade(trade) if trade.market == market && trade.currency == currency => {
            Some(view::trade::trade(trade, update.at))
        }
        _ => None,
    };
    update.changes.iter().filter_map(trade).collect()
}
