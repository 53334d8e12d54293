//! Accepts connections: HTTP/1.1 with limits on head size, connections and time, and a drain at shutdown.
//!
//! All of this happens before the router sees a request; this file does not depend on what is requested.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::error::ErrorBody;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower_service::Service;

use super::admission::{self, Admission, RequestSlot, Unflushed};
use super::connections::Connections;
pub use super::paced_stream::Pace;
use super::paced_stream::PacedStream;
use super::timed_body::TimedBody;
use super::{Failure, address, host};

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
    mut stop: watch::Receiver<bool>,
) {
    let (guard, mut all_gone) = mpsc::channel(1);
    let upgraded = Arc::new(UpgradedConnection { stopping: stop.clone(), _guard: guard });
    let serving = Serving { router, timeouts, admission, upgraded };
    let connections = Connections::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        serving.take(accepted, &connections).await;
    }
    let draining = async {
        serving.drain(listener, connections).await;
        // Upgraded connections watch `stopping` too. Nothing is ever sent here: `recv` returns when the last of them is
        // dropped.
        drop(serving);
        all_gone.recv().await;
    };
    if tokio::time::timeout(timeouts.drain, draining).await.is_err() {
        tracing::warn!("some requests did not finish before the drain timeout");
    }
}

struct Serving {
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    upgraded: Arc<UpgradedConnection>,
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
    /// Serves one accepted connection in a task of its own.
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>, connections: &Connections) {
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
            Err(refusal) => return self.admission.refuse(stream, refusal),
        };
        let stream = PacedStream::new(stream, self.timeouts.answer, slot);
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
        connections.run(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    }

    /// Lets open requests finish. Meanwhile new connections are still accepted, so that readiness probes get a response
    /// instead of a refused connection.
    async fn drain(&self, listener: TcpListener, connections: Connections) {
        let late = Connections::new();
        let mut finished = std::pin::pin!(connections.shutdown());
        loop {
            tokio::select! {
                () = &mut finished => break,
                accepted = listener.accept() => self.take(accepted, &late).await,
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
        let admitted = self.admit(&mut request);
        // No time limit here: a write that was submitted must not be reported as failed.
        let running = admitted.map(|held| (self.router.clone().call(request), held));
        async move {
            let (running, held) = match running {
                Ok(running) => running,
                Err(failure) => return Ok(refused(failure)),
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
fn refused(failure: Failure) -> Response {
    let mut response = failure.into_response();
    let is_malformed = response.status() == StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if is_malformed {
        // The following bytes on the connection may not be a request either.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
