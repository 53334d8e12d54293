//! What has left memory: closed orders, and the answers to requests that carried an idempotency key.
//!
//! SQLite, one writer thread fed by the apply thread in batches, idempotent by sequence. It is disposable: all of
//! it follows from the journal. A reader first waits until history has seen what the reader has seen.

mod reading;
mod schema;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::Sender;
use tokio::sync::watch;

pub use reading::ClosedOrder;
pub use writing::Recorder;

use writing::Batch;

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("history: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("history holds an order that cannot be read: {0}")]
    Record(String),
    #[error("history has stopped")]
    Stopped,
}

/// The door to history for readers.
#[derive(Clone, Debug)]
pub struct History {
    path: PathBuf,
    stored: watch::Receiver<u64>,
    lag: Arc<Lag>,
}

/// How far history is behind.
#[derive(Debug, Default)]
pub struct Lag {
    observed: AtomicU64,
    stored: AtomicU64,
}

impl Lag {
    pub fn requests(&self) -> u64 {
        self.observed.load(Ordering::Relaxed).saturating_sub(self.stored.load(Ordering::Relaxed))
    }
}

/// The writing half, for the apply thread and for the end.
#[derive(Debug)]
pub struct Keeper {
    pub history: History,
    pub recorder: Recorder,
    thread: JoinHandle<()>,
}

impl Keeper {
    /// Waits for everything that was handed over. The recorder must be gone.
    pub fn join(thread: JoinHandle<()>) {
        if thread.join().is_err() {
            tracing::error!("the history thread ended in a panic");
        }
    }

    pub fn into_parts(self) -> (History, Recorder, JoinHandle<()>) {
        (self.history, self.recorder, self.thread)
    }
}

/// Opens the history of a folder, which is made if there is none, and starts its writer.
pub fn open(folder: &Path) -> Result<Keeper, HistoryError> {
    std::fs::create_dir_all(folder).map_err(|_| HistoryError::Stopped)?;
    let path = folder.join("history.sqlite");
    let connection = schema::open_for_writing(&path)?;
    let last = schema::last_sequence(&connection)?;
    let (send, receive): (Sender<Batch>, _) = crossbeam_channel::bounded(1_024);
    let (stored, watching) = watch::channel(last);
    let lag = Arc::new(Lag { observed: AtomicU64::new(last), stored: AtomicU64::new(last) });
    let thread = {
        let lag = lag.clone();
        let work = move || writing::run(connection, &receive, &stored, &lag);
        let spawned = std::thread::Builder::new().name("history".to_owned()).spawn(work);
        spawned.unwrap_or_else(|error| panic!("the machine gives no thread for history: {error}"))
    };
    let history = History { path, stored: watching, lag: lag.clone() };
    Ok(Keeper { history, recorder: Recorder::new(send, last, lag), thread })
}

impl History {
    /// The last sequence that is stored for good.
    pub fn stored(&self) -> u64 {
        *self.stored.borrow()
    }

    pub fn lag(&self) -> &Lag {
        &self.lag
    }

    /// Waits until everything up to `seq` is stored.
    pub async fn reach(&self, seq: u64) -> Result<(), HistoryError> {
        let mut stored = self.stored.clone();
        stored.wait_for(|stored| *stored >= seq).await.map(drop).map_err(|_| HistoryError::Stopped)
    }
}
