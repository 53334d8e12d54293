//! Rebuilds the history of a folder from its journal.

use std::fs::{self, File};
use std::path::Path;

use journal::file::Options;

use super::NodeError;
use crate::audit::DataFolder;
use crate::folder::lock;
use crate::history::OpenedHistory;
use crate::pipeline::clock::{Clock, SystemClock};
use crate::pipeline::observing::Observers;
use crate::startup::{self, Disks, Opened, StartError};

/// Rebuilds a folder's history from its journal and returns the last sequence. The old history is replaced once the new
/// one is complete. A folder that is in use is refused.
pub fn rebuild_history<'a>(
    folder: impl Into<DataFolder<'a>>,
    progress: impl FnMut(u64, u64),
) -> Result<u64, NodeError> {
    Ok(rebuild(folder, progress)?.exchange.seq())
}

/// Like `rebuild_history`, but returns the state at the end of the journal. The journal stays locked until it is
/// dropped.
pub(crate) fn rebuild<'a>(
    folder: impl Into<DataFolder<'a>>,
    progress: impl FnMut(u64, u64),
) -> Result<Opened, NodeError> {
    let DataFolder { folder, archive } = folder.into();
    if !folder.join("journal").is_dir() {
        return Err(NodeError::NoJournal(folder.to_owned()));
    }
    let _held = lock(folder)?;
    let (place, fresh) = (folder.join("history"), folder.join("history.new"));
    crate::history::remove(&fresh)?;
    let (history, recorder, thread) = crate::history::open(&fresh)?.into_parts();
    let mut observers = Observers::of_history(recorder);
    // `opened` has the journal's lock and keeps it until the caller drops it.
    let opened = Disks::of(folder).map_err(StartError::from).and_then(|disks| {
        let disks = disks.with_archive(archive.map(Path::to_owned));
        let machine = || Box::new(SystemClock) as Box<dyn Clock>;
        startup::open_with(disks, Options::default(), machine, &mut observers, progress)
    });
    drop((observers, history));
    OpenedHistory::join(thread);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            // An incomplete history is useless; the error is what matters.
            let _ = fs::remove_dir_all(&fresh);
            return Err(error.into());
        }
    };
    let replace = || {
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&fresh, &place)?;
        File::open(folder)?.sync_all()
    };
    replace().map_err(NodeError::Replace)?;
    Ok(opened)
}
