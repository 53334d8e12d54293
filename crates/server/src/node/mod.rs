//! A running exchange. `builder` starts one: it assembles the folder, threads, state and services. `Node::stop` shuts
//! them down in the right order. `history` rebuilds the history of a folder.

mod builder;
mod history;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use journal::postgres::Listener;

pub use builder::{NodeBuilder, NodeFolder};
pub(crate) use history::rebuild;
pub use history::rebuild_history;

use crate::app::App;
use crate::folder::FolderLock;
use crate::history::{HistoryError, OpenedHistory};
use crate::notifying::NotifyingThreads;
use crate::people::{PeopleError, Sweeper};
use crate::pictures::{PictureError, PictureSweeper};
use crate::pipeline::follower::Follower;
use crate::pipeline::observing::Historian;
use crate::pipeline::sequencer::{SubmitError, Writer};
use crate::startup::{StartError, StartReport};
use crate::streams::Hub;

#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    People(#[from] PeopleError),
    #[error(transparent)]
    Pictures(#[from] PictureError),
    #[error("the master key cannot be used: {0}")]
    MasterKey(std::io::Error),
    #[error("{0} has no journal to rebuild a history from")]
    NoJournal(PathBuf),
    #[error("the journal cannot be upgraded to newer rules: {0}")]
    Rules(SubmitError),
    #[error("the master key's fingerprint cannot be recorded: {0}")]
    Fingerprint(SubmitError),
    #[error("cannot end the connections that the last process lost: {0}")]
    Connections(SubmitError),
    #[error("this node's id (node.id) cannot be read or stored: {0}")]
    Mark(std::io::Error),
    #[error("the new history cannot be put in place: {0}")]
    Replace(std::io::Error),
}

/// All threads and state of a node. Handlers share `app`.
#[derive(Debug)]
pub struct Node {
    pub app: Arc<App>,
    pub report: StartReport,
    writer: Writer,
    follower: Follower,
    sweeper: Sweeper,
    picture_sweeper: PictureSweeper,
    historian: Option<Historian>,
    history: JoinHandle<()>,
    streams: Hub,
    notifying: NotifyingThreads,
    /// Receives notifications of other nodes' appends until it is dropped.
    _listener: Option<Listener>,
    _folder_lock: FolderLock,
}

/// The final state of a stopped node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub seq: u64,
    /// The digest of the live state and the digest of replaying the journal. They differ only if the exchange has a
    /// serious bug.
    pub live: [u8; 32],
    pub replayed: [u8; 32],
}

impl Node {
    /// Configures a node on a data folder, which is created if it is missing, or on a folder that is already locked.
    pub fn builder<'a>(folder: impl Into<NodeFolder>) -> NodeBuilder<'a> {
        NodeBuilder::new(folder.into())
    }

    /// Drains the queue, writes a last snapshot and returns the final state's digests. Blocks until every other holder
    /// of `app` has dropped it.
    pub fn stop(self) -> Result<Stopped, NodeError> {
        let shared = self.app.reading().shared().clone();
        drop(self.app);
        self.sweeper.join();
        self.picture_sweeper.stop();
        self.writer.join();
        self.streams.join();
        self.notifying.join();
        let replayed = self.follower.finish();
        if let Some(historian) = self.historian {
            historian.finish();
        }
        // Joined even when the follower failed: no thread may still use the folder when this returns.
        OpenedHistory::join(self.history);
        let replayed = replayed.map_err(NodeError::Start)?;
        let exchange = shared.read();
        Ok(Stopped { seq: exchange.seq(), live: exchange.digest(), replayed })
    }
}
