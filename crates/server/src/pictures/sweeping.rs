//! The thread that removes pictures which no event has named, at the start and every hour.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};

use super::Pictures;

/// How long an uploaded picture waits for an event that names it. docs/operating/reference.md has this too.
pub const UNNAMED_FOR: Duration = Duration::from_secs(7 * 24 * 3_600);
const EVERY: Duration = Duration::from_secs(3_600);

#[derive(Debug)]
pub struct PictureSweeper {
    /// The thread ends when this is dropped.
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl PictureSweeper {
    pub fn start(pictures: Arc<Pictures>) -> std::io::Result<PictureSweeper> {
        let (running, stopped) = bounded(0);
        let sweep = move || {
            loop {
                match pictures.sweep(UNNAMED_FOR) {
                    Ok(0) => {}
                    Ok(swept) => tracing::info!(swept, "removed pictures that no event has named"),
                    Err(error) => tracing::error!(%error, "cannot sweep the pictures; retrying in an hour"),
                }
                match stopped.recv_timeout(EVERY) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        let thread = thread::Builder::new().name("pictures".to_owned()).spawn(sweep)?;
        Ok(PictureSweeper { running, thread })
    }

    pub fn stop(self) {
        drop(self.running);
        if self.thread.join().is_err() {
            tracing::error!("the thread that sweeps pictures panicked");
        }
    }
}
