//! Restores a backup, or a past moment of it: copies the frames, replays them from the first one while building
//! history, and compares the digest with the backup's. The target folder gets its files only after all of that has
//! succeeded.
//!
//! Archived frames stay in the archive: the restored journal starts after the last archive file that is entirely within
//! the restored range, and its record names the archive.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use api::Timestamp;
use api::proof::Hash;
use exchange::{Exchange, codec};
use journal::archive::{Archive, ArchiveFrames, ArchivePlace, Archived};
use journal::file::Audit;
use journal::{Frame, Head, Sequence};

use super::backup::copy_key;
use super::copying::{JournalWriter, Zeros, create_folder, sync_all};
use super::past::{Until, part_until};
use super::pictures::{self, NamedPictures};
use super::{AuditError, DataFolder, KeyFile, Manifest, ManifestError, ReplayError, people, replay_frame};
use crate::applied::Unobserved;
use crate::folder::{is_vacant, lock};
use crate::node::{NodeError, rebuild};
use crate::pipeline::skips::Skips;
use crate::startup::Opened;

/// The subfolder of the target in which a restore is assembled.
const STAGING: &str = "restoring";

#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error("{0} is not empty")]
    NotEmpty(PathBuf),
    #[error("the backup's journal ends with {found}, its manifest says {wanted}")]
    OtherHead { found: String, wanted: String },
    #[error("sequence {sequence}: the journal gives the state {found}, the backup's manifest says {wanted}")]
    OtherState { sequence: u64, found: Hash, wanted: Hash },
    #[error("nothing to restore from: name a backup, an archive or both")]
    NoSource,
    #[error("{0} has no frames")]
    EmptyArchive(PathBuf),
    #[error("the sources end with sequence {last}: sequence {wanted} is not in them")]
    NotReached { wanted: u64, last: u64 },
    #[error("there was no command up to that time")]
    BeforeEverything,
}

impl From<journal::Error> for RestoreError {
    fn from(error: journal::Error) -> RestoreError {
        RestoreError::Audit(error.into())
    }
}

/// The sources of a restore, and its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// A folder written by `backup`.
    pub backup: Option<&'a Path>,
    /// An archive, if it is not where the backup's record says, or if there is no backup.
    pub archive: Option<&'a Path>,
    /// The last command to restore; by default everything.
    pub until: Option<Until>,
}

/// The result of a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreReport {
    pub sequence: u64,
    /// The time of the last frame.
    pub at: Timestamp,
    pub digest: Hash,
    /// The first command in the restored folder itself; 1 without an archive.
    pub first_sequence: u64,
    /// The archive that the restored folder reads from.
    pub archive: Option<PathBuf>,
    /// The backup's manifest.
    pub manifest: Option<Manifest>,
    /// Whether the digest was compared with the backup's.
    pub is_compared: bool,
    /// Persons without a row in the restored people store.
    pub people_missing: u64,
    /// Restored pictures, and pictures that the state names and that no source has undamaged.
    pub pictures: u64,
    pub pictures_missing: u64,
}

