//! The open connections of a listener: told when to end after what they are doing, and waited for.

use std::convert::Infallible;
use std::pin::pin;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1::UpgradeableConnection;
use hyper::service::HttpService;
use hyper_util::rt::TokioIo;
use tokio::sync::{mpsc, watch};

use super::paced_stream::PacedStream;

#[derive(Debug)]
pub(super) struct Connections {
    ending: watch::Sender<bool>,
    /// Every connection has a sender as long as it lives; nothing is ever sent.
    alive: mpsc::Sender<()>,
    gone: mpsc::Receiver<()>,
}

impl Connections {
    pub(super) fn new() -> Connections {
        let (alive, gone) = mpsc::channel(1);
        Connections { ending: watch::Sender::new(false), alive, gone }
    }

    /// Runs a connection beside the others. A connection that another protocol takes over is no longer of these.
    pub(super) fn run<S>(&self, connection: UpgradeableConnection<TokioIo<PacedStream>, S>)
    where
        S: HttpService<Incoming, ResBody = Body, Error = Infallible> + Send + 'static,
        S::Future: Send + 'static,
    {
        let (mut ending, alive) = (self.ending.subscribe(), self.alive.clone());
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                biased;
                ended = connection.as_mut() => ended,
                () = told(&mut ending) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended");
            }
            drop(alive);
        });
    }

    /// Lets every connection finish what it is doing, and waits for the last.
    pub(super) async fn shutdown(mut self) {
        self.ending.send_replace(true);
        drop(self.alive);
        self.gone.recv().await;
    }
}

async fn told(ending: &mut watch::Receiver<bool>) {
    // A dropped sender ends the connections too.
    let _ = ending.wait_for(|ending| *ending).await;
}
