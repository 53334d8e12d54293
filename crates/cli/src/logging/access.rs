//! The thread that writes the access log: lines wait in a bounded queue, and several are written together. When the queue
//! is full a line is dropped and counted, because no request may wait for the log.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tracing_subscriber::fmt::MakeWriter;

use super::repeats::Repeats;

/// Lines that may wait.
const QUEUE_MAX: usize = 16_384;
/// Bytes written together.
const WRITE_BYTES: usize = 64 << 10;
/// How often withheld lines are reported.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// How long a stop waits for the last lines.
const FLUSH_MAX: Duration = Duration::from_secs(2);

enum Message {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

/// Queues a line of the log. Cloning it is cheap.
#[derive(Clone)]
pub(super) struct AccessWriter {
    queue: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

/// Writes the queued lines when it is dropped.
#[derive(Debug)]
pub struct LogGuard {
    queue: SyncSender<Message>,
}

impl std::fmt::Debug for Message {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Message")
    }
}

impl AccessWriter {
    /// Starts the thread. It also reports the lines that `repeats` withheld.
    pub(super) fn start(repeats: Arc<Repeats>) -> io::Result<(AccessWriter, LogGuard)> {
        let (queue, received) = sync_channel(QUEUE_MAX);
        let dropped = Arc::new(AtomicU64::new(0));
        let lost = dropped.clone();
        let work = move || run(&received, &lost, &repeats);
        thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok((AccessWriter { queue: queue.clone(), dropped }, LogGuard { queue }))
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        let (done, is_done) = sync_channel(1);
        if self.queue.send(Message::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(FLUSH_MAX);
        }
    }
}

impl Write for AccessWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Err(TrySendError::Full(_)) = self.queue.try_send(Message::Line(line.to_vec())) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for AccessWriter {
    type Writer = AccessWriter;

    fn make_writer(&self) -> AccessWriter {
        self.clone()
    }
}

fn run(received: &Receiver<Message>, dropped: &AtomicU64, repeats: &Repeats) {
    let mut bytes = Vec::with_capacity(WRITE_BYTES);
    loop {
        let first = received.recv_timeout(REPORT_EVERY);
        let mut flushed = Vec::new();
        match first {
            Ok(message) => {
                take(message, &mut bytes, &mut flushed);
                while bytes.len() < WRITE_BYTES
                    && let Ok(message) = received.try_recv()
                {
                    take(message, &mut bytes, &mut flushed);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        // A log that cannot be written has no better place to report that.
        let _ = io::stderr().lock().write_all(&bytes);
        bytes.clear();
        for done in flushed {
            let _ = done.send(());
        }
        report(dropped, repeats);
    }
}

fn take(message: Message, bytes: &mut Vec<u8>, flushed: &mut Vec<SyncSender<()>>) {
    match message {
        Message::Line(line) => bytes.extend_from_slice(&line),
        Message::Flush(done) => flushed.push(done),
    }
}

/// Reports what the log left out.
fn report(dropped: &AtomicU64, repeats: &Repeats) {
    let lines = dropped.swap(0, Ordering::Relaxed);
    if lines > 0 {
        tracing::warn!(target: "log", lines, "the access log is too slow: lines were dropped");
    }
    for (place, lines) in repeats.take_ended(Instant::now()) {
        tracing::warn!(target: "log", place, lines, "more lines from this place were not written");
    }
}
