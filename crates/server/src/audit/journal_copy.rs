//! Copies a journal between a folder and a database. Frames keep their sequences, times and hashes, so a replay of the
//! copy gives the same digest as a replay of the source.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use exchange::Exchange;
use journal::archive::ArchivePlace;
use journal::disk::RealDisk;
use journal::file::{Audit, FileJournal};
use journal::postgres::{Database, Options, is_address};
use journal::{Frame, FrameHash, Frames, Head, Journal, Sequence};

use super::copying::{FrameClock, copy_frame, create_folder, is_empty};
use super::pictures::{self, NamedPictures};
use super::{AuditError, DataFolder, last_sequence, people, replay_frame};
use crate::applied::Unobserved;
use crate::folder::{lock, remove_log_mark};
use crate::people::moving::is_empty as is_vacant;
use crate::pipeline::skips::Skips;
use crate::start_error::StartError;

/// Where a journal is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalPlace {
    /// A data folder.
    Folder(PathBuf),
    /// `postgres://…`
    Database(String),
}

impl FromStr for JournalPlace {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<JournalPlace, Infallible> {
        Ok(if is_address(text) {
            JournalPlace::Database(text.to_owned())
        } else {
            JournalPlace::Folder(PathBuf::from(text))
        })
    }
}

/// Hides the database's URL, which may contain a password.
impl fmt::Display for JournalPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalPlace::Folder(folder) => folder.display().fmt(formatter),
            JournalPlace::Database(_) => "the database".fmt(formatter),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum JournalCopyError {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Folder(#[from] StartError),
    #[error("{0} has a journal or a people store already: copy to an empty place")]
    NotEmpty(JournalPlace),
    #[error("the copy's state differs from its source's: {copy} instead of {source_digest}")]
    Differs { copy: String, source_digest: String },
}

impl From<journal::Error> for JournalCopyError {
    fn from(error: journal::Error) -> JournalCopyError {
        JournalCopyError::Audit(error.into())
    }
}

/// The extent of a copy, and the digest of both journals' state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalCopied {
    pub frames: u64,
    pub sequence: u64,
    pub frame_hash: FrameHash,
    pub digest: [u8; 32],
    /// Rows of the people store, and persons whose row was missing.
    pub people: u64,
    pub people_missing: u64,
    /// Copied pictures, and pictures that a command names and that the source lacks or has damaged.
    pub pictures: u64,
    pub pictures_missing: u64,
}

/// The stage of a copy: first copying, then reading it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyStage {
    Copying,
    Proving,
}

/// Copies all frames of a journal into an empty one, and replays both.
pub fn journal_copy(
    from: &JournalPlace,
    to: &JournalPlace,
    progress: impl FnMut(CopyStage, u64, u64),
) -> Result<JournalCopied, JournalCopyError> {
    journal_copy_with(from, None, to, progress)
}

/// Like `journal_copy`, for a source whose archive is not where its record says. The copy has no archive: it has every
/// frame.
pub fn journal_copy_with(
    from: &JournalPlace,
    archive: Option<&Path>,
    to: &JournalPlace,
    mut progress: impl FnMut(CopyStage, u64, u64),
) -> Result<JournalCopied, JournalCopyError> {
    let mut source = CopySource::open(from, archive)?;
    // A target folder gets its own journal and leaves the log that it shared, so no node may run on it meanwhile.
    let _folder_lock = match to {
        JournalPlace::Folder(folder) => Some(lock(folder)?),
        JournalPlace::Database(_) => None,
    };
    let clock = FrameClock::default();
    let mut rows = people::open_rows(to).map_err(AuditError::from)?;
    if !is_vacant(&mut *rows).map_err(AuditError::from)? {
        return Err(JournalCopyError::NotEmpty(to.clone()));
    }
    let mut target = create(to, &source, &clock)?;
    people::copy(from, &mut *rows).map_err(AuditError::from)?;
    let (mut exchange, mut named) = (Exchange::new(), NamedPictures::default());
    let (mut frames, mut frame_hash) = (0, FrameHash::ZERO);
    while let Some(frame) = source.next_frame()? {
        replay_frame(&mut exchange, &frame, &source.skips, &mut named).map_err(AuditError::from)?;
        copy_frame(&mut *target, &clock, &frame)?;
        (frames, frame_hash) = (frames + 1, frame.hash);
        progress(CopyStage::Copying, exchange.seq(), source.last.max(exchange.seq()));
    }
    let (mut copy, skips) = (Exchange::new(), Skips::find(&*target, Sequence::FIRST)?);
    let mut stored = target.frames(Sequence::FIRST)?;
    while copy.seq() < exchange.seq() {
        let Some(frame) = stored.next_frame()? else { break };
        replay_frame(&mut copy, &frame, &skips, &mut Unobserved).map_err(AuditError::from)?;
        progress(CopyStage::Proving, copy.seq(), exchange.seq());
    }
    let (digest, read_back) = (exchange.digest(), copy.digest());
    if digest != read_back {
        let source_digest = HEXLOWER.encode(&digest);
        return Err(JournalCopyError::Differs { copy: HEXLOWER.encode(&read_back), source_digest });
    }
    people::copy(from, &mut *rows).map_err(AuditError::from)?;
    let people = people::finish_copy(&mut *rows, &exchange).map_err(AuditError::from)?;
    let pictures = pictures::copy(&mut *pictures::open(from)?, &mut *pictures::open(to)?, &named)
        .map_err(AuditError::from)?;
    if let JournalPlace::Folder(folder) = to {
        remove_log_mark(folder).map_err(AuditError::file(folder))?;
    }
    Ok(JournalCopied {
        frames,
        sequence: exchange.seq(),
        frame_hash,
        digest,
        people: people.rows,
        people_missing: people.missing.len() as u64,
        pictures: pictures.pictures,
        pictures_missing: pictures.missing,
    })
}

