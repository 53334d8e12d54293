//! Copies committed pages from SQLite's WAL into the database on a separate thread, so that the history thread does not
//! wait for the disk.

use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rusqlite::Connection;

use super::HistoryError;

const EVERY: Duration = Duration::from_secs(1);
/// Added to the nice value of the thread.
const NICENESS: i32 = 10;

/// Stops and joins the thread on drop. If its connection closed later, SQLite could delete the WAL of a newer connection.
#[derive(Debug)]
pub(super) struct Checkpoints {
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.alive.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the checkpoint thread of history panicked");
        }
    }
}

impl Checkpoints {
    pub(super) fn start(path: &Path) -> Result<Checkpoints, HistoryError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let (alive, ends) = bounded(0);
        let thread = thread::Builder::new()
            .name("history-checkpoint".to_owned())
            .spawn(move || run(connection, &ends))?;
        Ok(Checkpoints { alive: Some(alive), thread: Some(thread) })
    }
}

fn run(connection: Connection, ends: &Receiver<()>) {
    // Lowest priority: no thread waits for a checkpoint.
    let _ = rustix::process::nice(NICENESS);
    while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // PASSIVE blocks neither readers nor the writer. The next checkpoint copies the remaining pages.
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::warn!(%error, "checkpoint of history failed");
        }
    }
}
