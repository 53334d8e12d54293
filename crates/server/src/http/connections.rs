//! The open connections of a listener: shuts them down gracefully and waits for them.

use std::convert::Infallible;
use std::pin::pin;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1::UpgradeableConnection;
use hyper::service::HttpService;
use hyper_util::rt::TokioIo;
use tokio::sync::{mpsc, watch};

use super::transport::Transport;

#[derive(Debug)]
pub(super) struct Connections {
    ending: watch::Sender<bool>,
    /// Each connection holds a sender until it ends; nothing is ever sent.
    alive: mpsc::Sender<()>,
    gone: mpsc::Receiver<()>,
}

impl Connections {
    pub(super) fn new() -> Connections {
        let (alive, gone) = mpsc::channel(1);
        Connections { ending: watch::Sender::new(false), alive, gone }
    }

    /// Runs a connection in its own task. After a protocol upgrade the connection is no longer tracked here.
    pub(super) fn run<S>(&self, connection: UpgradeableConnection<TokioIo<Transport>, S>)
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
                () = stopped(&mut ending) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended with an error");
            }
            drop(alive);
        });
    }

    /// Lets every connection finish its current request, and waits for all of them.
    pub(super) async fn shutdown(mut self) {
        self.ending.send_replace(true);
        drop(self.alive);
        self.gone.recv().await;
    }
}

async fn stopped(ending: &mut watch::Receiver<bool>) {
    // A dropped sender ends the connections too.
    let _ = ending.wait_for(|ending| *ending).await;
}
