//! The first start on an empty folder: people, events and, on request, a past are created before anything is served.
//!
//! The journal is written without fsync and made durable as a whole at the end. Until then a marker file is in the
//! folder: a start that finds it, after Ctrl-C or a power failure, deletes the unfinished demo and starts over.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::time::{Span, Time};
use journal::disk::RealDisk;
use journal::unsynced::Unsynced;
use server::admin::access::ensure_first_operator;
use server::folder::{FolderLock, write_atomically};
use server::node::Node;
use server::pipeline::clock::{Clock, ManualClock, SystemClock};
use server::startup::Disks;

use super::past::{self, Past};
use super::stage;
use crate::settings::Settings;

const MARK: &str = "demo.unfinished";
const MARKED: &str = "A demo is being made here. If it was interrupted, `bellwether demo` begins again.\n";
/// Folders created by a node, deleted with an unfinished demo. Keys and tokens are kept.
const MADE: [&str; 4] = ["journal", "snapshots", "history", "people"];

#[derive(Debug, thiserror::Error)]
#[error("the folder {folder} cannot be made ready for a demo: {cause}")]
struct MakingError {
    folder: PathBuf,
    cause: io::Error,
}

/// Whether a folder holds an unfinished demo, from which nothing was ever served.
pub(crate) fn is_unfinished(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

/// Creates a demo in a locked folder that has none.
pub(super) fn make_if_new(
    settings: &Settings,
    folder_lock: &FolderLock,
    past_days: i64,
) -> Result<(), Box<dyn Error>> {
    let folder = folder_lock.folder();
    let failed = |cause| MakingError { folder: folder.to_owned(), cause };
    // Existing data that is not an unfinished demo is left to the normal start.
    if !is_unfinished(folder) && MADE.iter().any(|name| folder.join(name).exists()) {
        return Ok(());
    }
    begin(folder).map_err(failed)?;
    let journal = Arc::new(Unsynced(RealDisk::new(folder.join("journal")).map_err(failed)?));
    let disks = Disks { journal, ..Disks::of(folder).map_err(failed)? };
    if past_days > 0 {
        with_past(settings, folder_lock, disks, past_days)?
    } else {
        without_past(settings, folder_lock, disks)?
    }
    Ok(finish(folder).map_err(failed)?)
}

fn without_past(settings: &Settings, folder_lock: &FolderLock, disks: Disks) -> Result<(), Box<dyn Error>> {
    let node = start(settings, folder_lock, disks, Arc::new(SystemClock))?;
    let built = ensure_first_operator(&node.app, &settings.operator_token_file)
        .map_err(Box::<dyn Error>::from)
        .and_then(|_| Ok(stage::build(&node.app)?));
    node.stop()?;
    built.map(drop)
}

fn with_past(
    settings: &Settings,
    folder_lock: &FolderLock,
    disks: Disks,
    days: i64,
) -> Result<(), Box<dyn Error>> {
    let end = Time::from_micros(SystemClock.now());
    let begin = (end - Span::days(days)).next_multiple(past::STEP);
    let clock = Arc::new(ManualClock::new((begin - past::STEP).micros()));
    let node = start(settings, folder_lock, disks, clock.clone())?;
    let lived = Past::new(node.app.clone(), clock).live(settings, begin, end);
    node.stop()?;
    lived
}

fn start(
    settings: &Settings,
    folder_lock: &FolderLock,
    disks: Disks,
    clock: Arc<dyn Clock>,
) -> Result<Node, Box<dyn Error>> {
    let builder = Node::builder(folder_lock.clone()).disks(disks).rates(settings.rates);
    Ok(builder.clock(clock.clone()).journal_clock(clock).start()?)
}

/// Writes the marker and deletes what a node has created.
fn begin(folder: &Path) -> io::Result<()> {
    write_atomically(&folder.join(MARK), MARKED.as_bytes())?;
    for made in MADE.map(|name| folder.join(name)) {
        if made.exists() {
            fs::remove_dir_all(made)?;
        }
    }
    Ok(())
}

/// Makes everything durable, and only then removes the marker.
fn finish(folder: &Path) -> io::Result<()> {
    for name in MADE {
        let made = folder.join(name);
        for entry in fs::read_dir(&made)? {
            sync(&entry?.path())?;
        }
        sync(&made)?;
    }
    fs::remove_file(folder.join(MARK))?;
    sync(folder)
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
