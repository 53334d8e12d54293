//! A stage that listens on a free port.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use server::http::serving::serve;
use server::streams::StreamSettings;
use stage::node::Stage;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::reader::Reader;

/// Longer than anything here takes.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Hall {
    pub stage: Stage,
    pub address: SocketAddr,
    pub stop: watch::Sender<bool>,
    pub serving: JoinHandle<()>,
}

impl Hall {
    pub async fn open() -> Hall {
        Hall::open_with(StreamSettings::default()).await
    }

    /// A close may take as long as a test waits.
    pub async fn open_patient() -> Hall {
        Hall::open_with(StreamSettings { close_max: PATIENCE, ..StreamSettings::default() }).await
    }

    pub async fn open_with(settings: StreamSettings) -> Hall {
        let stage = Stage::open().await;
        assert!(stage.app().streams().configure(settings), "configured before the first use");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        let serving = tokio::spawn(serve(listener, stage.router(), stopped));
        Hall { stage, address, stop, serving }
    }

    pub async fn connect(&self, path: &str) -> Reader {
        Reader::connect(self.address, path).await
    }

    /// A reader that has sent a subscription.
    pub async fn subscribed(&self, path: &str, message: serde_json::Value) -> Reader {
        let mut reader = self.connect(path).await;
        reader.send(message).await;
        reader
    }

    /// Waits until something holds.
    pub async fn until(&self, what: &str, mut holds: impl FnMut(&Arc<server::app::App>) -> bool) {
        let waiting = async {
            while !holds(self.stage.app()) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("it never came: {what}"));
    }
}
