//! Taking connections: HTTP/1.1 with bounded headers, time limits, and a drain at the end.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use http::header;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower_service::Service;

use super::connections::Connections;
use super::timed_body::TimedBody;

/// How long a caller may take, and how long a stop waits for those who are not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the head of a request; the connection is closed.
    pub header: Duration,
    /// For its body; the answer is 408.
    pub body: Duration,
    pub drain: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            header: Duration::from_secs(10),
            body: Duration::from_secs(15),
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

/// Serves until `stop` turns true, then lets open requests finish.
pub async fn serve(listener: TcpListener, router: Router, stop: watch::Receiver<bool>) {
    serve_with(listener, router, Timeouts::default(), stop).await;
}

/// The same with other time limits.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    timeouts: Timeouts,
    mut stop: watch::Receiver<bool>,
) {
    let (held, mut all_gone) = mpsc::channel(1);
    let taken_over = Arc::new(TakenOver { stopping: stop.clone(), _held: held });
    let serving = Serving { router, timeouts, taken_over };
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
    taken_over: Arc<TakenOver>,
}

impl Serving {
    /// Serves one connection beside the others.
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>, connections: &Connections) {
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, most likely: give the others time to end.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                return;
            }
        };
        let _ = stream.set_nodelay(true);
        let (router, body_timeout) = (self.router.clone(), self.timeouts.body);
        let taken_over = self.taken_over.clone();
        let service =
            service_fn(move |request| answer(router.clone(), address, body_timeout, &taken_over, request));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.timeouts.header);
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

fn answer(
    mut router: Router,
    address: SocketAddr,
    body_timeout: Duration,
    taken_over: &Arc<TakenOver>,
    request: http::Request<Incoming>,
) -> impl Future<Output = Result<axum::response::Response, Infallible>> + use<> {
    let mut request = request.map(|body| axum::body::Body::new(TimedBody::new(body, body_timeout)));
    request.extensions_mut().insert(ConnectInfo(address));
    if request.headers().contains_key(header::UPGRADE) {
        request.extensions_mut().insert(taken_over.clone());
    }
    // No time limit here: a write that was handed over must not be answered as if it had failed.
    router.call(request)
}
