//! Limits the connections of a listener, in total and per network. A connection over a limit is closed at once.
//!
//! A trusted proxy carries the connections of many clients, so its own connections count only towards the total. For
//! it, the requests in flight are limited per network of the forwarded address, from their head until the last byte of
//! the response is written. Streams have their own limits (`streams`).
//!
//! Half of the operators' listener is for networks that an operator has lately come from.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use api::error::ErrorBody;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;
use socket2::SockRef;
use tokio::net::TcpStream;

use super::address::{self, AddressRange};
use crate::limits::{KnownNetworks, Network};
use crate::signals::log_limiter::LogLimiter;
use crate::signals::request_id::RequestId;

/// Connections of one network, by default.
pub const PER_NETWORK_USUAL: u32 = 256;
/// Connections of the operator listener, in total and per network.
pub const OPERATORS_MAX: u32 = 64;
pub const OPERATORS_PER_NETWORK_MAX: u32 = OPERATORS_MAX / 2;

/// When a refused client may retry.
const RETRY_SECONDS: u64 = 5;
const LOG_EVERY: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmissionLimits {
    pub connections_max: u32,
    /// Connections of one network, and its requests in flight through proxies.
    pub per_network_max: u32,
    pub proxies: Vec<AddressRange>,
}

#[derive(Debug)]
pub struct Admission {
    limits: AdmissionLimits,
    connections: Mutex<Tally>,
    /// On the operators' listener: the networks that half of it is kept for, and the connections of others.
    known: Option<Arc<KnownNetworks>>,
    strangers: Mutex<Tally>,
    /// Requests in flight through proxies.
    requests: Mutex<Tally>,
    refused: AtomicU64,
    slow: AtomicU64,
    /// Connections that the kernel could not accept.
    failures: AtomicU64,
    refusals_log: LogLimiter,
    failures_log: LogLimiter,
    /// Prepared responses.
    network_full: PreparedResponse,
    listener_full: PreparedResponse,
}

/// Counts per network, and the total.
#[derive(Debug, Default)]
struct Tally {
    all: u32,
    networks: HashMap<Network, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NetworkFull,
    ListenerFull,
}

impl Tally {
    /// Without a network only the total is counted.
    fn add(&mut self, network: Option<Network>, all_max: u32, each_max: u32) -> Result<(), Refusal> {
        let count = network.and_then(|network| self.networks.get(&network).copied()).unwrap_or(0);
        if network.is_some() && count >= each_max {
            return Err(Refusal::NetworkFull);
        }
        if self.all >= all_max {
            return Err(Refusal::ListenerFull);
        }
        self.all += 1;
        if let Some(network) = network {
            *self.networks.entry(network).or_default() += 1;
        }
        Ok(())
    }

    fn remove(&mut self, network: Option<Network>) {
        self.all -= 1;
        if let Some(network) = network
            && let Some(count) = self.networks.get_mut(&network)
        {
            *count -= 1;
            if *count == 0 {
                self.networks.remove(&network);
            }
        }
    }
}

impl Admission {
    pub fn new(limits: AdmissionLimits) -> Admission {
        let network_full = ErrorBody::rate_limit("Too many connections from this network", RETRY_SECONDS);
        let listener_full = ErrorBody::unavailable("Too many connections", RETRY_SECONDS);
        Admission {
            limits,
            connections: Mutex::default(),
            known: None,
            strangers: Mutex::default(),
            requests: Mutex::default(),
            refused: AtomicU64::new(0),
            slow: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            refusals_log: LogLimiter::new(LOG_EVERY),
            failures_log: LogLimiter::new(LOG_EVERY),
            network_full: PreparedResponse::new("429 Too Many Requests", &network_full),
            listener_full: PreparedResponse::new("503 Service Unavailable", &listener_full),
        }
    }

    /// For the operators' listener.
    pub fn for_operators(proxies: Vec<AddressRange>, known: Arc<KnownNetworks>) -> Admission {
        let limits = AdmissionLimits {
            connections_max: OPERATORS_MAX,
            per_network_max: OPERATORS_PER_NETWORK_MAX,
            proxies,
        };
        Admission { known: Some(known), ..Admission::new(limits) }
    }

    /// For a listener that only this process connects to.
    pub fn unlimited() -> Admission {
        Admission::new(AdmissionLimits {
            connections_max: u32::MAX,
            per_network_max: u32::MAX,
            proxies: Vec::new(),
        })
    }

    pub fn open(&self) -> u32 {
        self.connections.lock().all
    }

