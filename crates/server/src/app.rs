//! What every handler has at hand: the writer's door, the live state, keys, limits, the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use api::signing::MasterKey;
use exchange::id::{KeyId, OperatorId};
use exchange::index::UserIndex;
use exchange::time::Time;

use crate::clock::Clock;
use crate::feeds::Feeds;
use crate::history::History;
use crate::http::admission::Admission;
use crate::http::in_flight::InFlight;
use crate::http::keyring::Keyring;
use crate::limits::{Buckets, Network, Rate};
use crate::nodes::Nodes;
use crate::passwords::Passwords;
use crate::people::{People, Sweeps};
use crate::proofs::Proofs;
use crate::sequencer::Sequencer;
use crate::state::Shared;
use crate::streams::Streams;
use crate::web::Web;

/// Requests per second. Spec, Limits; public ones are ours.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub read: Rate,
    pub write: Rate,
    pub public: Rate,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { read: Rate::per_second(30), write: Rate::per_second(20), public: Rate::per_second(100) }
    }
}

/// Whose bucket a request is charged to: a key has one of its own, all pages of a user share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spender {
    Key(KeyId),
    Pages(UserIndex),
}

/// Files of the page for each request that an address may make of the API. A page is a dozen files, and all of an office
/// opens it behind one address; a file that is refused leaves an empty page that does not ask again.
const FILES_PER_REQUEST: u32 = 10;

/// Requests of one operator, by all of their tokens and sessions together. A script of a hundred commands runs at once.
pub const OPERATOR_RATE: Rate = Rate { per_second: 50, capacity: 200 };
/// Requests of one network to the operators' listener without a token that is known: files of the console, guesses.
pub const OPERATOR_NETWORK_RATE: Rate = Rate::per_second(100);

/// Logins and password resets of a network. Each takes tens of milliseconds of a processor.
pub const PASSWORD_WORK: Rate = Rate { per_second: 2, capacity: 60 };

/// Every bucket of a node. docs/security.md says in one table what each is for and in which order they are charged.
#[derive(Debug)]
pub struct Limits {
    pub public: Buckets<Network>,
    pub files: Buckets<Network>,
    /// Requests that claim an identity, until the claim is verified. A failed claim is not returned.
    pub proofs: Buckets<Network>,
    /// By key and network, because a public key is no secret: a stranger who knows it drains a bucket of their own.
    pub read: Buckets<(Spender, Network)>,
    pub write: Buckets<Spender>,
    /// Apart from other writes, so that a trader who quotes at the limit can still cancel.
    pub cancel: Buckets<Spender>,
    pub operators: Buckets<OperatorId>,
    pub operator_networks: Buckets<Network>,
    pub passwords: Buckets<Network>,
}

impl Limits {
    pub fn new(rates: Rates) -> Limits {
        Limits {
            public: Buckets::new(rates.public),
            files: Buckets::new(rates.public.times(FILES_PER_REQUEST)),
            proofs: Buckets::new(rates.public),
            read: Buckets::new(rates.read),
            write: Buckets::new(rates.write),
            cancel: Buckets::new(rates.write),
            operators: Buckets::new(OPERATOR_RATE),
            operator_networks: Buckets::new(OPERATOR_NETWORK_RATE),
            passwords: Buckets::new(PASSWORD_WORK),
        }
    }
}

#[derive(Debug)]
pub struct App {
    pub shared: Arc<Shared>,
    pub sequencer: Sequencer,
    pub clock: Arc<dyn Clock>,
    pub limits: Limits,
    pub keyring: Keyring,
    pub passwords: Passwords,
    pub people: Arc<People>,
    pub sweeps: Sweeps,
    pub in_flight: InFlight,
    pub history: History,
    pub proofs: Arc<Proofs>,
    pub feeds: Feeds,
    pub streams: Arc<Streams>,
    pub web: Web,
    /// Connections of the public listener, where it has limits.
    connections: OnceLock<Arc<Admission>>,
    /// The other nodes, where the log is shared.
    pub nodes: Option<Arc<Nodes>>,
    draining: AtomicBool,
}

/// What runs already when an `App` is made.
#[derive(Debug)]
pub struct Parts {
    pub shared: Arc<Shared>,
    pub sequencer: Sequencer,
    pub history: History,
    pub proofs: Arc<Proofs>,
    pub streams: Streams,
    pub nodes: Option<Arc<Nodes>>,
    pub people: Arc<People>,
    pub sweeps: Sweeps,
}

impl App {
    pub fn new(parts: Parts, master: MasterKey, clock: Arc<dyn Clock>, rates: Rates) -> App {
        let Parts { shared, sequencer, history, proofs, streams, nodes, people, sweeps } = parts;
        App {
            feeds: Feeds::new(shared.clone()),
            shared,
            sequencer,
            clock,
            limits: Limits::new(rates),
            keyring: Keyring::new(master),
            passwords: Passwords::new(),
            people,
            sweeps,
            in_flight: InFlight::default(),
            history,
            proofs,
            streams: Arc::new(streams),
            nodes,
            web: Web::default(),
            connections: OnceLock::new(),
            draining: AtomicBool::new(false),
        }
    }

    /// Says once which limits the public listener has, for metrics.
    pub fn watch_connections(&self, admission: Arc<Admission>) {
        // The first stands.
        let _ = self.connections.set(admission);
    }

    pub fn connections(&self) -> Option<&Admission> {
        self.connections.get().map(Arc::as_ref)
    }

    /// A stop has begun: nobody should send anything new here, and `/ready` says so.
    pub fn begin_drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// The time as the exchange writes it.
    pub fn now(&self) -> Time {
        Time::from_micros(self.now_micros())
    }

    pub fn now_micros(&self) -> i64 {
        self.clock.now_micros()
    }
}
