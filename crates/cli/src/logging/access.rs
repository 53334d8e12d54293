//! The thread that writes the access log. Responses and logins append their lines to `AccessLines`, and several are
//! written together: no request waits for the log.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use server::signals::access_lines::AccessLines;
use tracing_subscriber::fmt::MakeWriter;

use super::repeats::Repeats;

/// How often withheld lines are reported.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// How long a stop waits for the last lines.
const FLUSH_MAX: Duration = Duration::from_secs(2);

/// Appends lines that `tracing` makes: those of logins.
#[derive(Clone)]
pub(super) struct AccessWriter(Arc<AccessLines>);

/// The log. Waits until the last lines are written when it is dropped.
#[derive(Debug)]
pub struct LogGuard {
    lines: Arc<AccessLines>,
}

impl AccessWriter {
    /// Starts the thread. It also reports the lines that `repeats` withheld.
    pub(super) fn start(lines: AccessLines, repeats: Arc<Repeats>) -> io::Result<(AccessWriter, LogGuard)> {
        let lines = Arc::new(lines);
        let written = lines.clone();
        let work = move || run(&written, &repeats);
        thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok((AccessWriter(lines.clone()), LogGuard { lines }))
    }
}

impl LogGuard {
    /// Where a node appends a line for each response.
    pub fn access_lines(&self) -> Arc<AccessLines> {
        self.lines.clone()
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.lines.flush(FLUSH_MAX);
    }
}

impl Write for AccessWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.append(line);
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

fn run(lines: &AccessLines, repeats: &Repeats) {
    loop {
        // A log that cannot be written has no better place to report that.
        let dropped = lines.write_waiting(REPORT_EVERY, &mut io::stderr()).unwrap_or(0);
        report(dropped, repeats);
    }
}

/// Reports what the log left out.
fn report(dropped: u64, repeats: &Repeats) {
    if dropped > 0 {
        tracing::warn!(target: "log", lines = dropped, "the access log is too slow: lines were dropped");
    }
    for (place, lines) in repeats.take_ended(Instant::now()) {
        tracing::warn!(target: "log", place, lines, "more lines from this place were not written");
    }
}