/// The source of a copy. A folder is only read, so it may be in use.
pub(super) struct CopySource {
    frames: SourceFrames,
    /// The approximate last sequence.
    pub(super) last: u64,
    /// The journal's unique id, if known.
    id: Option<[u8; 16]>,
    pub(super) skips: Skips,
}

enum SourceFrames {
    Folder(Box<Audit>),
    Database(Box<dyn Frames>),
}

impl CopySource {
    pub(super) fn open(place: &JournalPlace, archive: Option<&Path>) -> Result<CopySource, JournalCopyError> {
        match place {
            JournalPlace::Folder(folder) => {
                let last = last_sequence(folder);
                let place = DataFolder { folder, archive };
                let audit = place.open_journal()?;
                let id = Some(audit.id());
                let skips = place.find_skips(&Head::EMPTY)?;
                Ok(CopySource { frames: SourceFrames::Folder(Box::new(audit)), last, id, skips })
            }
            JournalPlace::Database(url) => {
                let mut database = Database::open(url, Options::default())?;
                if let Some(archive) = archive {
                    database.read_archive(ArchivePlace::folder(archive));
                }
                let mut journal = database.journal(None)?;
                let last = journal.head()?.next.0 - 1;
                Ok(CopySource {
                    frames: SourceFrames::Database(journal.frames(Sequence::FIRST)?),
                    last,
                    id: None,
                    skips: Skips::find(&journal, Sequence::FIRST)?,
                })
            }
        }
    }

    pub(super) fn next_frame(&mut self) -> Result<Option<Frame>, journal::Error> {
        match &mut self.frames {
            SourceFrames::Folder(audit) => audit.next_frame(),
            SourceFrames::Database(frames) => frames.next_frame(),
        }
    }
}

/// Creates an empty journal.
fn create(
    place: &JournalPlace,
    source: &CopySource,
    clock: &FrameClock,
) -> Result<Box<dyn Journal>, JournalCopyError> {
    let not_empty = || JournalCopyError::NotEmpty(place.clone());
    match place {
        JournalPlace::Folder(folder) => {
            if !is_empty(&folder.join("journal"))? {
                return Err(not_empty());
            }
            let id = source.id.unwrap_or_else(|| *uuid::Uuid::new_v4().as_bytes());
            Ok(Box::new(create_file_journal(folder, clock, id)?))
        }
        JournalPlace::Database(url) => {
            let mut journal =
                Database::open(url, Options::default())?.journal(Some(Box::new(clock.clone())))?;
            if journal.head()?.next != Sequence::FIRST {
                return Err(not_empty());
            }
            Ok(Box::new(journal))
        }
    }
}

fn create_file_journal(folder: &Path, clock: &FrameClock, id: [u8; 16]) -> Result<FileJournal, AuditError> {
    let journal = folder.join("journal");
    create_folder(folder)?;
    create_folder(&journal)?;
    let disk = Arc::new(RealDisk::new(&journal).map_err(AuditError::file(&journal))?);
    Ok(FileJournal::create(disk, Box::new(clock.clone()), journal::file::Options::default(), id)?)
}
