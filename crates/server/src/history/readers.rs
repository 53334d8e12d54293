//! The reading threads: few, each with its own connection, below the priority of those that trade.
//!
//! A long look holds one of them and nothing that the writer needs. When too many wait, the next is sent away.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::thread;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{HistoryError, schema};

const THREADS: usize = 2;
const WAITING_MAX: usize = 1_024;
/// Added to the nice value: trading goes first when both want the processor.
const NICENESS: i32 = 10;

type Look = Box<dyn FnOnce(&Connection) + Send>;

/// The door to the reading threads; they end when the last clone is dropped.
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

    /// Runs `look` on one of the threads, on one state of the whole history.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let (answer, answered) = oneshot::channel();
        let look: Look = Box::new(move |connection| {
            // Whoever went away does not want the answer.
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
    // Linux keeps the value for each thread. Where it is refused, reads are merely not polite.
    let _ = rustix::process::nice(NICENESS);
    for look in waiting {
        // A look that panics is answered as stopped; the thread is there for the next one.
        if panic::catch_unwind(AssertUnwindSafe(|| look(connection))).is_err() {
            tracing::error!("a read of history ended in a panic");
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
