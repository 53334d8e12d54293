//! Streams: what happens, sent over WebSocket to those who subscribed.
//!
//! The apply thread notes changes (`tap`) and never waits; one thread (`hub`) turns them into messages (`composing`), each
//! written once for all readers of a room (`rooms`); `changes` are rooms that can be resumed; each reader has a bounded queue
//! (`outbox`) and a task (`session`) that empties it into a socket. `asking` reads what a client wants, `access` who it is,
//! `upgrading` lets it in, `metering` counts what it sends, `disconnecting` cancels what rests when it goes.

mod access;
mod asking;
mod changes;
mod composing;
mod disconnecting;
mod hub;
mod metering;
mod outbox;
mod room;
mod rooms;
mod session;
mod settings;
mod tap;
mod upgrading;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use api::query::ChangesQuery;
use exchange::Shelf;
use exchange::id::{MarketId, UserId};
use exchange::numbers::Currency;
use parking_lot::Mutex;

pub(crate) use changes::{ChangesPage, NoChanges};
pub use disconnecting::NodeMark;
pub(crate) use disconnecting::end_lost;
pub use hub::Hub;
pub use room::{channels_of, path_of};
pub use settings::StreamSettings;
pub use tap::Tap;
pub use upgrading::{MESSAGE_BYTES_MAX, router};

use crate::limits::Network;
use crate::state::Shared;
use changes::Changes;
use room::Room;
use rooms::Rooms;
use tap::Link;

/// What sessions share, and what lets them in.
#[derive(Debug)]
pub struct Streams {
    mark: NodeMark,
    settings: Arc<OnceLock<StreamSettings>>,
    rooms: Arc<Rooms>,
    changes: Arc<Changes>,
    link: Arc<Link>,
    /// Open connections of each network.
    networks: Mutex<HashMap<Network, u32>>,
    clients: AtomicU64,
    /// Connections that were ended because they read too slowly.
    dropped: AtomicU64,
}

/// Why a connection is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turned {
    /// Its network has as many as it may.
    TooMany,
    /// All networks together have as many as there may be.
    Full,
    /// The hub is gone: a reader would wait for ever.
    Silent,
}

impl Streams {
    /// The three parts: for the handlers, for the apply thread, and the thread that composes. The thread ends when the tap
    /// is dropped.
    pub fn start(shared: &Arc<Shared>, mark: NodeMark) -> (Streams, Tap, Hub) {
        let rooms = Arc::new(Rooms::default());
        let link = Arc::new(Link::default());
        let (tap, batches) = tap::tap(link.clone());
        let settings = Arc::new(OnceLock::new());
        let changes = Changes::new(shared.clone(), rooms.clone(), link.watched.clone(), settings.clone());
        let changes = Arc::new(changes);
        let hub = Hub::start(shared.clone(), rooms.clone(), changes.clone(), link.clone(), batches);
        let streams = Streams {
            mark,
            settings,
            rooms,
            changes,
            link,
            networks: Mutex::default(),
            clients: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        };
        (streams, tap, hub)
    }

    /// Says once how streams are served, before anything is. False: it was said before, and that stands.
    pub fn configure(&self, settings: StreamSettings) -> bool {
        self.settings.set(settings).is_ok()
    }

    fn settings(&self) -> &StreamSettings {
        self.settings.get_or_init(StreamSettings::default)
    }

    /// Open connections.
    pub fn connections(&self) -> u64 {
        self.link.readers.load(Ordering::Relaxed)
    }

    /// Rooms that somebody is in.
    pub fn rooms(&self) -> usize {
        self.rooms.len()
    }

    /// Rooms of `changes` that are kept, read or not.
    pub fn kept_rooms(&self) -> usize {
        self.changes.len()
    }

    /// Connections that were ended because they read too slowly.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// What somebody misses of a market who has everything up to a sequence. A retired market is on the shelf.
    pub(crate) async fn market_changes(
        &self,
        market: MarketId,
        currency: Currency,
        shelf: &Shelf,
        query: &ChangesQuery,
        is_over: impl Fn() -> bool,
    ) -> Result<ChangesPage, NoChanges> {
        self.changes.read(&Room::MarketChanges { market, currency }, shelf, query, is_over).await
    }

    /// The same of an account.
    pub(crate) async fn account_changes(
        &self,
        user: UserId,
        query: &ChangesQuery,
        is_over: impl Fn() -> bool,
    ) -> Result<ChangesPage, NoChanges> {
        self.changes.read(&Room::AccountChanges { user }, &Shelf::empty(), query, is_over).await
    }

    fn admit(self: &Arc<Streams>, network: Network) -> Result<Admitted, Turned> {
        if self.link.is_silent() {
            return Err(Turned::Silent);
        }
        let mut networks = self.networks.lock();
        let open = networks.get(&network).copied().unwrap_or_default();
        if open >= self.settings().connections_per_network_max {
            return Err(Turned::TooMany);
        }
        if self.connections() >= self.settings().connections_max {
            return Err(Turned::Full);
        }
        networks.insert(network, open + 1);
        // Before the greeting: whatever is applied after it is noted.
        self.link.readers.fetch_add(1, Ordering::SeqCst);
        Ok(Admitted { streams: self.clone(), network })
    }
}

/// A connection's place. Dropping it gives the place back.
#[derive(Debug)]
struct Admitted {
    streams: Arc<Streams>,
    network: Network,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.streams.link.readers.fetch_sub(1, Ordering::SeqCst);
        let mut networks = self.streams.networks.lock();
        if let Some(open) = networks.get_mut(&self.network) {
            *open -= 1;
            if *open == 0 {
                networks.remove(&self.network);
            }
        }
    }
}
