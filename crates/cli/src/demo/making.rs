//! The first start on an empty folder: people, events and, if asked for, a past are made before anything is served.
//!
//! The journal is written without waiting for the disk and made durable as a whole at the end. Until then a file in the
//! folder says so: a start that finds it, after Ctrl-C or a power cut, throws away what was made and begins again.

use std::error::Error;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::time::{Span, Time};
use journal::disk::RealDisk;
use journal::file::Options;
use server::admin::access::ensure_first_operator;
use server::clock::{Clock, ManualClock, SystemClock};
use server::node::Node;
use server::startup::Disks;

use super::past::{self, Past};
use super::stage;
use super::unsynced::Unsynced;
use crate::settings::Settings;

const MARK: &str = "demo.unfinished";
const MARKED: &str = "A demo is being made here. If it was interrupted, `bellwether demo` begins again.\n";
/// What a node makes and what is thrown away with an unfinished demo; keys and tokens stay.
const MADE: [&str; 3] = ["journal", "snapshots", "history"];

#[derive(Debug, thiserror::Error)]
enum MakingError {
    #[error("another process is making a demo in {0}")]
    InUse(PathBuf),
    #[error("the folder {folder} cannot be made ready for a demo: {cause}")]
    Folder { folder: PathBuf, cause: io::Error },
}

/// Whether a folder holds a demo that was never finished, and that nobody was ever served from.
pub(crate) fn is_unfinished(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

/// Makes a demo in a folder that has none.
pub(super) fn make_if_new(settings: &Settings, past_days: i64) -> Result<(), Box<dyn Error>> {
    let folder = &settings.data;
    // Whatever else is there is somebody's: a start says what it makes of it.
    if !is_unfinished(folder) && MADE.iter().any(|name| folder.join(name).exists()) {
        return Ok(());
    }
    let failed = |cause| MakingError::Folder { folder: folder.clone(), cause };
    let mark = begin(folder).map_err(failed)?.ok_or_else(|| MakingError::InUse(folder.clone()))?;
    let journal = Arc::new(Unsynced(RealDisk::new(folder.join("journal")).map_err(failed)?));
    let disks = Disks { journal, ..Disks::of(folder).map_err(failed)? };
    if past_days > 0 {
        with_past(settings, disks, past_days)?
    } else {
        without_past(settings, disks)?
    }
    finish(folder).map_err(failed)?;
    drop(mark);
    Ok(())
}

fn without_past(settings: &Settings, disks: Disks) -> Result<(), Box<dyn Error>> {
    let node = start(settings, disks, Arc::new(SystemClock))?;
    let built = ensure_first_operator(&node.app, &settings.operator_token_file)
        .map_err(Box::<dyn Error>::from)
        .and_then(|_| Ok(stage::build(&node.app)?));
    node.stop()?;
    built.map(drop)
}

fn with_past(settings: &Settings, disks: Disks, days: i64) -> Result<(), Box<dyn Error>> {
    let end = Time::from_micros(SystemClock.now_micros());
    let begin = (end - Span::days(days)).next_multiple(past::STEP);
    let clock = Arc::new(ManualClock::new((begin - past::STEP).micros()));
    let node = start(settings, disks, clock.clone())?;
    let lived = Past::new(node.app.clone(), clock).live(settings, begin, end);
    node.stop()?;
    lived
}

fn start(settings: &Settings, disks: Disks, clock: Arc<dyn Clock>) -> Result<Node, Box<dyn Error>> {
    let (rates, options) = (settings.rates, Options::default());
    Ok(Node::start_on(&settings.data, disks, rates, clock.clone(), clock, options, |_, _| {})?)
}

/// Leaves the mark and none of what a node makes. None: somebody else is at work here.
fn begin(folder: &Path) -> io::Result<Option<File>> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let (path, is_new) = (folder.join(MARK), !is_unfinished(folder));
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(is_new).mode(0o600).open(&path);
    let mut mark = match opened {
        Ok(mark) => mark,
        // It came or went just now.
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    match mark.try_lock() {
        // Whoever has finished took it away before letting go of it.
        Ok(()) if path.exists() => {}
        Ok(()) | Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    mark.write_all(MARKED.as_bytes())?;
    mark.sync_all()?;
    sync(folder)?;
    for made in MADE.map(|name| folder.join(name)) {
        if made.exists() {
            fs::remove_dir_all(made)?;
        }
    }
    Ok(Some(mark))
}

/// Makes everything durable, and only then takes the mark away.
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