    /// Connections refused so far.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Connections closed because the client read too slowly.
    pub fn slow(&self) -> u64 {
        self.slow.load(Ordering::Relaxed)
    }

    /// Connections that could not be accepted, for lack of descriptors or memory.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Reserves a slot for a connection until it is dropped.
    pub(super) fn connect(self: &Arc<Self>, address: SocketAddr) -> Result<ConnectionSlot, Refusal> {
        let address = address.ip().to_canonical();
        let is_proxy = address::is_any_of(&self.limits.proxies, address);
        let network = (!is_proxy).then(|| Network::of(address));
        self.add(network).inspect_err(|refusal| self.count_refused(address, *refusal))
    }

    fn add(self: &Arc<Self>, network: Option<Network>) -> Result<ConnectionSlot, Refusal> {
        let AdmissionLimits { connections_max, per_network_max, .. } = self.limits;
        let is_known = |network| self.known.as_ref().is_none_or(|known| known.has(network, Instant::now()));
        let is_stranger = network.is_some_and(|network| !is_known(network));
        if is_stranger {
            self.strangers.lock().add(network, connections_max / 2, per_network_max / 2)?;
        }
        let added = self.connections.lock().add(network, connections_max, per_network_max);
        if added.is_err() && is_stranger {
            self.strangers.lock().remove(network);
        }
        added.map(|()| ConnectionSlot { admission: self.clone(), network, is_stranger })
    }

    /// Sends the reason for a refusal, if the kernel accepts it at once. Never reads or waits.
    pub(super) fn refuse(&self, stream: TcpStream, refusal: Refusal) {
        let answer = match refusal {
            Refusal::NetworkFull => &self.network_full,
            Refusal::ListenerFull => &self.listener_full,
        };
        // If this fails, the client still sees the close.
        let _ = SockRef::from(&stream).send(&answer.with_id(&RequestId::new()));
    }

    pub(super) fn proxies(&self) -> &[AddressRange] {
        &self.limits.proxies
    }

    /// Reserves a slot for a request that came through a proxy.
    pub(super) fn begin_request(self: &Arc<Self>, address: IpAddr) -> Result<RequestSlot, ErrorBody> {
        let network = Network::of(address);
        // The connections already bound the total.
        match self.requests.lock().add(Some(network), u32::MAX, self.limits.per_network_max) {
            Ok(()) => Ok(RequestSlot { admission: self.clone(), network }),
            Err(_) => Err(ErrorBody::rate_limit("Too many requests in flight from this network", 1)),
        }
    }

    fn count_refused(&self, address: IpAddr, refusal: Refusal) {
        let refused = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if self.refusals_log.pass().is_some() {
            let limit = match refusal {
                Refusal::NetworkFull => "connections-per-network",
                Refusal::ListenerFull => "connections",
            };
            tracing::warn!(network = %Network::of(address), limit, refused, "refusing connections");
        }
    }

    /// Logs that accepting a connection failed.
    pub(super) fn log_failure(&self, error: &io::Error) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        if let Some(withheld) = self.failures_log.pass() {
            tracing::warn!(%error, withheld, "cannot accept connections");
        }
    }
}

/// A whole HTTP response, without its request id.
#[derive(Debug)]
struct PreparedResponse {
    head: String,
    body: String,
}

impl PreparedResponse {
    fn new(status: &str, body: &ErrorBody) -> PreparedResponse {
        let body = String::from_utf8_lossy(&api::json::to_vec(body)).into_owned();
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\nretry-after: {RETRY_SECONDS}\r\nconnection: close\r\ncontent-length: {length}\r\n"
        );
        PreparedResponse { head, body }
    }

    fn with_id(&self, id: &RequestId) -> Vec<u8> {
        let PreparedResponse { head, body } = self;
        format!("{head}x-request-id: {id}\r\n\r\n{body}").into_bytes()
    }
}

/// A connection's share of the limits, released on drop.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    admission: Arc<Admission>,
    /// `None` for a proxy.
    network: Option<Network>,
    is_stranger: bool,
}

impl ConnectionSlot {
    /// For a proxy's connection: holds the slots of its requests until their responses are written.
    pub(super) fn unflushed(&self) -> Option<Arc<Unflushed>> {
        self.network.is_none().then(Arc::default)
    }

    pub(super) fn is_proxy(&self) -> bool {
        self.network.is_none()
    }

    pub(crate) fn count_slow(&self) {
        self.admission.slow.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.admission.connections.lock().remove(self.network);
        if self.is_stranger {
            self.admission.strangers.lock().remove(self.network);
        }
    }
}

