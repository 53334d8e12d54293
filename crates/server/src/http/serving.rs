//! Taking connections: HTTP/1.1 with bounded headers, time limits, and a drain at the end.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower_service::Service;

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
    let serving = Serving { router, timeouts };
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        serving.take(accepted, &connections).await;
    }
    if tokio::time::timeout(timeouts.drain, serving.drain(listener, connections)).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

struct Serving {
    router: Router,
    timeouts: Timeouts,
}

impl Serving {
    /// Serves one connection beside the others.
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>, connections: &GracefulShutdown) {
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
        let service = service_fn(move |request| answer(router.clone(), address, body_timeout, request));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.timeouts.header);
        let connection = connections.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended");
            }
        });
    }

    /// Lets what is open finish. Until then new connections are still answered, so that whoever asks whether this node is
    /// ready is told no rather than nothing.
    async fn drain(&self, listener: TcpListener, connections: GracefulShutdown) {
        let late = GracefulShutdown::new();
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

async fn answer(
    mut router: Router,
    address: SocketAddr,
    body_timeout: Duration,
    request: http::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    let mut request = request.map(|body| axum::body::Body::new(TimedBody::new(body, body_timeout)));
    request.extensions_mut().insert(ConnectInfo(address));
    // No time limit here: a write that was handed over must not be answered as if it had failed.
    router.call(request).await
}
