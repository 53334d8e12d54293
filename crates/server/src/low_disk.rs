//! Watches the free space of the journal's disk. When it is low, the node switches the exchange to cancel-only, so that
//! traders can still close their orders; with enough space it switches back. The switch is a command like any other, so
//! every node agrees on it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use exchange::command::{Command, SetCancelOnly};
use exchange::governance::CancelOnlyCause;
use exchange::identity::Actor;
use tokio::sync::watch;

use crate::app::App;

const POLL_EVERY: Duration = Duration::from_secs(2);

/// Free bytes below which the exchange accepts cancels only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor(pub u64);

impl Floor {
    /// Whether to switch cancel-only on or off, or `None` to leave it. Switching off needs a quarter more than the
    /// floor, so that the mode does not flap.
    fn judge(self, free: u64, is_stopped: bool) -> Option<bool> {
        if !is_stopped && free < self.0 {
            return Some(true);
        }
        (is_stopped && free >= self.0.saturating_add(self.0 / 4)).then_some(false)
    }
}

/// The bytes that an unprivileged process may still write to the disk of `path`.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Checks the disk every two seconds until `stopping` is set. `free` returns the free bytes.
pub async fn watch_disk(
    app: Arc<App>,
    floor: Floor,
    free: impl Fn() -> io::Result<u64> + Send + 'static,
    mut stopping: watch::Receiver<bool>,
) {
    let mut is_blind = false;
    loop {
        match free() {
            Ok(free) => {
                is_blind = false;
                check(&app, floor, free).await;
            }
            Err(error) if !is_blind => {
                is_blind = true;
                tracing::warn!(%error, "cannot read the free disk space");
            }
            Err(_) => {}
        }
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(POLL_EVERY) => {}
        }
    }
}

/// Checks once, and submits a command if the mode has to change.
pub async fn check(app: &App, floor: Floor, free: u64) {
    let causes: Vec<_> = app.reading().state().governance().cancel_only_causes().collect();
    let Some(on) = floor.judge(free, causes.contains(&CancelOnlyCause::LowDisk)) else { return };
    let command = Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::LowDisk, on });
    // If the command fails, the next check submits it again.
    if app.writing().submit(Actor::System, None, command).await.is_ok() {
        match on {
            true => tracing::error!(free, floor = floor.0, "the disk is nearly full: cancels only"),
            false => tracing::info!(free, "the disk has room again: trading resumes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_changes_below_the_floor_and_back_only_a_quarter_above_it() {
        let floor = Floor(1_000);
        let table = [
            (1_000, false, None),
            (999, false, Some(true)),
            (0, true, None),
            (1_000, true, None),
            (1_249, true, None),
            (1_250, true, Some(false)),
            (u64::MAX, false, None),
        ];
        for (free, is_stopped, told) in table {
            assert_eq!(floor.judge(free, is_stopped), told, "{free} {is_stopped}");
        }
        assert_eq!(Floor(0).judge(0, false), None, "a floor of zero never switches");
    }

    #[test]
    fn the_disk_of_a_folder_has_a_size_and_a_missing_one_is_an_error() {
        assert!(free_bytes(Path::new("/")).expect("the root's disk") > 0);
        assert!(free_bytes(Path::new("/no/such/folder")).is_err());
    }
}
