//! What every handler has at hand: the writer's door, the live state, keys, limits, the clock.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api::signing::MasterKey;
use exchange::id::KeyId;
use exchange::index::UserIndex;
use exchange::time::Time;

use crate::clock::Clock;
use crate::feeds::Feeds;
use crate::history::History;
use crate::http::in_flight::InFlight;
use crate::http::keyring::Keyring;
use crate::limits::{Buckets, Rate};
use crate::passwords::Passwords;
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

#[derive(Debug)]
pub struct Limits {
    pub read: Buckets<Spender>,
    pub write: Buckets<Spender>,
    pub public: Buckets<IpAddr>,
    pub files: Buckets<IpAddr>,
}

impl Limits {
    pub fn new(rates: Rates) -> Limits {
        Limits {
            read: Buckets::new(rates.read),
            write: Buckets::new(rates.write),
            public: Buckets::new(rates.public),
            files: Buckets::new(rates.public.times(FILES_PER_REQUEST)),
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
    pub in_flight: InFlight,
    pub history: History,
    pub proofs: Arc<Proofs>,
    pub feeds: Feeds,
    pub streams: Arc<Streams>,
    pub web: Web,
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
}

impl App {
    pub fn new(parts: Parts, master: MasterKey, clock: Arc<dyn Clock>, rates: Rates) -> App {
        let Parts { shared, sequencer, history, proofs, streams } = parts;
        App {
            feeds: Feeds::new(shared.clone()),
            shared,
            sequencer,
            clock,
            limits: Limits::new(rates),
            keyring: Keyring::new(master),
            passwords: Passwords::new(),
            in_flight: InFlight::default(),
            history,
            proofs,
            streams: Arc::new(streams),
            web: Web::default(),
            draining: AtomicBool::new(false),
        }
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
