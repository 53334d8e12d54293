//! Taking connections: HTTP/1.1 with bounded heads and connections, time limits, and a drain at the end.
//!
//! Everything here happens before the router sees a request: nothing in this file knows what a request asks for.

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

/// The longest head of a request, start line included. A longer one gets 431. It also bounds what is read of a connection
/// ahead of its requests.
pub const HEAD_BYTES_MAX: usize = 32 << 10;
/// How long nothing is accepted after the machine had no descriptor or memory for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long a caller may take, and how long a stop waits for those who are not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the head of a request, from the end of the one before; the connection is closed.
    pub header: Duration,
    /// For its body; the answer is 408.
    pub body: Duration,
    /// For its answer; the connection is closed.
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

/// Goes with a request that asks for another protocol. Whoever takes the connection over keeps this as long as it has it,
/// watches for the stop, and is waited for.
#[derive(Debug)]
pub struct TakenOver {
    pub stopping: watch::Receiver<bool>,
    _held: mpsc::Sender<()>,
}

/// Serves any number of connections until `stop` turns true, then lets open requests finish.
pub async fn serve(listener: TcpListener, router: Router, stop: watch::Receiver<bool>) {
    serve_with(listener, router, Timeouts::default(), Arc::new(Admission::unlimited()), stop).await;
}

/// Serves like [`serve`], within these limits.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    mut stop: watch::Receiver<bool>,
) {
    let (held, mut all_gone) = mpsc::channel(1);
    let taken_over = Arc::new(TakenOver { stopping: stop.clone(), _held: held });
    let serving = Serving { router, timeouts, admission, taken_over };
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
        // What was taken over has heard of the stop too. Nobody sends anything here: it ends when all are gone.
        drop(serving);
        all_gone.recv().await;
    };
    if tokio::time::timeout(timeouts.drain, draining).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

struct Serving {
    router: Router,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    taken_over: Arc<TakenOver>,
}

/// What the requests of a connection share.
#[derive(Clone)]
struct Peer {
    router: Router,
    address: SocketAddr,
    body_timeout: Duration,
    taken_over: Arc<TakenOver>,
    /// Of a proxy's connection.
    proxied: Option<(Arc<Admission>, Arc<Unflushed>)>,
}

impl Serving {
    /// Serves one connection beside the others.
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>, connections: &Connections) {
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            // The peer has gone already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => return,
            Err(error) => {
                // Out of descriptors or memory: connections that end give some back.
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
            taken_over: self.taken_over.clone(),
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

    /// Lets what is open finish. Until then new connections are still answered, so that whoever asks whether this node is
    /// ready is told no rather than nothing.
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
            request.extensions_mut().insert(self.taken_over.clone());
        }
        let admitted = self.admit(&mut request);
        // No time limit here: a write that was handed over must not be answered as if it had failed.
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

    /// Refuses a request that names no host, and on a proxy's connection one that is too many for its network.
    fn admit(&self, request: &mut Request) -> Result<Option<Held>, Failure> {
        host::check(request).map_err(ErrorBody::bad_request)?;
        let Some((admission, unflushed)) = &self.proxied else { return Ok(None) };
        let address = address::settle(request, admission.proxies());
        let slot = admission.begin_request(address)?;
        Ok(Some((slot, unflushed.clone())))
    }
}

type Held = (RequestSlot, Arc<Unflushed>);

/// An answer that no router made.
fn refused(failure: Failure) -> Response {
    let mut response = failure.into_response();
    let is_malformed = response.status() == StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if is_malformed {
        // What follows on the connection may be no request either.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
