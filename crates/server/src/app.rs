//! The state that every handler shares: sequencer, live exchange, keys, limits, clock.

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

/// Requests per second. Spec, Limits; the public rate is our own.
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

/// The account of a rate limit: each key has its own bucket, all web sessions of a user share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spender {
    Key(KeyId),
    Pages(UserIndex),
}

/// Page files allowed per API request of an address. A page consists of a dozen files, and a whole office may open it
/// from one address. A page whose file was refused stays empty, because the browser does not retry.
const FILES_PER_REQUEST: u32 = 10;

/// Requests of one operator, over all tokens and sessions. The capacity lets a script of a hundred commands run at
/// once.
pub const OPERATOR_RATE: Rate = Rate { per_second: 50, capacity: 200 };
/// Requests of one network to the operator listener without a valid token: console files, guessed tokens.
pub const OPERATOR_NETWORK_RATE: Rate = Rate::per_second(100);

/// Logins and password resets of one network. Each takes tens of milliseconds of CPU time.
pub const PASSWORD_WORK: Rate = Rate { per_second: 2, capacity: 60 };

/// All rate limit buckets of a node. docs/security.md lists what each one limits and in which order they are charged.
#[derive(Debug)]
pub struct Limits {
    pub public: Buckets<Network>,
    pub files: Buckets<Network>,
    /// Requests that present credentials, charged until the credentials are verified. Failed verifications are not
    /// refunded.
    pub proofs: Buckets<Network>,
    /// By key and network: a public key is no secret, so another client that sends it must drain a bucket of its own.
    pub read: Buckets<(Spender, Network)>,
    pub write: Buckets<Spender>,
    /// Separate from other writes, so that a trader at the write limit can still cancel.
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
    /// Connections of the public listener; set where it has limits.
    connections: OnceLock<Arc<Admission>>,
    /// Set where nodes share the log.
    pub nodes: Option<Arc<Nodes>>,
    draining: AtomicBool,
}

/// The components that already run when an `App` is created.
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

    /// Registers the public listener's admission limits, for metrics.
    pub fn watch_connections(&self, admission: Arc<Admission>) {
        // Only the first call has an effect.
        let _ = self.connections.set(admission);
    }

    pub fn connections(&self) -> Option<&Admission> {
        self.connections.get().map(Arc::as_ref)
    }

    /// Marks the node as stopping: `/ready` then returns 503, so that clients send new requests elsewhere.
    pub fn begin_drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// The current time as an exchange `Time`.
    pub fn now(&self) -> Time {
        Time::from_micros(self.now_micros())
    }

    pub fn now_micros(&self) -> i64 {
        self.clock.now_micros()
    }
}
