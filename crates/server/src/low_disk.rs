//! Watches the free space of the data folder's disk.
//!
//! When the disk of a journal is nearly full, the node switches the exchange to cancel-only, so that traders can still
//! close their orders; with enough space it switches back. The switch is a command like any other. On a shared log the
//! disk has only the node's own history and snapshots: the node is then not ready, and the other nodes serve.

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

/// What a nearly full disk stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowDiskEffect {
    /// The disk has the journal: the exchange accepts cancels only.
    CancelOnly,
    /// The journal is elsewhere: this node is not ready.
    NotReady,
}

/// Free bytes below which the disk is nearly full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor(pub u64);

impl Floor {
    /// Free bytes below which a warning is logged.
    fn doubled(self) -> Floor {
        Floor(self.0.saturating_mul(2))
    }

    /// Whether to switch the effect on or off, or `None` to leave it. Switching off needs a quarter more than the
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
    (floor, effect): (Floor, LowDiskEffect),
    free: impl Fn() -> io::Result<u64> + Send + 'static,
    mut stopping: watch::Receiver<bool>,
) {
    let (mut is_blind, mut is_filling) = (false, false);
    loop {
        match free() {
            Ok(free) => {
                is_blind = false;
                if let Some(now) = floor.doubled().judge(free, is_filling) {
                    is_filling = now;
                    if is_filling {
                        tracing::warn!(free, floor = floor.0, "the disk of the data folder is filling up");
                    }
                }
                match effect {
                    LowDiskEffect::CancelOnly => check(&app, floor, free).await,
                    LowDiskEffect::NotReady => check_node(&app, floor, free),
                }
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

/// Checks the disk of a node on a shared log once.
pub fn check_node(app: &App, floor: Floor, free: u64) {
    let Some(is_low) = floor.judge(free, app.is_disk_low()) else { return };
    app.note_disk(is_low);
    match is_low {
        true => tracing::error!(free, floor = floor.0, "the disk is nearly full: this node is not ready"),
        false => tracing::info!(free, "the disk has room again"),
    }
}

/// Checks the disk of a journal once, and submits a command if the mode has to change.
pub async fn check(app: &App, floor: Floor, free: u64) {
    app.note_disk(floor.judge(free, app.is_disk_low()).unwrap_or(app.is_disk_low()));
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
