//! From folder to live state: the newest usable snapshot, then every frame after it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use exchange::Exchange;
use journal::archive::ArchivePlace;
use journal::disk::{Disk, RealDisk};
use journal::file::{FileJournal, Options};
use journal::snapshots::SnapshotStore;
use journal::{Head, Journal, Sequence};

use crate::applied::{Observer, Unobserved};
use crate::identifiers::new_id;
use crate::pipeline::clock::{Clock, Confidence, SystemClock};
pub use crate::pipeline::replay::StartReport;
use crate::pipeline::replay::{RestoredState, is_on_chain, replay, restore};
use crate::pipeline::skips::Skips;
use crate::pipeline::timekeeping::PAST_MAX;
pub use crate::start_error::StartError;

/// Makes this process the next version if `BELLWETHER_NEXT` is set, in an executable of the tests: the drill of an upgrade
/// needs two versions. Called before anything else; any other executable stays what it is.
pub fn choose_version() {
    #[cfg(feature = "next")]
    if std::env::var_os("BELLWETHER_NEXT").is_some() {
        exchange::next::become_next();
    }
}

/// A state that matches the end of its journal.
#[allow(missing_debug_implementations, reason = "a journal has nothing to print")]
pub struct Opened {
    pub journal: Box<dyn Journal>,
    pub exchange: Exchange,
    pub head: Head,
    pub snapshots: SnapshotStore,
    pub report: StartReport,
}

/// The disks of the journal and the snapshots.
#[derive(Clone, Debug)]
pub struct Disks {
    pub journal: Arc<dyn Disk>,
    pub snapshots: Arc<dyn Disk>,
    /// The journal's archive, if it is not where the journal's record says.
    pub archive: Option<PathBuf>,
}

impl Disks {
    /// The two subfolders of a data folder, created if they are missing.
    pub fn of(folder: &Path) -> io::Result<Disks> {
        let journal = Arc::new(RealDisk::new(folder.join("journal"))?);
        let snapshots = Arc::new(RealDisk::new(folder.join("snapshots"))?);
        Ok(Disks { journal, snapshots, archive: None })
    }

    /// Reads the archive from another place than the journal's record says.
    pub fn with_archive(self, archive: Option<PathBuf>) -> Disks {
        Disks { archive, ..self }
    }
}

/// Opens the journal and the snapshots of a folder and creates them if they are missing. `progress` receives the
/// sequence reached by the replay and the last one.
pub fn open(folder: &Path, progress: impl FnMut(u64, u64)) -> Result<Opened, StartError> {
    open_observed(folder, &mut Unobserved, progress)
}

/// Like `open`; `observer` receives every replayed request.
pub fn open_observed(
    folder: &Path,
    observer: &mut dyn Observer,
    progress: impl FnMut(u64, u64),
) -> Result<Opened, StartError> {
    open_with(Disks::of(folder)?, Options::default(), || Box::new(SystemClock), observer, progress)
}

/// Like `open_observed`, with the given disks, journal options and clock for new frames.
pub fn open_with(
    disks: Disks,
    options: Options,
    clock: impl Fn() -> Box<dyn Clock>,
    observer: &mut dyn Observer,
    mut progress: impl FnMut(u64, u64),
) -> Result<Opened, StartError> {
    let snapshots = SnapshotStore::new(disks.snapshots);
    let RestoredState { mut exchange, newest: snapshot_head, mut report, .. } =
        restore(&snapshots, &*observer)?;
    let options = Options { verify_from: Sequence(exchange.seq() + 1), ..options };
    let known = match observer.stored_until() {
        u64::MAX => 0,
        known => known,
    };
    let kept = known.max(snapshot_head.next.0 - 1);
    let mut journal = open_or_create(&disks.journal, &clock, options, kept)?;
    if let Some(archive) = &disks.archive {
        journal.read_archive(ArchivePlace::folder(archive));
    }
    report.cut = journal.cut().map(|cut| format!("{cut:?}"));
    let head = journal.head()?;
    let behind = head.at.saturating_sub(clock().now());
    report.behind = Duration::from_micros(u64::try_from(behind).unwrap_or(0));
    let last = head.next.0 - 1;
    if kept > last {
        return Err(StartError::OtherJournal(format!("they go to sequence {kept}, it ends at {last}")));
    }
    if !is_on_chain(&journal, &head, &snapshot_head)? {
        let what = format!("the snapshot at {} followed another frame", snapshot_head.next.0 - 1);
        return Err(StartError::OtherJournal(what));
    }
    let skips = Skips::find(&journal, Sequence(exchange.seq() + 1))?;
    let mut frames = journal.frames(Sequence(exchange.seq() + 1))?;
    while let Some(frame) = frames.next_frame()? {
        report.replayed += replay(&mut exchange, &frame, &skips, observer)?;
        observer.group_ended();
        progress(exchange.seq(), last);
    }
    Ok(Opened { journal: Box::new(journal), exchange, head, snapshots, report })
}

/// Refuses an unsynchronised clock that is more than a day past the last frame. Returns the distance if the operator
/// accepted such a clock.
pub(crate) fn check_clock(head: &Head, clock: &dyn Clock) -> Result<Option<Duration>, StartError> {
    let past = u64::try_from(clock.now().saturating_sub(head.at)).unwrap_or(0);
    let past = Duration::from_micros(past);
    if head.next == Sequence::FIRST || past <= PAST_MAX {
        return Ok(None);
    }
    match clock.confidence() {
        Confidence::Synchronised => Ok(None),
        Confidence::Accepted => Ok(Some(past)),
        Confidence::Unsynchronised => Err(StartError::UnsureClock { hours: past.as_secs() / 3_600 }),
    }
}

/// Opens the journal or creates a new one. `kept` is the last sequence of snapshots and history: if they have any, no
/// new journal is created.
fn open_or_create(
    disk: &Arc<dyn Disk>,
    clock: impl Fn() -> Box<dyn Clock>,
    options: Options,
    kept: u64,
) -> Result<FileJournal, StartError> {
    match FileJournal::open(disk.clone(), clock(), options) {
        Err(journal::Error::NoJournal) if kept > 0 => {
            Err(StartError::OtherJournal(format!("they go to sequence {kept}, and there is none")))
        }
        Err(journal::Error::NoJournal) => {
            let id = *new_id().as_bytes();
            Ok(FileJournal::create(disk.clone(), clock(), options, id)?)
        }
        opened => Ok(opened?),
    }
}
