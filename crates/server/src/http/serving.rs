//! Accepts connections: HTTP/1.1 with limits on head size, connections and time, and a drain at shutdown.
//!
//! All of this happens before the router sees a request; this file does not depend on what is requested.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::error::ErrorBody;
use api::read::BODY_BYTES_MAX;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use lane::{HandedOver, Lanes};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tower_service::Service;

use super::admission::{self, Admission, ConnectionSlot, RequestSlot, Unflushed};
use super::connections::Connections;
pub use super::paced_stream::Pace;
use super::paced_stream::{PacedStream, tune};
use super::timed_body::TimedBody;
use super::tls::Tls;
use super::transport::Transport;
use super::{Failure, address, host};
use crate::app::App;
use crate::edge::in_lane::{InLane, LaneConnection};
use crate::edge::opened::{REQUEST_ID, request_id};
use crate::routes::edge;
use crate::signals::request_id::RequestId;

/// The maximum size of a request head, including the start line; larger ones get 431. It also bounds how much is read
/// ahead on a connection.
pub const HEAD_BYTES_MAX: usize = 32 << 10;
/// The pause after accepting failed for lack of descriptors or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time limits for clients, and for the drain at shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a request's head, from the end of the previous request; then the connection is closed.
    pub header: Duration,
    /// For the request's body; then the response is 408.
    pub body: Duration,
    /// The minimum speed for reading the response; a slower connection is closed.
    pub answer: Pace,
    pub drain: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            header: Duration::from_secs(10),
            body: Duration::from_secs(15),
            answer: Pace::default(),
            drain: Duration::from_secs(10),
        }
    }
}

/// Attached to a request that asks for a protocol upgrade. The code that takes the connection over must keep it for the
/// connection's lifetime and watch `stopping`; the drain waits until it is dropped.
#[derive(Debug)]
pub struct UpgradedConnection {
    pub stopping: watch::Receiver<bool>,
    _guard: mpsc::Sender<()>,
}

impl UpgradedConnection {
    /// For a listener of its own: the connections end when `stopping` becomes true, and the receiver when all are gone.
    pub fn watched(stopping: watch::Receiver<bool>) -> (Arc<UpgradedConnection>, mpsc::Receiver<()>) {
        let (guard, all_gone) = mpsc::channel(1);
        (Arc::new(UpgradedConnection { stopping, _guard: guard }), all_gone)
    }
}

/// Prepares a request that a listener of its own has accepted for the router. `Err` has the response to a request
/// without a valid host.
pub fn adopt(
    mut request: Request,
    address: SocketAddr,
    upgraded: &Arc<UpgradedConnection>,
) -> Result<Request, Box<Response>> {
    request.extensions_mut().insert(ConnectInfo(address));
    if request.headers().contains_key(header::UPGRADE) {
        request.extensions_mut().insert(upgraded.clone());
    }
    match host::check(&mut request) {
        Ok(()) => Ok(request),
        Err(fault) => {
            let id = request_id(request.headers());
            Err(Box::new(refused(Failure::from(ErrorBody::bad_request(fault)), &id)))
        }
    }
}

/// Serves connections until `stop` becomes true, then lets open requests finish.
pub async fn serve(listener: TcpListener, router: Router, stop: watch::Receiver<bool>) {
    serve_with(listener, router, Timeouts::default(), Arc::new(Admission::unlimited()), stop).await;
}

/// Like [`serve`], with limits.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    stop: watch::Receiver<bool>,
) {
    let (_, handed_over) = mpsc::unbounded_channel();
    run(listener, Serving::new(router, timeouts, admission, &stop), None, handed_over, stop).await;
}

/// Like [`serve_with`], over TLS. A handshake and the first head after it have the time of a head.
pub async fn serve_with_tls(
    listener: TcpListener,
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    tls: Arc<Tls>,
    stop: watch::Receiver<bool>,
) {
    let (_, handed_over) = mpsc::unbounded_channel();
    let (mut serving, all_gone) = Serving::new(router, timeouts, admission, &stop);
    serving.tls = Some(tls);
    run(listener, (serving, all_gone), None, handed_over, stop).await;
}

