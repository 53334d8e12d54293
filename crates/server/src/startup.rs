//! From folder to live state: the newest usable snapshot, then every frame after it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use exchange::codec;
use exchange::time::Time;
use exchange::{Exchange, Undecidable};
use journal::archive::ArchivePlace;
use journal::disk::{Disk, RealDisk};
use journal::file::{FileJournal, Options};
use journal::snapshots::{SnapshotStore, Snapshots};
use journal::{Clock, Frame, FrameHash, FrameHeader, Head, Journal, Payload, Sequence, SystemClock};

use crate::clock::Confidence;
use crate::deciding::decide;
use crate::sequencer::{Applied, Decided, Observer};
use crate::skips::Skips;
use crate::timekeeping::PAST_MAX;

/// An observer that does nothing.
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn applied(&mut self, _: &Applied<'_>) {}
}

/// Why the exchange does not start. Each message names what to check.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the data folder cannot be used: {0}")]
    Folder(#[from] io::Error),
    #[error(transparent)]
    Journal(#[from] journal::Error),
    #[error("this build cannot decide sequence {seq} of the journal: {cause}. Start a newer build")]
    Undecidable { seq: u64, cause: Undecidable },
    #[error("the frame at sequence {seq} should name a request to skip, and does not")]
    NotASkip { seq: u64 },
    #[error("the journal continues at sequence {found}, but the state expects {expected}")]
    Gap { expected: u64, found: u64 },
    #[error("this folder does not go with the log: {0}")]
    OtherLog(String),
    #[error(
        "snapshots and history do not belong to this journal: {0}. If frames are missing, restore the right journal. If this \
         is the right one, remove the folders snapshots and history: a start rebuilds both"
    )]
    OtherJournal(String),
    #[error("another process runs on {folder}: a data folder has one node")]
    InUse { folder: PathBuf },
    #[error(
        "the node of {folder} shares a log (log.id): name it with --journal. To return to a journal in the folder, run \
         `bellwether journal copy` first"
    )]
    SharesLog { folder: PathBuf },
    #[error(
        "{path} is missing, and API keys may have been made with it: restore it. If it is lost, create one of 32 random bytes, \
         mode 600; then every API key must be rotated"
    )]
    NoMasterKey { path: PathBuf },
    #[error(
        "the master key is not the key that the journal recorded: restore the right one. If it was compromised, replace it \
         with `bellwether master-key replace` while no node runs"
    )]
    WrongMasterKey,
    #[error(
        "another node with the mark of {path} is on the log: this folder is a copy of its folder. Remove node.id from the \
         copy. If this node itself lost its connection, the database notices within a minute: start again"
    )]
    MarkTaken { path: PathBuf },
    #[error(
        "the machine's clock is {hours} hours past the last frame of the journal, and the kernel reports it as unsynchronised: \
         a wrong time would close and expire events and orders for good. Start again when it is synchronised; if it is \
         right, start with --accept-clock"
    )]
    UnsureClock { hours: u64 },
    #[error("at sequence {seq} this node's state is {ours}, another's is {theirs}: one of them is wrong")]
    Diverged { seq: u64, ours: String, theirs: String },
}