/// Restores the backup in `source` into `folder`, which must be empty or missing. Returns the backup's manifest, with
/// the number of persons who have no row now.
pub fn restore(
    source: &Path,
    folder: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Manifest, RestoreError> {
    let restored = restore_from(&Sources { backup: Some(source), ..Sources::default() }, folder, progress)?;
    let people_missing = restored.people_missing;
    restored.manifest.map(|manifest| Manifest { people_missing, ..manifest }).ok_or(RestoreError::NoSource)
}

/// Restores the venue from the sources into `folder`, which must be empty or missing.
pub fn restore_from(
    sources: &Sources<'_>,
    folder: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<RestoreReport, RestoreError> {
    let manifest = sources.backup.map(Manifest::read).transpose()?;
    let check_vacant = || match is_vacant(folder).map_err(AuditError::file(folder))? {
        true => Ok(()),
        false => Err(RestoreError::NotEmpty(folder.to_owned())),
    };
    // Checked twice: before locking, so that a refused folder gets no lock file; and under the lock, so that it stays
    // vacant.
    check_vacant()?;
    let _folder_lock = lock(folder).map_err(NodeError::from)?;
    check_vacant()?;
    let staging = folder.join(STAGING);
    create_folder(&staging)?;
    let restored = match assemble(sources, manifest, &staging, progress) {
        Ok(restored) => restored,
        Err(error) => {
            // An incomplete restore is useless; the error is what matters.
            let _ = fs::remove_dir_all(&staging);
            return Err(error);
        }
    };
    // Key and people precede the journal: a start on the journal alone would fail, or create an empty people store. A start
    // rebuilds snapshots and history from the journal.
    for part in ["master.key", "people", "pictures", "journal", "snapshots", "history"] {
        let from = staging.join(part);
        if from.exists() {
            fs::rename(&from, folder.join(part)).map_err(AuditError::file(&from))?;
        }
    }
    fs::remove_dir_all(&staging).map_err(AuditError::file(&staging))?;
    sync_all(folder)?;
    Ok(restored)
}

fn assemble(
    sources: &Sources<'_>,
    manifest: Option<Manifest>,
    staging: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<RestoreReport, RestoreError> {
    let plan = Plan::of(sources, manifest.as_ref())?;
    let head = plan.copy(&staging.join("journal"), manifest.as_ref())?;
    let opened = rebuild(staging, progress)?;
    let (sequence, digest) = (opened.exchange.seq(), Hash(opened.exchange.digest()));
    check_reached(sources.until, &head, &opened)?;
    let compared = manifest.as_ref().filter(|manifest| manifest.sequence == sequence);
    if let Some(Manifest { state_digest: wanted, .. }) = compared
        && *wanted != digest
    {
        return Err(RestoreError::OtherState { sequence, found: digest, wanted: *wanted });
    }
    // A snapshot of the state just proved, so that the first start replays nothing.
    let write = |sink: &mut dyn Write| codec::write_snapshot(&opened.exchange, |bytes| sink.write_all(bytes));
    opened.snapshots.save_streamed(&opened.head, write).map_err(AuditError::from)?;
    if let (Some(backup), Some(KeyFile::Included)) =
        (sources.backup, manifest.as_ref().map(|manifest| manifest.master_key))
    {
        copy_key(backup, staging)?;
    }
    let is_past = compared.is_none();
    let people =
        people::restore(sources.backup, staging, &opened.exchange, &plan.latest(&opened.exchange)?, is_past)
            .map_err(AuditError::from)?;
    let named = NamedPictures::of(&opened.exchange);
    let archive = plan.archive.as_ref().map(|(folder, _)| folder.as_path());
    let pictures = pictures::restore([sources.backup, archive].into_iter().flatten(), staging, &named)
        .map_err(AuditError::from)?;
    Ok(RestoreReport {
        sequence,
        at: Timestamp::from_micros(head.at),
        digest,
        first_sequence: plan.begin.next.0,
        is_compared: compared.is_some(),
        archive: plan.archive.filter(|_| plan.begin.next > Sequence::FIRST).map(|(folder, _)| folder),
        people_missing: people.missing.len() as u64,
        pictures: pictures.pictures,
        pictures_missing: pictures.missing,
        manifest,
    })
}

fn check_reached(until: Option<Until>, head: &Head, opened: &Opened) -> Result<(), RestoreError> {
    match until {
        Some(_) if head.next == Sequence::FIRST => Err(RestoreError::BeforeEverything),
        Some(Until::Sequence(wanted)) if opened.exchange.seq() != wanted => {
            Err(RestoreError::NotReached { wanted, last: opened.exchange.seq() })
        }
        _ => Ok(()),
    }
}

/// The source of the frames.
enum Frames {
    Archive(Box<ArchiveFrames>),
    Backup(Box<Audit>),
    None,
}

/// Which frames are copied, and the head of the archive that they follow.
struct Plan<'a> {
    backup: Option<DataFolder<'a>>,
    archive: Option<(PathBuf, Archive)>,
    until: Until,
    begin: Head,
}

impl<'a> Plan<'a> {
    fn of(sources: &Sources<'a>, manifest: Option<&Manifest>) -> Result<Plan<'a>, RestoreError> {
        let backup = sources.backup.map(|folder| DataFolder { folder, archive: sources.archive });
        let folder = match &backup {
            Some(backup) => backup.archive_folder()?,
            None => sources.archive.map(Path::to_owned),
        };
        let archive = match folder {
            None => None,
            Some(folder) => {
                let folder = folder.canonicalize().map_err(AuditError::file(&folder))?;
                let archive = ArchivePlace::folder(&folder).open()?;
                Some((folder, archive))
            }
        };
        match (&backup, &archive) {
            (None, None) => return Err(RestoreError::NoSource),
            (None, Some((folder, archive))) if archive.files().is_empty() => {
                return Err(RestoreError::EmptyArchive(folder.clone()));
            }
            _ => {}
        }
        let everything = manifest.map_or(u64::MAX, |manifest| manifest.sequence);
        let until = sources.until.unwrap_or(Until::Sequence(everything));
        let files = archive.iter().flat_map(|(_, archive)| archive.files());
        let begin = files.map(|file| file.end).rfind(|end| until.covers(end));
        Ok(Plan { backup, archive, until, begin: begin.unwrap_or(Head::EMPTY) })
    }

    /// The frames after `begin`: from the archive if it reaches that far, else from the backup.
    fn frames(&self) -> Result<Frames, RestoreError> {
        if let Some((_, archive)) = &self.archive
            && archive.end().next > self.begin.next
        {
            return Ok(Frames::Archive(Box::new(archive.frames(self.begin.next, archive.end().next))));
        }
        match &self.backup {
            Some(backup) => Ok(Frames::Backup(Box::new(backup.open_journal_at(&self.begin)?))),
            None => Ok(Frames::None),
        }
    }

    /// The state after the archive's last frame, or the restored state if that is later.
    fn latest(&self, restored: &Exchange) -> Result<Exchange, RestoreError> {
        let mut latest = restored.clone();
        let Some((_, archive)) = &self.archive else { return Ok(latest) };
        let frames = || archive.frames(self.begin.next, archive.end().next);
        let mut skips = Skips::default();
        let mut looking = frames();
        while let Some(frame) = looking.next_frame()? {
            skips.note(&frame).map_err(|error| AuditError::from(ReplayError::from(error)))?;
        }
        let mut replaying = frames();
        while let Some(frame) = replaying.next_frame()? {
            replay_frame(&mut latest, &frame, &skips, &mut Unobserved).map_err(AuditError::from)?;
        }
        Ok(latest)
    }

    /// Writes the restored journal, and returns its head. A backup is read to its end and compared with its manifest.
    fn copy(&self, folder: &Path, manifest: Option<&Manifest>) -> Result<Head, RestoreError> {
        let mut frames = self.frames()?;
        let id = match (&frames, &self.archive) {
            (Frames::Backup(audit), _) => audit.id(),
            (_, Some((_, archive))) => archive.journal().ok_or(RestoreError::NoSource)?,
            (_, None) => return Err(RestoreError::NoSource),
        };
        let record =
            self.archive.as_ref().filter(|_| self.begin.next > Sequence::FIRST).map(|(folder, _)| Archived {
                place: folder.display().to_string(),
                journal: id,
                end: self.begin,
            });
        let mut writing = JournalWriter::begin(folder, id, record.as_ref(), Zeros::Written)?;
        let mut is_over = false;
        while let Some(frame) = frames.next_frame()? {
            if is_over {
                continue;
            }
            match part_until(&frame, self.until) {
                Some((frame, true)) => writing.push(&frame)?,
                Some((part, false)) => {
                    writing.push_part(&part)?;
                    is_over = true;
                }
                None => is_over = true,
            }
            // Only a backup has a manifest to compare with.
            if is_over && !matches!(frames, Frames::Backup(_)) {
                break;
            }
        }
        if let (Frames::Backup(audit), Some(manifest)) = (&frames, manifest) {
            check_head(&audit.head(), manifest)?;
        }
        Ok(writing.finish()?)
    }
}

impl Frames {
    fn next_frame(&mut self) -> Result<Option<Frame>, RestoreError> {
        Ok(match self {
            Frames::Archive(frames) => frames.next_frame()?,
            Frames::Backup(audit) => audit.next_frame()?,
            Frames::None => None,
        })
    }
}

fn check_head(head: &Head, manifest: &Manifest) -> Result<(), RestoreError> {
    let (sequence, hash) = (head.next.0 - 1, Hash(head.hash.0));
    if (sequence, hash) == (manifest.sequence, manifest.frame_hash) {
        return Ok(());
    }
    let found = format!("{sequence}:{hash}");
    let wanted = format!("{}:{}", manifest.sequence, manifest.frame_hash);
    Err(RestoreError::OtherHead { found, wanted })
}
