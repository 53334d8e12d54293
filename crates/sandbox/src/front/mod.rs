//! The public listener of the sandbox: connections whose bytes pass through a pump (`pump`), so that answers and streams
//! can be cut, and requests that pass the faults (`delivery`) on their way to the venue, one at a time.
//!
//! `link` is the state that the two sides of a connection share, `frames` finds the messages in the bytes of a stream,
//! `banner` marks pages.

pub(crate) mod banner;
mod delivery;
mod frames;
mod link;
mod pump;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use server::http::serving::{HEAD_BYTES_MAX, Timeouts};
use tokio::io::duplex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, watch};

use crate::faults::Faults;
use crate::venue::Venue;
pub(crate) use link::InFlight;
use link::{CountedStream, Link};

/// The pause after a connection that could not be accepted.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// Bytes between the two sides of a connection.
const PIPE_BYTES: usize = 64 << 10;

/// Everything that a connection needs.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    pub(crate) venue: Arc<Mutex<Venue>>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) in_flight: Arc<InFlight>,
}

impl Front {
    /// Accepts connections until `stop` becomes true. Open ones end with the runtime.
    pub(crate) async fn serve(self, listener: TcpListener, mut stop: watch::Receiver<bool>) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            match accepted {
                Ok((socket, address)) => drop(tokio::spawn(self.clone().connect(socket, address))),
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    // The process may have too many open files: they close meanwhile.
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    }

    async fn connect(self, socket: TcpStream, address: SocketAddr) {
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "a connection ended early");
        }
        let (near, far) = duplex(PIPE_BYTES);
        let link = Arc::new(Link::new(self.in_flight.clone()));
        let pumping = pump::run(socket, far, link.clone(), self.faults.clone());
        let (front, shared) = (self, link.clone());
        let service = service_fn(move |request| {
            let (front, link) = (front.clone(), shared.clone());
            async move { Ok::<_, Infallible>(front.answer(request, address, link).await) }
        });
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            // A client that gives up closes its half: its request is delivered nevertheless.
            .half_close(true)
            .header_read_timeout(Timeouts::default().header)
            .max_header_size(HEAD_BYTES_MAX)
            .max_buf_size(HEAD_BYTES_MAX);
        let stream = TokioIo::new(CountedStream::new(near, link));
        let serving = builder.serve_connection(stream, service).with_upgrades();
        let (served, ()) = tokio::join!(serving, pumping);
        if let Err(error) = served {
            tracing::debug!(%error, "a connection ended with an error");
        }
    }
}
