//! The state that every handler shares: the services, and the edge's own limits, streams, pages and connections.
//!
//! The tables of endpoints take the services that their functions use from it (`routes/mod.rs`). `http/credentials.rs` adds
//! authentication.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use exchange::time::Time;

use crate::access::Access;
use crate::edge::Tariff;
use crate::feeds::Feeds;
use crate::http::admission::Admission;
use crate::limits::{Limits, Rates};
use crate::nodes::Nodes;
use crate::notifying::Notifying;
use crate::pictures::Pictures;
use crate::pipeline::clock::Clock;
use crate::reading::Reading;
use crate::signals::Signals;
use crate::signals::requests::RequestCounters;
use crate::signals::venue::VenueCounters;
use crate::streams::{self, Streams};
use crate::web::{self, Web};
use crate::writing::Writing;
use crate::{admin::ADMIN_OPERATIONS, routes::OPERATIONS};

#[derive(Debug)]
pub struct App {
    reading: Arc<Reading>,
    writing: Arc<Writing>,
    access: Arc<Access>,
    feeds: Arc<Feeds>,
    pictures: Arc<Pictures>,
    clock: Arc<dyn Clock>,
    venue_clock: Arc<dyn Clock>,
    tariff: Arc<Tariff>,
    streams: Arc<Streams>,
    notifying: Arc<Notifying>,
    web: Web,
    /// Connections of the public listener; set where it has limits.
    connections: OnceLock<Arc<Admission>>,
    /// Set where nodes share the log.
    nodes: Option<Arc<Nodes>>,
    signals: Signals,
    condition: Arc<Condition>,
}

/// The condition of a node, apart from its writer and its history.
#[derive(Debug, Default)]
pub struct Condition {
    draining: AtomicBool,
    disk_low: AtomicBool,
}

impl Condition {
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    pub fn is_disk_low(&self) -> bool {
        self.disk_low.load(Ordering::Acquire)
    }
}

/// The services that already run when an `App` is created.
#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) reading: Arc<Reading>,
    pub(crate) writing: Writing,
    pub(crate) access: Access,
    pub(crate) feeds: Feeds,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) streams: Streams,
    pub(crate) notifying: Notifying,
    pub(crate) nodes: Option<Arc<Nodes>>,
    pub(crate) venue: Arc<VenueCounters>,
}

impl App {
    /// `clock` is the machine's, for signatures and limits; `venue_clock` is the time that responses state.
    pub(crate) fn new(
        services: Services,
        clock: Arc<dyn Clock>,
        venue_clock: Arc<dyn Clock>,
        rates: Rates,
    ) -> App {
        let Services { reading, writing, access, feeds, pictures, streams, notifying, nodes, venue } =
            services;
        let described = [OPERATIONS, ADMIN_OPERATIONS, streams::ENDPOINTS].concat();
        let routes = described.iter().map(|operation| (operation.method.as_str(), operation.path));
        let requests = RequestCounters::new(routes.chain(web::COUNTED));
        let refusals = writing.refusals().clone();
        let tariff = Tariff { limits: Limits::new(rates), refusals: refusals.clone(), clock: clock.clone() };
        App {
            signals: Signals::new(requests, refusals, venue),
            reading,
            writing: Arc::new(writing),
            access: Arc::new(access),
            feeds: Arc::new(feeds),
            pictures,
            clock,
            venue_clock,
            tariff: Arc::new(tariff),
            streams: Arc::new(streams),
            notifying: Arc::new(notifying),
            web: Web::default(),
            connections: OnceLock::new(),
            nodes,
            condition: Arc::default(),
        }
    }

    pub fn reading(&self) -> &Arc<Reading> {
        &self.reading
    }

    pub fn writing(&self) -> &Arc<Writing> {
        &self.writing
    }

    pub fn access(&self) -> &Arc<Access> {
        &self.access
    }

    pub fn feeds(&self) -> &Arc<Feeds> {
        &self.feeds
    }

    pub fn pictures(&self) -> &Arc<Pictures> {
        &self.pictures
    }

    pub fn streams(&self) -> &Arc<Streams> {
        &self.streams
    }

    pub fn notifying(&self) -> &Arc<Notifying> {
        &self.notifying
    }

    pub fn web(&self) -> &Web {
        &self.web
    }

    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Takes the sample of a minute, if it is due. `now` is the machine's time in Unix seconds.
    pub fn take_sample(&self, now: i64) {
        self.signals.sample(now, self.writing.sequencer().writer_status().applied());
    }

    /// Switches the counts of requests, stages and trades and the access log on or off. For a benchmark that measures
    /// what they cost.
    pub fn switch_signals(&self, is_on: bool) {
        self.signals.requests.switch(is_on);
        self.signals.venue.switch(is_on);
        self.writing.sequencer().writer_status().stages().switch(is_on);
        if let Some(lines) = self.signals.access_lines() {
            lines.switch(is_on);
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.tariff.limits
    }

    pub(crate) fn tariff(&self) -> &Arc<Tariff> {
        &self.tariff
    }

    pub(crate) fn condition(&self) -> &Arc<Condition> {
        &self.condition
    }

    /// The other nodes of a shared log; `None` where the node has its own journal.
    pub fn nodes(&self) -> Option<&Arc<Nodes>> {
        self.nodes.as_ref()
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
        self.condition.draining.store(true, Ordering::Release);
    }

    pub fn is_draining(&self) -> bool {
        self.condition.is_draining()
    }

    /// Notes whether the disk of the data folder is nearly full.
    pub fn note_disk(&self, is_low: bool) {
        self.condition.disk_low.store(is_low, Ordering::Release);
    }

    pub fn is_disk_low(&self) -> bool {
        self.condition.is_disk_low()
    }

    /// The venue's time: it decides what has expired, and responses state it. It is the machine's time, except in a
    /// rehearsal.
    pub fn now(&self) -> Time {
        Time::from_micros(self.venue_clock.now())
    }

    /// The machine's time in microseconds, for signatures and limits.
    pub fn now_micros(&self) -> i64 {
        self.clock.now()
    }
}
