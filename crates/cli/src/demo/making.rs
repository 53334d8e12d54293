//! The first start on an empty folder: people, events and, if asked for, a past are made before anything is served.
//!
//! The journal is written without waiting for the disk and made durable as a whole at the end. Until then a file in the
//! folder says so: a start that finds it, after Ctrl-C or a power cut, throws away what was made and begins again.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::time::{Span, Time};
use journal::disk::{Disk, RealDisk};
use journal::file::Options;
use server::admin::access::ensure_first_operator;
use server::clock::{Clock, ManualClock, SystemClock};
use server::node::Node;
use server::startup::Disks;

use super::past::{self, Past};
use super::stage;
use super::unsynced::Unsynced;
use crate::settings::Settings;

/// Held by whoever looks whether there is a demo, and makes one.
const LOCK: &str = "demo.lock";
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
    let failed = |cause| MakingError::Folder { folder: folder.clone(), cause };
    let lock =
        RealDisk::new(folder).and_then(|disk| disk.lock(LOCK)).map_err(|cause| match cause.kind() {
            ErrorKind::WouldBlock => MakingError::InUse(folder.clone()),
            _ => failed(cause),
        })?;
    // Whatever else is there is somebody's: a start says what it makes of it.
    if !is_unfinished(folder) && MADE.iter().any(|name| folder.join(name).exists()) {
        return Ok(());
    }
    begin(folder).map_err(failed)?;
    let journal = Arc::new(Unsynced(RealDisk::new(folder.join("journal")).map_err(failed)?));
    let disks = Disks { journal, ..Disks::of(folder).map_err(failed)? };
    if past_days > 0 {
        with_past(settings, disks, past_days)?
    } else {
        without_past(settings, disks)?
    }
    finish(folder).map_err(failed)?;
    drop(lock);
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

/// Leaves the mark, and none of what a node makes.
fn begin(folder: &Path) -> io::Result<()> {
    let mark = folder.join(MARK);
    fs::write(&mark, MARKED)?;
    sync(&mark)?;
    sync(folder)?;
    for made in MADE.map(|name| folder.join(name)) {
        if made.exists() {
            fs::remove_dir_all(made)?;
        }
    }
    Ok(())
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