/// Like [`serve_with`]; quick endpoints of `app` are served in lanes.
///
/// It must be called inside a runtime. Fails if the lanes' threads cannot be started.
pub fn serve_with_lanes(
    listener: TcpListener,
    app: Arc<App>,
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    stop: watch::Receiver<bool>,
) -> io::Result<impl Future<Output = ()> + Send> {
    let (hand_over, handed_over) = mpsc::unbounded_channel();
    let service = InLane::new(edge(app), Handle::current(), hand_over);
    let lanes = Lanes::start(&timeouts.of_lanes(), Arc::new(service))?;
    let serving = Serving::new(router, timeouts, admission, &stop);
    Ok(run(listener, serving, Some(lanes), handed_over, stop))
}

async fn run(
    listener: TcpListener,
    (serving, mut all_gone): (Serving, mpsc::Receiver<()>),
    lanes: Option<Lanes<InLane>>,
    mut handed_over: mpsc::UnboundedReceiver<HandedOver<LaneConnection>>,
    mut stop: watch::Receiver<bool>,
) {
    let (connections, drain) = (Connections::new(), serving.timeouts.drain);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(handed) = handed_over.recv() => {
                serving.resume(handed, &connections);
                continue;
            }
            _ = stop.wait_for(|stop| *stop) => break,
        };
        serving.take(accepted, lanes.as_ref(), &connections).await;
    }
    let draining = async {
        serving.drain(listener, lanes, handed_over, connections).await;
        // Upgraded connections watch `stopping` too. Nothing is ever sent here: `recv` returns when the last of them is
        // dropped.
        drop(serving);
        all_gone.recv().await;
    };
    if tokio::time::timeout(drain, draining).await.is_err() {
        tracing::warn!("some requests did not finish before the drain timeout");
    }
}

struct Serving {
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    upgraded: Arc<UpgradedConnection>,
    tls: Option<Arc<Tls>>,
}

impl Timeouts {
    /// The limits of lanes.
    fn of_lanes(&self) -> lane::Config {
        let Pace { bytes_min, window } = self.answer;
        let answer = lane::Pace { bytes_min, window };
        lane::Config {
            head_bytes_max: HEAD_BYTES_MAX,
            body_bytes_max: BODY_BYTES_MAX,
            timeouts: lane::Timeouts { header: self.header, body: self.body, answer },
            ..lane::Config::default()
        }
    }
}

/// Shared by all requests of a connection.
#[derive(Clone)]
struct Peer {
    router: Router,
    address: SocketAddr,
    body_timeout: Duration,
    upgraded: Arc<UpgradedConnection>,
    /// Set on a proxy's connection.
    proxied: Option<(Arc<Admission>, Arc<Unflushed>)>,
}

impl Serving {
    fn new(
        router: Router,
        timeouts: Timeouts,
        admission: Arc<Admission>,
        stop: &watch::Receiver<bool>,
    ) -> (Serving, mpsc::Receiver<()>) {
        let (upgraded, all_gone) = UpgradedConnection::watched(stop.clone());
        (Serving { router, timeouts, admission, upgraded, tls: None }, all_gone)
    }

    /// Serves one accepted connection, in a lane or in a task of its own. A proxy's connection has clients of several
    /// networks, which lanes do not tell apart.
    async fn take(
        &self,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        lanes: Option<&Lanes<InLane>>,
        connections: &Connections,
    ) {
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            // The client has already closed the connection.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => return,
            Err(error) => {
                // Out of descriptors or memory: wait until other connections end.
                self.admission.log_failure(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
                return;
            }
        };
        let slot = match self.admission.connect(address) {
            Ok(slot) => slot,
            // A client of TLS expects a handshake: plain text would look like a broken server.
            Err(_) if self.tls.is_some() => return,
            Err(refusal) => return self.admission.refuse(stream, refusal),
        };
        tune(&stream);
        let Some(lanes) = lanes.filter(|_| !slot.is_proxy()) else {
            return self.spawn(stream, Bytes::new(), address, slot, connections);
        };
        match stream.into_std() {
            Ok(stream) => lanes.add(stream, LaneConnection::new(slot, address)),
            Err(error) => tracing::debug!(%error, "a connection ended with an error"),
        }
    }

