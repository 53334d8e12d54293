//! Carries what is committed from the log into the database, beside the history thread, which need not wait for the disk.

use std::path::Path;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rusqlite::Connection;

use super::HistoryError;

const EVERY: Duration = Duration::from_secs(1);
/// Added to the nice value of the thread.
const NICENESS: i32 = 10;

/// Ends the thread when it is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    _alive: Sender<()>,
}

impl Checkpoints {
    pub(super) fn start(path: &Path) -> Result<Checkpoints, HistoryError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let (alive, ends) = bounded(0);
        thread::Builder::new()
            .name("history-checkpoint".to_owned())
            .spawn(move || run(&connection, &ends))?;
        Ok(Checkpoints { _alive: alive })
    }
}

fn run(connection: &Connection, ends: &Receiver<()>) {
    // Nobody waits for it.
    let _ = rustix::process::nice(NICENESS);
    while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // Passive: neither readers nor the writer wait for it. What it leaves is taken the next time.
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::warn!(%error, "the log of history could not be carried over");
        }
    }
}
