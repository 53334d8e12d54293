//! The reader threads: few, each with its own connection, at a lower priority than trading.
//!
//! A slow query occupies one of them and blocks nothing that the writer needs. When the queue is full, reads fail with
//! `Busy`.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::thread;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{HistoryError, schema};

const THREADS: usize = 2;
const WAITING_MAX: usize = 1_024;
/// Added to the nice value: trading takes precedence when the CPU is contended.
const NICENESS: i32 = 10;

type Look = Box<dyn FnOnce(&Connection) + Send>;

/// A handle to the reader threads. They end when the last clone is dropped.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    looks: Sender<Look>,
}

impl Readers {
    pub(super) fn start(path: &Path) -> Result<Readers, HistoryError> {
        let (looks, waiting) = bounded::<Look>(WAITING_MAX);
        for number in 0..THREADS {
            let (connection, waiting) = (schema::open_for_reading(path)?, waiting.clone());
            thread::Builder::new()
                .name(format!("history-read-{number}"))
                .spawn(move || run(&connection, &waiting))?;
        }
        Ok(Readers { looks })
    }

    /// Runs `look` on one of the threads, in one read transaction.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let (answer, answered) = oneshot::channel();
        let look: Look = Box::new(move |connection| {
            // The receiver may have been dropped, e.g. by a client that disconnected.
            let _ = answer.send(in_one_state(connection, look));
        });
        match self.looks.try_send(look) {
            Ok(()) => answered.await.map_err(|_| HistoryError::Stopped)?,
            Err(TrySendError::Full(_)) => Err(HistoryError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(HistoryError::Stopped),
        }
    }
}

fn run(connection: &Connection, waiting: &Receiver<Look>) {
    // Linux applies the value to the calling thread only. A refusal is harmless.
    let _ = rustix::process::nice(NICENESS);
    for look in waiting {
        // A panicking read drops its sender, so its caller gets `Stopped`; the thread continues.
        if panic::catch_unwind(AssertUnwindSafe(|| look(connection))).is_err() {
            tracing::error!("a read of history panicked");
        }
    }
}

/// All queries of a look see the same commit.
fn in_one_state<T>(
    connection: &Connection,
    look: impl FnOnce(&Connection) -> Result<T, HistoryError>,
) -> Result<T, HistoryError> {
    let transaction = connection.unchecked_transaction()?;
    let seen = look(&transaction);
    transaction.finish()?;
    seen
}