    /// Serves a connection that a lane has handed over.
    fn resume(&self, handed: HandedOver<LaneConnection>, connections: &Connections) {
        let (slot, address) = handed.connection.into_parts();
        match TcpStream::from_std(handed.stream) {
            Ok(stream) => self.spawn(stream, handed.read.into(), address, slot, connections),
            Err(error) => tracing::debug!(%error, "a connection ended with an error"),
        }
    }

    /// `read`: bytes that were already read from the socket.
    fn spawn(
        &self,
        stream: TcpStream,
        read: Bytes,
        address: SocketAddr,
        slot: ConnectionSlot,
        connections: &Connections,
    ) {
        let stream = PacedStream::new(stream, read, self.timeouts.answer, slot);
        let peer = Peer {
            router: self.router.clone(),
            address,
            body_timeout: self.timeouts.body,
            upgraded: self.upgraded.clone(),
            proxied: stream.unflushed().map(|unflushed| (self.admission.clone(), unflushed)),
        };
        let service = service_fn(move |request| peer.answer(request));
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(self.timeouts.header)
            .max_header_size(HEAD_BYTES_MAX)
            .max_buf_size(HEAD_BYTES_MAX);
        let transport = Transport::new(stream, self.tls.as_deref());
        connections.run(builder.serve_connection(TokioIo::new(transport), service).with_upgrades());
    }

    /// Lets open requests finish. Meanwhile new connections are still accepted, so that readiness probes get a response
    /// instead of a refused connection.
    async fn drain(
        &self,
        listener: TcpListener,
        lanes: Option<Lanes<InLane>>,
        mut handed_over: mpsc::UnboundedReceiver<HandedOver<LaneConnection>>,
        connections: Connections,
    ) {
        let late = Connections::new();
        let allowed = self.timeouts.drain;
        let joining = tokio::task::spawn_blocking(move || {
            if let Some(lanes) = lanes {
                lanes.stop(allowed);
                lanes.join();
            }
        });
        let mut finished = std::pin::pin!(async { tokio::join!(connections.shutdown(), joining).0 });
        loop {
            tokio::select! {
                () = &mut finished => break,
                accepted = listener.accept() => self.take(accepted, None, &late).await,
                Some(handed) = handed_over.recv() => self.resume(handed, &late),
            }
        }
        drop(listener);
        late.shutdown().await;
    }
}

impl Peer {
    fn answer(
        &self,
        request: http::Request<Incoming>,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<> {
        let body_timeout = self.body_timeout;
        let mut request = request.map(|body| axum::body::Body::new(TimedBody::new(body, body_timeout)));
        request.extensions_mut().insert(ConnectInfo(self.address));
        if request.headers().contains_key(header::UPGRADE) {
            request.extensions_mut().insert(self.upgraded.clone());
        }
        let id = request_id(request.headers());
        let admitted = self.admit(&mut request);
        // No time limit here: a write that was submitted must not be reported as failed.
        let running = admitted.map(|held| (self.router.clone().call(request), held));
        async move {
            let (running, held) = match running {
                Ok(running) => running,
                Err(failure) => return Ok(refused(failure, &id)),
            };
            let response = running.await?;
            Ok(match held {
                Some((slot, unflushed)) => admission::hold(response, slot, unflushed),
                None => response,
            })
        }
    }

    /// Refuses a request without a valid host and, on a proxy's connection, one over its network's limit.
    fn admit(&self, request: &mut Request) -> Result<Option<HeldSlot>, Failure> {
        host::check(request).map_err(ErrorBody::bad_request)?;
        let Some((admission, unflushed)) = &self.proxied else { return Ok(None) };
        let address = address::settle(request, admission.proxies());
        let slot = admission.begin_request(address)?;
        Ok(Some((slot, unflushed.clone())))
    }
}

type HeldSlot = (RequestSlot, Arc<Unflushed>);

/// An error response from before the router.
fn refused(failure: Failure, id: &RequestId) -> Response {
    let mut response = failure.into_response();
    let is_malformed = response.status() == StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_bytes(id.as_bytes()) {
        headers.insert(REQUEST_ID, id);
    }
    if is_malformed {
        // The following bytes on the connection may not be a request either.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
