//! The floor: the same framework and bytes, one send call per message and reader, and nothing else.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::Problem;

type Readers = Arc<Mutex<Vec<UnboundedSender<Utf8Bytes>>>>;

pub(crate) struct Floor {
    pub(crate) address: SocketAddr,
    readers: Readers,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Floor {
    pub(crate) fn start(runtime: &Runtime) -> Result<Floor, Problem> {
        let readers = Readers::default();
        let router = Router::new().route("/", get(enter)).with_state(readers.clone());
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let serving = runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Floor { address, readers, serving })
    }

    /// Sends a message to all readers.
    pub(crate) fn publish(&self, message: &Utf8Bytes) -> Result<(), Problem> {
        let readers = self.readers.lock().map_err(|_| "the floor broke")?;
        for reader in readers.iter() {
            reader.send(message.clone())?;
        }
        Ok(())
    }

    pub(crate) fn end(self) {
        self.serving.abort();
    }
}

async fn enter(State(readers): State<Readers>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(move |socket| {
        let (sender, waiting) = unbounded_channel();
        if let Ok(mut readers) = readers.lock() {
            readers.push(sender);
        }
        send(socket, waiting)
    })
}

async fn send(mut socket: WebSocket, mut waiting: UnboundedReceiver<Utf8Bytes>) {
    while let Some(message) = waiting.recv().await {
        if socket.send(Message::Text(message)).await.is_err() {
            return;
        }
    }
}
