//! The reader threads: few, each with its own connection to SQLite, at a lower priority than trading.
//!
//! A slow query occupies one of them and blocks nothing that the writer needs. When the queue is full, reads fail with
//! `Busy`.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::thread;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::Connection;
use segments::{Reader, Version};
use tokio::sync::oneshot;

use super::{HistoryError, schema};

const THREADS: usize = 2;
const WAITING_MAX: usize = 1_024;
/// Added to the nice value: trading takes precedence when the CPU is contended.
const NICENESS: i32 = 10;

type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

/// A handle to the reader threads. They end when the last clone is dropped.
#[derive(Clone, Debug)]
pub(super) struct ReaderThreads {
    jobs: Sender<ReadJob>,
    reader: Reader,
}

impl ReaderThreads {
    pub(super) fn start(path: &Path, reader: Reader) -> Result<ReaderThreads, HistoryError> {
        let (jobs, waiting) = bounded::<ReadJob>(WAITING_MAX);
        for number in 0..THREADS {
            let (connection, waiting) = (schema::open_for_reading(path)?, waiting.clone());
            thread::Builder::new()
                .name(format!("history-read-{number}"))
                .spawn(move || serve(&connection, &waiting))?;
        }
        Ok(ReaderThreads { jobs, reader })
    }

    /// Runs `job` on one of the threads, with the store as of one commit.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Version) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let reader = self.reader.clone();
        self.run(move |_| job(&reader.version())).await
    }

    /// Runs `job` on one of the threads, with a source of versions.
    pub(super) async fn read_latest<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Reader) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let reader = self.reader.clone();
        self.run(move |_| job(&reader)).await
    }

    /// Runs `job` on one of the threads, in one read transaction of SQLite.
    pub(super) async fn read_tables<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        self.run(move |connection| in_one_state(connection, job)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let (answer, answered) = oneshot::channel();
        let job: ReadJob = Box::new(move |connection| {
            // The receiver may have been dropped, e.g. by a client that disconnected.
            let _ = answer.send(job(connection));
        });
        match self.jobs.try_send(job) {
            Ok(()) => answered.await.map_err(|_| HistoryError::Stopped)?,
            Err(TrySendError::Full(_)) => Err(HistoryError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(HistoryError::Stopped),
        }
    }
}

fn serve(connection: &Connection, waiting: &Receiver<ReadJob>) {
    // Linux applies the value to the calling thread only. A refusal is harmless.
    let _ = rustix::process::nice(NICENESS);
    for job in waiting {
        // A panicking read drops its sender, so its caller gets `Stopped`; the thread continues.
        if panic::catch_unwind(AssertUnwindSafe(|| job(connection))).is_err() {
            tracing::error!("a read of history panicked");
        }
    }
}

/// All queries of a look see the same commit.
fn in_one_state<T>(
    connection: &Connection,
    job: impl FnOnce(&Connection) -> Result<T, HistoryError>,
) -> Result<T, HistoryError> {
    let transaction = connection.unchecked_transaction()?;
    let seen = job(&transaction);
    transaction.finish()?;
    seen
}
