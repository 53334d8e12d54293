//! How far the replay is: a bar on a terminal, else a line a second.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const LINE_EVERY: Duration = Duration::from_secs(1);

/// Made before the replay, told now and then.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    is_terminal: bool,
    last: Instant,
}

impl Progress {
    pub fn new() -> Progress {
        Progress { bar: None, is_terminal: io::stderr().is_terminal(), last: Instant::now() }
    }

    pub fn tell(&mut self, done: u64, all: u64) {
        if self.is_terminal {
            let bar = self.bar.get_or_insert_with(|| bar(all));
            bar.set_position(done);
        } else if self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            tracing::info!(sequence = done, last = all, "replaying the journal");
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

fn bar(all: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("replaying {bar:40} {human_pos}/{human_len} {eta}");
    ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
