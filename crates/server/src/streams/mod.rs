//! Streams: pushes changes over WebSocket to subscribers.
//!
//! The apply thread notes changes (`tap`) and never blocks. One thread (`hub`) turns them into messages (`composing`),
//! each framed once (`frames`) for all readers of a room (`rooms`). `changes` are rooms that can be resumed. Each reader
//! has a bounded queue (`outbox`) of shared `events` and a task (`session`) that writes them to a socket (`outgoing`).
//! `client_request` parses client messages, `access` authenticates, `upgrading` accepts connections, `metering` limits
//! what clients send, `disconnecting` cancels orders when a client disconnects.

mod access;
mod changes;
mod client_request;
mod composing;
mod disconnecting;
mod events;
mod frames;
mod hub;
mod metering;
mod outbox;
mod outgoing;
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
pub(crate) use disconnecting::end_lost;
pub use hub::Hub;
pub(crate) use room::ENDPOINTS;
pub use room::{channels_of, path_of};
pub use settings::StreamSettings;
pub use tap::Tap;
pub use upgrading::{MESSAGE_BYTES_MAX, router};

use crate::limits::Network;
use crate::node_mark::NodeMark;
use crate::pipeline::state::Shared;
use changes::Changes;
use room::Room;
use rooms::Rooms;
use tap::TapState;

/// State that sessions share, and admission of new ones.
#[derive(Debug)]
pub struct Streams {
    mark: NodeMark,
    settings: Arc<OnceLock<StreamSettings>>,
    rooms: Arc<Rooms>,
    changes: Arc<Changes>,
    tap_state: Arc<TapState>,
    /// Open connections per network.
    networks: Mutex<HashMap<Network, u32>>,
    clients: AtomicU64,
    /// Connections closed because they read too slowly.
    dropped: AtomicU64,
    /// Messages given to sockets.
    messages: AtomicU64,
}

/// Why a connection is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionRefusal {
    /// Its network is at its limit.
    TooMany,
    /// The limit of all connections is reached.
    Full,
    /// The hub has ended: a reader would wait forever.
    HubEnded,
}

impl Streams {
    /// Starts the streams. Returns the parts for the handlers, for the apply thread, and the hub's thread, which ends
    /// when the tap is dropped.
    pub fn start(shared: &Arc<Shared>, mark: NodeMark) -> (Streams, Tap, Hub) {
        let rooms = Arc::new(Rooms::default());
        let tap_state = Arc::new(TapState::default());
        let (tap, batches) = tap::tap(tap_state.clone());
        let settings = Arc::new(OnceLock::new());
        let changes =
            Changes::new(shared.clone(), rooms.clone(), tap_state.watched.clone(), settings.clone());
        let changes = Arc::new(changes);
        let hub = Hub::start(shared.clone(), rooms.clone(), changes.clone(), tap_state.clone(), batches);
        let streams = Streams {
            mark,
            settings,
            rooms,
            changes,
            tap_state,
            networks: Mutex::default(),
            clients: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            messages: AtomicU64::new(0),
        };
        (streams, tap, hub)
    }

    /// Sets the settings once, before serving. Returns false if they were already set; the first ones stay.
    pub fn configure(&self, settings: StreamSettings) -> bool {
        self.settings.set(settings).is_ok()
    }

    fn settings(&self) -> &StreamSettings {
        self.settings.get_or_init(StreamSettings::default)
    }

    pub fn connections(&self) -> u64 {
        self.tap_state.readers.load(Ordering::Relaxed)
    }

    /// Whether every message about the requests decided so far is written to its reader's socket.
    pub fn is_settled(&self) -> bool {
        self.tap_state.has_ended() || (self.tap_state.is_published() && self.rooms.are_written())
    }

    /// The number of rooms with readers.
    pub fn rooms(&self) -> usize {
        self.rooms.len()
    }

    /// The number of kept rooms of `changes`, with or without readers.
    pub fn change_logs(&self) -> usize {
        self.changes.len()
    }

    /// Connections closed because they read too slowly.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Messages sent since the start.
    pub fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// Groups of changes that the hub could not take in time. Their readers were disconnected.
    pub fn missed(&self) -> u64 {
        self.tap_state.missed_groups.load(Ordering::Relaxed)
    }

    /// A page of a market's changes after a sequence. A retired market is on the shelf.
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

    /// A page of an account's changes after a sequence.
    pub(crate) async fn account_changes(
        &self,
        user: UserId,
        query: &ChangesQuery,
        is_over: impl Fn() -> bool,
    ) -> Result<ChangesPage, NoChanges> {
        self.changes.read(&Room::AccountChanges { user }, &Shelf::empty(), query, is_over).await
    }

    fn admit(self: &Arc<Streams>, network: Network) -> Result<Admitted, ConnectionRefusal> {
        if self.tap_state.has_ended() {
            return Err(ConnectionRefusal::HubEnded);
        }
        let mut networks = self.networks.lock();
        let open = networks.get(&network).copied().unwrap_or_default();
        if open >= self.settings().connections_per_network_max {
            return Err(ConnectionRefusal::TooMany);
        }
        if self.connections() >= self.settings().connections_max {
            return Err(ConnectionRefusal::Full);
        }
        networks.insert(network, open + 1);
        // Counted before the greeting, so that everything applied after it is noted.
        self.tap_state.readers.fetch_add(1, Ordering::SeqCst);
        Ok(Admitted { streams: self.clone(), network })
    }
}

/// A connection's place, released on drop.
#[derive(Debug)]
struct Admitted {
    streams: Arc<Streams>,
    network: Network,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.streams.tap_state.readers.fetch_sub(1, Ordering::SeqCst);
        let mut networks = self.streams.networks.lock();
        if let Some(open) = networks.get_mut(&self.network) {
            *open -= 1;
            if *open == 0 {
                networks.remove(&self.network);
            }
        }
    }
}