/// A request in flight, released on drop.
#[derive(Debug)]
pub(super) struct RequestSlot {
    admission: Arc<Admission>,
    network: Network,
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        self.admission.requests.lock().remove(Some(self.network));
    }
}

/// The slots of requests whose responses are complete but not yet flushed.
#[derive(Debug, Default)]
pub(super) struct Unflushed(Mutex<Vec<RequestSlot>>);

impl Unflushed {
    pub(super) fn clear(&self) {
        // Drop the slots outside the lock.
        let done = std::mem::take(&mut *self.0.lock());
        drop(done);
    }
}

/// Makes a response hold its request's slot until it is written.
pub(super) fn hold(response: Response, slot: RequestSlot, unflushed: Arc<Unflushed>) -> Response {
    response.map(|body| Body::new(Holding { body, slot: Some(slot), unflushed }))
}

struct Holding {
    body: Body,
    slot: Option<RequestSlot>,
    unflushed: Arc<Unflushed>,
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.unflushed.0.lock().extend(self.slot.take());
    }
}

impl HttpBody for Holding {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(connections_max: u32, per_network_max: u32, proxies: &[&str]) -> Arc<Admission> {
        let proxies = proxies.iter().map(|range| range.parse().expect("a range")).collect();
        Arc::new(Admission::new(AdmissionLimits { connections_max, per_network_max, proxies }))
    }

    fn from(address: &str) -> SocketAddr {
        SocketAddr::new(address.parse().expect("an address"), 4711)
    }

    #[test]
    fn a_network_and_the_listener_have_their_limits_and_slots_are_given_back() {
        let admission = admission(3, 2, &[]);
        let first = admission.connect(from("2001:db8::1")).expect("a slot");
        let _second = admission.connect(from("2001:db8::2")).expect("a slot");
        let third = admission.connect(from("2001:db8::3"));
        assert_eq!(third.expect_err("a refusal"), Refusal::NetworkFull, "one /64 is one network");
        let _other = admission.connect(from("203.0.113.9")).expect("a slot");
        let full = admission.connect(from("203.0.113.10"));
        assert_eq!(full.expect_err("a refusal"), Refusal::ListenerFull);
        assert_eq!((admission.open(), admission.refused()), (3, 2));
        drop(first);
        let _again = admission.connect(from("::ffff:203.0.113.9")).expect("a slot");
        assert_eq!(admission.open(), 3);
        assert_eq!(admission.connections.lock().networks.len(), 2);
    }

    #[test]
    fn strangers_cannot_take_what_is_kept_for_operators() {
        let known = Arc::new(KnownNetworks::default());
        let admission = Arc::new(Admission::for_operators(Vec::new(), known.clone()));
        let hosts =
            (1..=2).flat_map(|host| (0..OPERATORS_PER_NETWORK_MAX).map(move |_| format!("203.0.113.{host}")));
        let held: Vec<_> = hosts.filter_map(|host| admission.connect(from(&host)).ok()).collect();
        assert_eq!(held.len(), OPERATORS_MAX as usize / 2, "two hosts, each with half of a network's share");
        assert!(admission.connect(from("203.0.113.3")).is_err());
        let operator = from("203.0.113.4");
        assert_eq!(admission.connect(operator).expect_err("a refusal"), Refusal::ListenerFull);
        known.note(Network::of(operator.ip()), Instant::now());
        let kept: Vec<_> = (0..OPERATORS_PER_NETWORK_MAX).map(|_| admission.connect(operator)).collect();
        assert!(kept.iter().all(Result::is_ok));
        drop(held);
        assert!(admission.strangers.lock().networks.is_empty());
        assert!(admission.connect(from("203.0.113.3")).is_ok());
    }

    #[test]
    fn a_proxy_has_as_many_connections_as_the_listener_and_its_requests_count_by_network() {
        let admission = admission(3, 1, &["127.0.0.1"]);
        let _slots: Vec<_> =
            (0..3).map(|_| admission.connect(from("::ffff:127.0.0.1")).expect("a slot")).collect();
        assert!(admission.connect(from("127.0.0.1")).is_err());
        let address = "203.0.113.9".parse().expect("an address");
        let slot = admission.begin_request(address).expect("a slot");
        assert_eq!(admission.begin_request(address).expect_err("a refusal").status_code, 429);
        let _other = admission.begin_request("203.0.113.10".parse().expect("an address")).expect("a slot");
        drop(slot);
        assert!(admission.begin_request(address).is_ok());
    }
}
