//! Moves the frames before a proved snapshot into an archive, from a data folder or from a log in PostgreSQL.
//!
//! The snapshot is proved first: replaying the frames from the previously proved state must give its digest. The proved
//! state is kept in the archive, so each run replays only new frames. Pictures that commands name are copied too. The folder may be in use: sealed segments never
//! change, and a serving node needs no frame before its oldest snapshot.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::invariants::check_all;
use exchange::{Exchange, codec};
use journal::archive::ArchivePlace;
use journal::disk::RealDisk;
use journal::file::SegmentMover;
use journal::postgres::{Database, Options, SharedTables};
use journal::snapshots::{Snapshot, SnapshotStore};
use journal::{Frame, Head, Journal, Sequence};

use super::copying::create_folder;
use super::{AuditError, DataFolder, ReplayError, pictures, replay_frame, snapshots};
use crate::applied::Unobserved;
use crate::pictures::{FolderPictures, PostgresPictures};
use crate::pipeline::skips::Skips;

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(
        "the snapshot at {sequence} follows a frame that the journal does not have there: nothing was archived"
    )]
    OtherFrame { sequence: u64 },
    #[error("the snapshot at {sequence} differs from the state that the journal gives: nothing was archived")]
    OtherState { sequence: u64 },
    #[error("sequence {sequence}: {what}: nothing was archived")]
    BrokenRule { sequence: u64, what: String },
    #[error("{0} cannot be recorded as the archive: its name is not valid UTF-8")]
    NotText(PathBuf),
}

impl From<journal::Error> for ArchiveError {
    fn from(error: journal::Error) -> ArchiveError {
        ArchiveError::Audit(error.into())
    }
}

/// The stage: first proving the snapshot, then moving the frames before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveStage {
    Proving,
    Moving,
}

/// The frames that were moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveReport {
    /// The archive's path in the record.
    pub place: String,
    /// The sequence of the proved snapshot; 0 if there was nothing to move.
    pub proved: u64,
    pub frames: u64,
    /// Bytes freed in the journal.
    pub bytes_before: u64,
    /// Bytes added to the archive.
    pub bytes_after: u64,
    /// Pictures copied into the archive, which are named by frames there or later.
    pub pictures: u64,
    /// The journal's first sequence now.
    pub first_sequence: u64,
    /// Whether there is a snapshot before which frames can be moved.
    pub has_snapshot: bool,
}

/// Moves the sealed segments of a data folder that end before its oldest snapshot.
pub fn archive(
    folder: &Path,
    to: &Path,
    mut progress: impl FnMut(ArchiveStage, u64, u64),
) -> Result<ArchiveReport, ArchiveError> {
    let journal = folder.join("journal");
    if !journal.is_dir() {
        return Err(AuditError::NoJournal(folder.to_owned()).into());
    }
    let (place, cold) = open_folder(to)?;
    let live = RealDisk::new(&journal).map_err(AuditError::file(&journal))?;
    let mut mover = SegmentMover::open(Arc::new(live), Arc::new(cold.clone()), place.clone())?;
    let before = mover.archive().bytes();
    let mut report =
        ArchiveReport { place, first_sequence: mover.archive().end().next.0, ..ArchiveReport::default() };
    let Some(snapshot) = oldest(snapshots(folder).as_ref()) else { return Ok(report) };
    report.has_snapshot = true;
    let until = snapshot.head.next;
    if mover.next_end()?.is_none_or(|end| end > until) {
        return Ok(report);
    }
    let kept = SnapshotStore::new(Arc::new(cold));
    let source = DataFolder { folder, archive: Some(to) };
    let (proved, snapshot_head) = newest_proved(&kept, until);
    let mut audit = source.open_journal_at(&snapshot_head)?;
    let (skips, next) = (source.find_skips(&snapshot_head)?, || Ok(audit.next_frame()?));
    let tell = |done| progress(ArchiveStage::Proving, done, until.0 - 1);
    prove(&snapshot, (proved, snapshot_head), &skips, next, tell)?;
    kept.save(&snapshot.head, &snapshot.content)?;
    report.pictures = pictures::archive(&mut FolderPictures::of(folder), to).map_err(AuditError::from)?;
    report.proved = until.0 - 1;
    while let Some(moved) = mover.move_next(until)? {
        report.frames += moved.frames;
        report.bytes_before += moved.segment_bytes;
        report.first_sequence = moved.next.0;
        progress(ArchiveStage::Moving, moved.next.0 - 1, until.0 - 1);
    }
    report.bytes_after = mover.archive().bytes() - before;
    Ok(report)
}

