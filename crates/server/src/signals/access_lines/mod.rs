//! The lines of the access log on their way to the thread that writes them. A thread that answers appends a line to a
//! buffer; the log's thread takes everything that waits, a few times a second. No request waits for the log: when the
//! buffer is full, a line is dropped and counted.
//!
//! `line` has the format of a line.

mod line;

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tracing::Level;
use tracing::level_filters::LevelFilter;

pub(crate) use line::field_name;
pub use line::{FieldName, Line, LineFormat, WriteFields, WrittenFields};

/// The target of the lines.
pub const TARGET: &str = "access";
/// Bytes that may wait.
const BYTES_MAX: usize = 8 << 20;
/// How long further lines are gathered after the first one.
const GATHER: Duration = Duration::from_millis(50);
/// Bytes that are written without gathering more. So few stay in the cache of a core until they are written.
const ENOUGH_BYTES: usize = 256 << 10;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The lines that wait, and which lines are wanted.
#[derive(Debug)]
pub struct AccessLines {
    format: LineFormat,
    wanted: LevelFilter,
    logs_successes: bool,
    /// No line is wanted (`switch`).
    is_off: AtomicBool,
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    written: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// The empty buffer that is filled while `bytes` are written. The two keep their memory.
    spare: Vec<u8>,
    dropped: u64,
    /// The log's thread writes what it took.
    is_writing: bool,
    /// A caller waits until everything is written.
    is_hurried: bool,
}

impl AccessLines {
    /// `wanted` are the levels of lines that are written. Successful requests are at `info` if `logs_successes`, else
    /// at `debug`.
    pub fn new(format: LineFormat, wanted: LevelFilter, logs_successes: bool) -> AccessLines {
        AccessLines {
            format,
            wanted,
            logs_successes,
            is_off: AtomicBool::new(false),
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            written: Condvar::new(),
        }
    }

    /// Takes lines or refuses them. For a benchmark that compares both.
    pub(crate) fn switch(&self, is_on: bool) {
        self.is_off.store(!is_on, Ordering::Relaxed);
    }

    /// The level of a response with this status. A refusal for a rate limit is for debugging: nothing limits their
    /// number, and metrics count them.
    pub fn level_of(&self, status: u16) -> Level {
        match status {
            429 => Level::DEBUG,
            ..400 if self.logs_successes => Level::INFO,
            ..400 => Level::DEBUG,
            400..500 => Level::INFO,
            _ => Level::WARN,
        }
    }

    pub fn is_wanted(&self, level: Level) -> bool {
        level <= self.wanted && !self.is_off.load(Ordering::Relaxed)
    }

    /// Appends a line. `at` is the time in Unix microseconds.
    pub fn push(&self, level: Level, at: i64, fields: &impl WriteFields) {
        SCRATCH.with_borrow_mut(|bytes| {
            bytes.clear();
            let mut line = Line::begin(bytes, self.format, level, at);
            fields.write(&mut line);
            line.end();
            self.append(bytes);
        });
    }

    /// Fields as `push` writes them, for the lines to come.
    pub fn written(&self, fields: &impl WriteFields) -> WrittenFields {
        WrittenFields::new(self.format, fields)
    }

    /// Appends bytes that are a whole line.
    pub fn append(&self, line: &[u8]) {
        let mut waiting = self.waiting.lock();
        if waiting.bytes.len() + line.len() > BYTES_MAX {
            waiting.dropped += 1;
            return;
        }
        let before = waiting.bytes.len();
        waiting.bytes.extend_from_slice(line);
        let after = waiting.bytes.len();
        drop(waiting);
        // The first line, and the line that makes it worth writing.
        if before == 0 || (before < ENOUGH_BYTES && after >= ENOUGH_BYTES) {
            self.arrived.notify_one();
        }
    }

    /// Writes the lines that wait, or waits for one until `patience` is over. Returns the number of lines dropped
    /// since the last call. Only the log's thread calls it.
    pub fn write_waiting(&self, patience: Duration, log: &mut impl Write) -> io::Result<u64> {
        let mut waiting = self.waiting.lock();
        if waiting.bytes.is_empty() {
            self.arrived.wait_for(&mut waiting, patience);
        }
        if !waiting.bytes.is_empty() && waiting.bytes.len() < ENOUGH_BYTES && !waiting.is_hurried {
            // Enough lines or a flush end this early.
            self.arrived.wait_for(&mut waiting, GATHER);
        }
        let spare = std::mem::take(&mut waiting.spare);
        let mut bytes = std::mem::replace(&mut waiting.bytes, spare);
        let dropped = std::mem::take(&mut waiting.dropped);
        waiting.is_writing = true;
        drop(waiting);
        let done = log.write_all(&bytes);
        bytes.clear();
        let mut waiting = self.waiting.lock();
        waiting.spare = bytes;
        (waiting.is_writing, waiting.is_hurried) = (false, false);
        self.written.notify_all();
        done.map(|()| dropped)
    }

    /// Waits until the lines so far are written, but not longer than `patience`.
    pub fn flush(&self, patience: Duration) {
        let mut waiting = self.waiting.lock();
        waiting.is_hurried = true;
        self.arrived.notify_one();
        self.written.wait_while_for(
            &mut waiting,
            |waiting| !waiting.bytes.is_empty() || waiting.is_writing,
            patience,
        );
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    fn written(lines: &AccessLines) -> (String, u64) {
        let mut log = Vec::new();
        let dropped = lines.write_waiting(Duration::ZERO, &mut log).expect("a vector takes all");
        (String::from_utf8(log).expect("text"), dropped)
    }

    #[test]
    fn the_level_depends_on_the_status_and_the_setting() {
        for (logs_successes, success) in [(true, Level::INFO), (false, Level::DEBUG)] {
            let lines = AccessLines::new(LineFormat::Text, LevelFilter::INFO, logs_successes);
            assert_eq!((lines.level_of(200), lines.level_of(304)), (success, success));
            assert_eq!((lines.level_of(404), lines.level_of(503)), (Level::INFO, Level::WARN));
            assert_eq!(lines.level_of(429), Level::DEBUG);
            assert!(lines.is_wanted(Level::WARN) && !lines.is_wanted(Level::DEBUG));
        }
    }

    #[test]
    fn a_full_buffer_drops_lines_and_counts_them() {
        let lines = AccessLines::new(LineFormat::Text, LevelFilter::INFO, true);
        let line = [b'x'; 1 << 20];
        for _ in 0..11 {
            lines.append(&line);
        }
        let (text, dropped) = written(&lines);
        assert_eq!((text.len(), dropped), (BYTES_MAX, 3));
        lines.append(b"after\n");
        assert_eq!(written(&lines), ("after\n".to_owned(), 0));
    }

    #[test]
    fn a_flush_returns_when_the_lines_are_written() {
        let lines = Arc::new(AccessLines::new(LineFormat::Text, LevelFilter::INFO, true));
        lines.append(b"one\n");
        let writer = lines.clone();
        let writing = thread::spawn(move || {
            let mut log = Vec::new();
            while log.len() < 8 {
                writer.write_waiting(Duration::from_secs(60), &mut log).expect("a vector takes all");
            }
            log
        });
        lines.flush(Duration::from_secs(60));
        assert!(lines.waiting.lock().bytes.is_empty());
        lines.append(b"two\n");
        lines.flush(Duration::from_secs(60));
        assert_eq!(writing.join().expect("no panic"), b"one\ntwo\n");
    }
}
