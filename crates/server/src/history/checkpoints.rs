//! Carries what is committed from the log into the database, beside the history thread, which need not wait for the disk.

use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rusqlite::Connection;

use super::HistoryError;

const EVERY: Duration = Duration::from_secs(1);
/// Added to the nice value of the thread.
const NICENESS: i32 = 10;

/// Ends the thread when it is dropped, and waits for it: a connection that closes late would take the log of the next one
/// with it.
#[derive(Debug)]
pub(super) struct Checkpoints {
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.alive.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that carries history's log over ended in a panic");
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
    // Nobody waits for it.
    let _ = rustix::process::nice(NICENESS);
    while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // Passive: neither readers nor the writer wait for it. What it leaves is taken the next time.
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::warn!(%error, "the log of history could not be carried over");
        }
    }
}
