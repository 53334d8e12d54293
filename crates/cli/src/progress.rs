//! Progress of a long operation: a bar on a terminal, otherwise one log line per second.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const LINE_EVERY: Duration = Duration::from_secs(1);

/// Create it before the operation, and call `report` during it.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    is_terminal: bool,
    last: Instant,
    what: &'static str,
}

impl Progress {
    pub fn new() -> Progress {
        Progress::named("replaying the journal")
    }

    /// With a label.
    pub fn named(what: &'static str) -> Progress {
        Progress { bar: None, is_terminal: io::stderr().is_terminal(), last: Instant::now(), what }
    }

    pub fn report(&mut self, done: u64, all: u64) {
        if self.is_terminal {
            let bar = self.bar.get_or_insert_with(|| bar(self.what, all));
            bar.set_position(done);
        } else if self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            tracing::info!(done, all, "{}", self.what);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &'static str, all: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {human_pos}/{human_len} {eta}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(all).with_style(style).with_message(what)
}