/// A state that matches the end of its journal.
#[allow(missing_debug_implementations, reason = "a journal has nothing to print")]
pub struct Opened {
    pub journal: Box<dyn Journal>,
    pub exchange: Exchange,
    pub head: Head,
    pub snapshots: SnapshotStore,
    pub report: Report,
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

/// The findings of a start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The sequence of the snapshot used; 0 without one.
    pub snapshot: u64,
    /// Descriptions of the unusable snapshots.
    pub bad_snapshots: Vec<String>,
    pub replayed: u64,
    /// The torn frame that a crash left, if any. Its requests were never answered.
    pub cut: Option<String>,
    /// How far an unsynchronised clock that the operator accepted is past the last frame.
    pub unsure_clock: Option<Duration>,
    /// How far the stamping clock is behind the last frame. The exchange's time does not advance until the clock has
    /// caught up.
    pub behind: Duration,
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
    let Restored { mut exchange, newest: stood, mut report, .. } = restore(&snapshots, &*observer)?;
    let options = Options { verify_from: Sequence(exchange.seq() + 1), ..options };
    let known = match observer.known() {
        u64::MAX => 0,
        known => known,
    };
    let kept = known.max(stood.next.0 - 1);
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
    if !stands(&journal, &head, &stood)? {
        let what = format!("the snapshot at {} followed another frame", stood.next.0 - 1);
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
pub(crate) fn check_clock(
    head: &Head,
    clock: &dyn crate::clock::Clock,
) -> Result<Option<Duration>, StartError> {
    let past = u64::try_from(clock.now_micros().saturating_sub(head.at)).unwrap_or(0);
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

/// A state from a snapshot, or an empty one.
#[derive(Debug)]
pub(crate) struct Restored {
    pub(crate) exchange: Exchange,
    /// The journal head at the snapshot that `exchange` was restored from.
    pub(crate) head: Head,
    /// The journal head at the newest readable snapshot, even if `exchange` was not restored from it.
    pub(crate) newest: Head,
    pub(crate) report: Report,
}

/// Restores the newest snapshot that this build can read, if the observer has everything before it.
pub(crate) fn restore(
    mut snapshots: impl Snapshots,
    observer: &dyn Observer,
) -> Result<Restored, StartError> {
    let latest = snapshots.latest_read(|snapshot| {
        let state = codec::decode_snapshot(&snapshot.content).map_err(|cause| cause.to_string())?;
        Ok((state, snapshot.head))
    })?;
    let bad_snapshots = latest.bad.iter().map(ToString::to_string).collect();
    let newest = latest.snapshot.as_ref().map_or(Head::EMPTY, |(_, head)| *head);
    // If history lacks something before the snapshot, the state starts empty and the whole journal is replayed.
    let usable = latest.snapshot.filter(|(state, _)| state.seq() <= observer.known());
    let (exchange, head) = usable.unwrap_or_else(|| (Exchange::new(), Head::EMPTY));
    let report = Report { snapshot: exchange.seq(), bad_snapshots, ..Report::default() };
    Ok(Restored { exchange, head, newest, report })
}

/// Whether a snapshot's journal head `stood` is part of the journal.
pub(crate) fn stands(journal: &dyn Journal, head: &Head, stood: &Head) -> Result<bool, StartError> {
    if stood.next == Sequence::FIRST {
        return Ok(true);
    }
    if stood.next >= head.next {
        return Ok(stood.next == head.next && head.hash == stood.hash);
    }
    let following: Option<Frame> = journal.frames(stood.next)?.next_frame()?;
    Ok(following.is_some_and(|frame| frame.header.previous_hash == stood.hash))
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
            let id = *uuid::Uuid::now_v7().as_bytes();
            Ok(FileJournal::create(disk.clone(), clock(), options, id)?)
        }
        opened => Ok(opened?),
    }
}

/// Applies the requests of a frame before the sequence `end`.
pub(crate) fn replay_before(
    exchange: &mut Exchange,
    frame: &Frame,
    skips: &Skips,
    end: u64,
) -> Result<(), StartError> {
    let mut before = Payload::new();
    let commands = frame.payload.commands().zip(frame.header.first.0..end);
    commands.for_each(|(command, _)| before.push(command));
    let header = FrameHeader { commands: before.commands_count(), ..frame.header };
    replay(exchange, &Frame { header, hash: frame.hash, payload: before }, skips, &mut Unobserved).map(|_| ())
}

/// Applies a frame to a state that ends right before it, or inside it. Returns how many requests were applied or
/// skipped.
pub(crate) fn replay(
    exchange: &mut Exchange,
    frame: &Frame,
    skips: &Skips,
    observer: &mut dyn Observer,
) -> Result<u64, StartError> {
    let (before, mut decided) = (exchange.seq(), Vec::new());
    for (seq, bytes) in (frame.header.first.0..).zip(frame.payload.commands()) {
        if seq > exchange.seq() {
            if seq != exchange.seq() + 1 {
                return Err(StartError::Gap { expected: exchange.seq() + 1, found: seq });
            }
            if skips.contains(seq) {
                exchange.pass_over(Time::from_micros(frame.header.at));
                continue;
            }
            let undecidable = |cause| StartError::Undecidable { seq, cause };
            let request = codec::decode_request(bytes).map_err(|cause| undecidable(cause.into()))?;
            let at = Time::from_micros(frame.header.at);
            let result =
                decide(exchange, at, &request, |applied| observer.applied(applied)).map_err(undecidable)?;
            decided.push((seq, exchange.now(), request, result));
        }
    }
    for (seq, at, request, result) in &decided {
        observer.write_answer(&Decided { seq: *seq, at: *at, request, result, exchange });
    }
    Ok(exchange.seq() - before)
}

/// The journal head after a frame.
pub(crate) fn head_behind(frame: &Frame) -> Head {
    let hash: FrameHash = frame.hash;
    Head::behind(&frame.header, hash)
}
