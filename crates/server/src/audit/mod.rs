//! Offline tools for a data folder: verify it, replay it to any past state, back it up and restore it.
//!
//! None of this takes the folder's lock or writes into it, so it can run next to a serving process. `verify.rs` trusts
//! nothing and replays from the first frame; `past.rs` stops at a given point; `backup.rs` copies, `restore.rs`
//! restores; `journal_copy.rs` copies frames between folders and databases; `observing.rs` replays for others. Only
//! `archive.rs` changes the folder that it reads: it moves proved frames into an archive, from which all the others still
//! read.

pub mod archive;
pub mod backup;
pub mod backup_check;
mod copying;
pub mod journal_copy;
mod manifest;
pub mod observing;
pub mod past;
pub mod people;
mod pictures;
pub mod restore;
pub mod verify;

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::Exchange;
use journal::archive::{ArchivePlace, Archived};
use journal::disk::RealDisk;
use journal::file::Audit;
use journal::snapshots::SnapshotStore;
use journal::{Frame, Head, Sequence};

use crate::applied::Observer;
use crate::people::PeopleError;
use crate::pictures::PictureError;
use crate::pipeline::replay::replay;
use crate::pipeline::skips::Skips;
use crate::start_error::StartError;

pub use manifest::{KeyFile, Manifest, ManifestError};

/// Why a folder cannot be read or processed.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error("{0} has no journal")]
    NoJournal(PathBuf),
    #[error(transparent)]
    Journal(#[from] journal::Error),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the frame at sequence {first} cannot be copied unchanged: {why}")]
    NotCopied { first: Sequence, why: String },
    #[error("{0} has no such snapshot, and neither has its archive")]
    NoSnapshot(PathBuf),
    #[error("snapshot {name}: {what}")]
    Snapshot { name: String, what: String },
    #[error(transparent)]
    People(#[from] PeopleError),
    #[error(transparent)]
    Pictures(#[from] PictureError),
    #[error("{path}: {cause}")]
    File { path: PathBuf, cause: io::Error },
}

impl AuditError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> AuditError {
        move |cause| AuditError::File { path: path.to_owned(), cause }
    }
}

/// Why a frame cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Start(#[from] StartError),
    /// The exchange panicked because an invariant was violated.
    #[error("a command from sequence {first} on violates an invariant of the exchange: {what}")]
    Panicked { first: Sequence, what: String },
}

/// A data folder to read from, and its archive if that is not where the folder's record says.
#[derive(Clone, Copy, Debug)]
pub struct DataFolder<'a> {
    pub folder: &'a Path,
    pub archive: Option<&'a Path>,
}

impl<'a> From<&'a Path> for DataFolder<'a> {
    fn from(folder: &'a Path) -> DataFolder<'a> {
        DataFolder { folder, archive: None }
    }
}

impl<'a> From<&'a PathBuf> for DataFolder<'a> {
    fn from(folder: &'a PathBuf) -> DataFolder<'a> {
        DataFolder { folder, archive: None }
    }
}

impl DataFolder<'_> {
    /// The record of the archive in the journal's folder.
    pub(crate) fn archived(&self) -> Result<Option<Archived>, AuditError> {
        let journal = self.folder.join("journal");
        if !journal.is_dir() {
            return Err(AuditError::NoJournal(self.folder.to_owned()));
        }
        Ok(Archived::read(&RealDisk::reading(journal))?)
    }

    /// The archive's folder, if there is one.
    pub(crate) fn archive_folder(&self) -> Result<Option<PathBuf>, AuditError> {
        match self.archive {
            Some(archive) => Ok(Some(archive.to_owned())),
            None => Ok(self.archived()?.map(|record| PathBuf::from(record.place))),
        }
    }

    /// Opens the journal for reading, from a head on.
    pub(crate) fn open_journal_at(&self, head: &Head) -> Result<Audit, AuditError> {
        let archive = self.archive_folder()?.map(|archive| ArchivePlace::folder(&archive));
        match Audit::open_at(Arc::new(RealDisk::reading(self.folder.join("journal"))), archive, head) {
            Err(journal::Error::NoJournal) => Err(AuditError::NoJournal(self.folder.to_owned())),
            opened => Ok(opened?),
        }
    }

    /// The requests after a head that a replay skips. Damage is ignored here; the replay reports it.
    pub(crate) fn find_skips(&self, head: &Head) -> Result<Skips, AuditError> {
        let mut skips = Skips::default();
        let mut audit = match self.open_journal_at(head) {
            Err(AuditError::Journal(_)) => return Ok(skips),
            opened => opened?,
        };
        while let Ok(Some(frame)) = audit.next_frame() {
            skips.note(&frame).map_err(ReplayError::from)?;
        }
        Ok(skips)
    }

    /// Opens the journal for reading, from its first frame.
    pub(crate) fn open_journal(&self) -> Result<Audit, AuditError> {
        self.open_journal_at(&Head::EMPTY)
    }
}

/// The approximate last sequence of a journal, for a progress bar. 0 if it cannot be read.
pub(crate) fn last_sequence(folder: &Path) -> u64 {
    let Ok(mut audit) = Audit::open_last(Arc::new(RealDisk::reading(folder.join("journal")))) else {
        return 0;
    };
    while let Ok(Some(_)) = audit.next_frame() {}
    audit.head().next.0 - 1
}

/// The snapshots of a folder, for reading; `None` if it has no snapshots folder.
pub(crate) fn snapshots(folder: &Path) -> Option<SnapshotStore> {
    let folder = folder.join("snapshots");
    folder.is_dir().then(|| SnapshotStore::new(Arc::new(RealDisk::reading(folder))))
}

/// Applies a frame to a state that ends right before it. A panic is returned as an error.
pub(crate) fn replay_frame(
    exchange: &mut Exchange,
    frame: &Frame,
    skips: &Skips,
    observer: &mut dyn Observer,
) -> Result<(), ReplayError> {
    // The state is not used after a panic.
    let replayed = catch_unwind(AssertUnwindSafe(|| replay(exchange, frame, skips, observer)));
    match replayed {
        Ok(result) => Ok(result.map(|_| ())?),
        Err(panic) => Err(ReplayError::Panicked { first: frame.header.first, what: panic_words(&*panic) }),
    }
}

/// The message of a panic.
pub(crate) fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
