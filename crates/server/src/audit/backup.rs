//! Copies a data folder, even while it is served: all frames up to a head, the newest usable snapshot, the people
//! store, the pictures, and the state's digest at that head. History is not copied, because it is rebuilt from the frames. Archived
//! frames are not copied either: archive files never change, and the manifest records that they are needed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use api::Timestamp;
use api::proof::Hash;
use exchange::{Exchange, codec};
use journal::Head;
use journal::disk::RealDisk;
use journal::snapshots::{Snapshot, SnapshotStore};

use super::copying::{JournalWriter, Zeros, create_folder, is_empty, sync_all};
use super::pictures::{self, CopiedPictures, NamedPictures};
use super::{AuditError, DataFolder, KeyFile, Manifest, last_sequence, people, replay_frame, snapshots};
use crate::folder::create_private;
use crate::people::moving::StoreDifferences;
use crate::pipeline::clock::{Clock, SystemClock};

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error("{0} is not empty")]
    NotEmpty(PathBuf),
}

/// Copies `folder` into `target`, which must be empty or missing. The master key is copied only on request.
pub fn backup<'a>(
    folder: impl Into<DataFolder<'a>>,
    target: &Path,
    key: KeyFile,
    mut progress: impl FnMut(u64, u64),
) -> Result<Manifest, BackupError> {
    let source = folder.into();
    let folder = source.folder;
    if !is_empty(target)? {
        return Err(BackupError::NotEmpty(target.to_owned()));
    }
    // Snapshot first: its frames are durable, so the head read afterwards is not before it.
    let (snapshot, mut exchange) = newest(folder);
    let last = last_sequence(folder);
    let archived = source.archived()?;
    let begin = archived.as_ref().map_or(Head::EMPTY, |record| record.end);
    // If the newest snapshot is older than the archive's end, the state is replayed from the archive.
    let stood = snapshot.as_ref().map_or(Head::EMPTY, |snapshot| snapshot.head);
    let from = if stood.next < begin.next { stood } else { begin };
    let skips = source.find_skips(&from)?;
    let mut audit = source.open_journal_at(&from)?;
    create_folder(target)?;
    people::begin_copy(folder, target).map_err(AuditError::from)?;
    let mut writing =
        JournalWriter::begin(&target.join("journal"), audit.id(), archived.as_ref(), Zeros::LeftOut)?;
    let mut named = NamedPictures::of(&exchange);
    let mut frames = 0;
    while let Some(frame) = audit.next_frame().map_err(AuditError::from)? {
        if frame.header.first >= begin.next {
            writing.push(&frame)?;
            frames += 1;
        }
        progress(frame.header.next().0 - 1, last.max(frame.header.next().0 - 1));
        // Frames that the snapshot includes are not applied again.
        replay_frame(&mut exchange, &frame, &skips, &mut named).map_err(AuditError::from)?;
    }
    let head = writing.finish()?;
    // A frame may have been read before it was durable. Frames in a backup must not disappear from their source.
    audit.make_durable().map_err(AuditError::from)?;
    if let Some(snapshot) = &snapshot {
        let disk = RealDisk::new(target.join("snapshots")).map_err(AuditError::file(target))?;
        SnapshotStore::new(Arc::new(disk))
            .save(&snapshot.head, &snapshot.content)
            .map_err(AuditError::from)?;
    }
    if key == KeyFile::Included {
        copy_key(folder, target)?;
    }
    let people = people::end_copy(folder, target, &exchange).map_err(AuditError::from)?;
    // After the frames: a picture is stored before the command that names it.
    let pictures = pictures::copy_folder(folder, target, &named).map_err(AuditError::from)?;
    let mut manifest = manifest(&exchange, &head, frames, snapshot.as_ref(), key, &people);
    manifest.first_sequence = begin.next.0;
    let CopiedPictures { pictures, missing } = pictures;
    (manifest.pictures, manifest.pictures_missing) = (pictures, missing);
    manifest.write(target).map_err(AuditError::file(target))?;
    sync_all(target)?;
    Ok(manifest)
}

/// The newest readable snapshot with its state; or none, with an empty state.
fn newest(folder: &Path) -> (Option<Snapshot>, Exchange) {
    let snapshot = snapshots(folder).and_then(|store| store.latest().ok()).and_then(|latest| latest.snapshot);
    let state = snapshot.as_ref().and_then(|snapshot| codec::decode_snapshot(&snapshot.content).ok());
    match state {
        Some(state) => (snapshot, state),
        None => (None, Exchange::new()),
    }
}

/// Copies the master key into a file that is private from the start.
pub(super) fn copy_key(from: &Path, to: &Path) -> Result<(), AuditError> {
    let (from, to) = (from.join("master.key"), to.join("master.key"));
    let mut key = File::open(&from).map_err(AuditError::file(&from))?;
    let mut copy = create_private(&to).map_err(AuditError::file(&to))?;
    io::copy(&mut key, &mut copy).map(drop).map_err(AuditError::file(&to))
}

fn manifest(
    exchange: &Exchange,
    head: &Head,
    frames: u64,
    snapshot: Option<&Snapshot>,
    master_key: KeyFile,
    people: &StoreDifferences,
) -> Manifest {
    Manifest {
        format: Manifest::FORMAT.to_owned(),
        sequence: exchange.seq(),
        at: Timestamp::from_micros(head.at),
        frame_hash: Hash(head.hash.0),
        state_digest: Hash(exchange.digest()),
        frames,
        first_sequence: 1,
        snapshot: snapshot.map_or(0, |snapshot| snapshot.head.next.0 - 1),
        master_key,
        people: people.rows,
        people_missing: people.missing.len() as u64,
        pictures: 0,
        pictures_missing: 0,
        created_at: Timestamp::from_micros(SystemClock.now()),
    }
}