/// Moves the rows of a log in PostgreSQL that are before the oldest snapshot stored in the database.
pub fn archive_log(
    url: &str,
    to: &Path,
    mut progress: impl FnMut(ArchiveStage, u64, u64),
) -> Result<ArchiveReport, ArchiveError> {
    let (place, cold) = open_folder(to)?;
    let mut database = Database::open(url, Options::default())?;
    database.read_archive(ArchivePlace::folder(to));
    let mut mover = database.mover(Arc::new(cold.clone()), place.clone())?;
    let before = mover.archive().bytes();
    let mut report =
        ArchiveReport { place, first_sequence: mover.archive().end().next.0, ..ArchiveReport::default() };
    let Some(snapshot) = oldest_stored(&mut database.shared_tables()?)? else { return Ok(report) };
    report.has_snapshot = true;
    let until = snapshot.head.next;
    if !mover.has_next(until)? {
        return Ok(report);
    }
    let kept = SnapshotStore::new(Arc::new(cold));
    let (proved, snapshot_head) = newest_proved(&kept, until);
    let journal = database.journal(None)?;
    let skips =
        Skips::find(&journal, snapshot_head.next).map_err(ReplayError::from).map_err(AuditError::from)?;
    let mut frames = journal.frames(snapshot_head.next)?;
    let next = || Ok(frames.next_frame()?);
    let tell = |done| progress(ArchiveStage::Proving, done, until.0 - 1);
    prove(&snapshot, (proved, snapshot_head), &skips, next, tell)?;
    kept.save(&snapshot.head, &snapshot.content)?;
    let mut stored = PostgresPictures::open(&database).map_err(AuditError::from)?;
    report.pictures = pictures::archive(&mut stored, to).map_err(AuditError::from)?;
    report.proved = until.0 - 1;
    while let Some(moved) = mover.move_next(until)? {
        report.frames += moved.frames;
        report.bytes_before += moved.bytes;
        report.first_sequence = moved.next.0;
        progress(ArchiveStage::Moving, moved.next.0 - 1, until.0 - 1);
    }
    report.bytes_after = mover.archive().bytes() - before;
    Ok(report)
}

/// The oldest usable snapshot in the database.
fn oldest_stored(tables: &mut SharedTables) -> Result<Option<Snapshot>, ArchiveError> {
    for next in tables.snapshot_sequences()? {
        // A node may have deleted the oldest one meanwhile; then try the next.
        match tables.load_snapshot(next) {
            Ok(snapshot) if codec::decode_snapshot(&snapshot.content).is_ok() => return Ok(Some(snapshot)),
            Err(error) if error.is_transient() => return Err(error.into()),
            _ => {}
        }
    }
    Ok(None)
}

/// Opens an archive's folder, creating it if necessary. Also returns its absolute path for the record, because readers
/// have another working directory.
pub(super) fn open_folder(to: &Path) -> Result<(String, RealDisk), ArchiveError> {
    create_folder(to)?;
    let place = to.canonicalize().map_err(AuditError::file(to))?;
    let name = place.to_str().ok_or_else(|| ArchiveError::NotText(place.clone()))?.to_owned();
    let disk = RealDisk::new(&place).map_err(AuditError::file(&place))?;
    Ok((name, disk))
}

/// The oldest usable snapshot. A start that finds the newer ones damaged then still has all frames that it needs.
fn oldest(store: Option<&SnapshotStore>) -> Option<Snapshot> {
    let store = store?;
    let is_usable = |snapshot: &Snapshot| codec::decode_snapshot(&snapshot.content).is_ok();
    store.names().ok()?.iter().filter_map(|name| store.load(name).ok()).find(is_usable)
}

/// The newest proved state in the archive that is not after `until`; else the empty one.
fn newest_proved(kept: &SnapshotStore, until: Sequence) -> (Exchange, Head) {
    let names = kept.names().unwrap_or_default();
    let found = names.iter().rev().filter_map(|name| kept.load(name).ok()).find_map(|snapshot| {
        let state = codec::decode_snapshot(&snapshot.content).ok()?;
        (snapshot.head.next <= until).then_some((state, snapshot.head))
    });
    found.unwrap_or_else(|| (Exchange::new(), Head::EMPTY))
}

/// Replays from a state to a snapshot, and checks that the result equals the snapshot.
fn prove(
    snapshot: &Snapshot,
    (mut exchange, mut head): (Exchange, Head),
    skips: &Skips,
    mut next: impl FnMut() -> Result<Option<Frame>, AuditError>,
    mut progress: impl FnMut(u64),
) -> Result<(), ArchiveError> {
    let sequence = snapshot.head.next.0 - 1;
    while head.next < snapshot.head.next {
        let Some(frame) = next()? else { break };
        replay_frame(&mut exchange, &frame, skips, &mut Unobserved).map_err(AuditError::from)?;
        head = Head::after(&frame.header, frame.hash);
        progress(exchange.seq());
    }
    if head != snapshot.head {
        return Err(ArchiveError::OtherFrame { sequence });
    }
    let claimed = codec::decode_snapshot(&snapshot.content).map(|state| state.digest());
    if claimed.ok() != Some(exchange.digest()) {
        return Err(ArchiveError::OtherState { sequence });
    }
    check_all(&exchange).map_err(|broken| ArchiveError::BrokenRule { sequence, what: broken.to_string() })
}
