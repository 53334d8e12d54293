//! From folder to live state: the newest good snapshot, then every frame behind it.

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

/// Nobody looks.
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn applied(&mut self, _: &Applied<'_>) {}
}

/// Why the exchange does not start. Each says what to look at.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the data folder cannot be used: {0}")]
    Folder(#[from] io::Error),
    #[error(transparent)]
    Journal(#[from] journal::Error),
    #[error("this build cannot decide sequence {seq} of the journal: {cause}. Start a newer build")]
    Undecidable { seq: u64, cause: Undecidable },
    #[error("the frame at sequence {seq} should say which request to pass over, and does not")]
    NotASkip { seq: u64 },
    #[error("the journal goes on at sequence {found}, the state ends at {expected}")]
    Gap { expected: u64, found: u64 },
    #[error("this folder does not go with the log: {0}")]
    OtherLog(String),
    #[error(
        "snapshots and history are not of this journal: {0}. If frames are missing, bring the right journal back. If it is the \
         right one, remove the folders snapshots and history: a start makes both again"
    )]
    OtherJournal(String),
    #[error("another process runs on {folder}: a data folder has one node")]
    InUse { folder: PathBuf },
    #[error(
        "the node of {folder} shares a log (log.id): say which by --journal. To go back to a journal of one's own, \
         `bellwether journal copy` first"
    )]
    SharesLog { folder: PathBuf },
    #[error(
        "{path} is missing, and people may have API keys that were made with it: put it back. If it is lost for good, make \
         one of 32 random bytes, mode 600; then every API key must be rotated"
    )]
    NoMasterKey { path: PathBuf },
    #[error(
        "the master key is not the one that the journal recorded: put the right one back. If it was compromised, replace it with \
         `bellwether master-key replace` while no node runs"
    )]
    WrongMasterKey,
    #[error(
        "another node with the mark of {path} is on the log: this folder is a copy of its folder. Remove node.id from the copy. \
         If it is the same machine that was cut off, the database notices within a minute: start again"
    )]
    MarkTaken { path: PathBuf },
    #[error(
        "the machine's clock is {hours} hours past the last frame of the journal, and the kernel says that nothing has \
         synchronised it: a wrong time would close and expire whatever has a date, for good. Start again when it is \
         synchronised; if it is right, start with --accept-clock"
    )]
    UnsureClock { hours: u64 },
    #[error("at sequence {seq} this node's state is {ours}, another's is {theirs}: one of them is wrong")]
    Diverged { seq: u64, ours: String, theirs: String },
}

/// A state that is level with its journal.
#[allow(missing_debug_implementations, reason = "a journal has nothing to print")]
pub struct Opened {
    pub journal: Box<dyn Journal>,
    pub exchange: Exchange,
    pub head: Head,
    pub snapshots: SnapshotStore,
    pub report: Report,
}

/// Where the journal and the snapshots are kept.
#[derive(Clone, Debug)]
pub struct Disks {
    pub journal: Arc<dyn Disk>,
    pub snapshots: Arc<dyn Disk>,
    /// Where the journal's archive is, if that is not where its record says.
    pub archive: Option<PathBuf>,
}

impl Disks {
    /// Two folders in a data folder, made if they are missing.
    pub fn of(folder: &Path) -> io::Result<Disks> {
        let journal = Arc::new(RealDisk::new(folder.join("journal"))?);
        let snapshots = Arc::new(RealDisk::new(folder.join("snapshots"))?);
        Ok(Disks { journal, snapshots, archive: None })
    }

    /// With the archive elsewhere than the journal's record says.
    pub fn with_archive(self, archive: Option<PathBuf>) -> Disks {
        Disks { archive, ..self }
    }
}

/// What the start found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The sequence of the snapshot that was used; 0 without one.
    pub snapshot: u64,
    /// Snapshots that could not be used, in words.
    pub bad_snapshots: Vec<String>,
    pub replayed: u64,
    /// A torn frame that a crash left, in words. It was never answered.
    pub cut: Option<String>,
    /// How far a clock that the kernel calls unsynchronised, and that was accepted all the same, is past the last frame.
    pub unsure_clock: Option<Duration>,
    /// How far the clock that stamps is behind the last frame. Time stands still until it has caught up.
    pub behind: Duration,
}

/// Opens the journal and the snapshots of a folder, which are made if there are none. `progress` learns how many
/// requests were replayed and how many there are.
pub fn open(folder: &Path, progress: impl FnMut(u64, u64)) -> Result<Opened, StartError> {
    open_observed(folder, &mut Unobserved, progress)
}

/// The same; `observer` learns of everything that is replayed.
pub fn open_observed(
    folder: &Path,
    observer: &mut dyn Observer,
    progress: impl FnMut(u64, u64),
) -> Result<Opened, StartError> {
    open_with(Disks::of(folder)?, Options::default(), || Box::new(SystemClock), observer, progress)
}

/// The same on disks of one's choice, with other options for the journal, and another clock for the frames to come.
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

/// Refuses a clock that nothing has synchronised and that is more than a day past the last frame. Says how far, if such a
/// clock was accepted.
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

/// A state out of a snapshot, or an empty one.
#[derive(Debug)]
pub(crate) struct Restored {
    pub(crate) exchange: Exchange,
    /// Where the snapshot of `exchange` stood.
    pub(crate) head: Head,
    /// Where the newest snapshot that this build can read stood, also if the state is not taken from it.
    pub(crate) newest: Head,
    pub(crate) report: Report,
}

/// Restores the newest snapshot that this build can read, if history has all that is before it.
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
    // History that was lost is made again out of the whole journal.
    let usable = latest.snapshot.filter(|(state, _)| state.seq() <= observer.known());
    let (exchange, head) = usable.unwrap_or_else(|| (Exchange::new(), Head::EMPTY));
    let report = Report { snapshot: exchange.seq(), bad_snapshots, ..Report::default() };
    Ok(Restored { exchange, head, newest, report })
}

/// Whether what a snapshot followed is what stands in the log.
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

/// `kept` is how far goes what was made out of the journal: where there is any of that, a journal is not begun.
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

/// Applies what a frame has before the sequence `end`.
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

/// Applies a frame to a state that ends right before it, or inside it. Says how many requests were applied or passed over.
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

/// The head behind a frame.
pub(crate) fn head_behind(frame: &Frame) -> Head {
    let hash: FrameHash = frame.hash;
    Head::behind(&frame.header, hash)
}
