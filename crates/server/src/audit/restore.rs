//! A backup brought back: frames copied, replayed from the first one, history made on the way, digest compared with the one in
//! the backup. Nothing stands in its place before all of that is right.

use std::fs;
use std::path::{Path, PathBuf};

use api::proof::Hash;
use exchange::codec;

use super::backup::copy_key;
use super::copying::{Zeros, copy_journal, create_folder, sync_all};
use super::{AuditError, KeyFile, Manifest, ManifestError, open_journal};
use crate::folder::{hold, is_vacant};
use crate::node::{NodeError, rebuild};

/// Where a restore is put together, inside of the folder that it is for.
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
    #[error("sequence {sequence}: the journal gives the state {found}, the backup was of {wanted}")]
    OtherState { sequence: u64, found: Hash, wanted: Hash },
}

/// Makes `folder`, which must be empty or missing, what the backup in `source` was made of.
pub fn restore(
    source: &Path,
    folder: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Manifest, RestoreError> {
    let manifest = Manifest::read(source)?;
    let check_vacant = || match is_vacant(folder).map_err(AuditError::file(folder))? {
        true => Ok(()),
        false => Err(RestoreError::NotEmpty(folder.to_owned())),
    };
    // Twice: a folder that is refused keeps no lock file of ours, and a folder that is held stays vacant.
    check_vacant()?;
    let _held = hold(folder).map_err(NodeError::from)?;
    check_vacant()?;
    let staging = folder.join(STAGING);
    create_folder(&staging)?;
    if let Err(error) = put_together(source, &staging, &manifest, progress) {
        // What did not come together is of no use; the reason why is.
        let _ = fs::remove_dir_all(&staging);
        return Err(error);
    }
    // The key before the journal, or a start would make another. With the journal alone a start makes the rest again.
    for part in ["master.key", "journal", "snapshots", "history"] {
        let from = staging.join(part);
        if from.exists() {
            fs::rename(&from, folder.join(part)).map_err(AuditError::file(&from))?;
        }
    }
    fs::remove_dir_all(&staging).map_err(AuditError::file(&staging))?;
    sync_all(folder)?;
    Ok(manifest)
}

fn put_together(
    source: &Path,
    staging: &Path,
    manifest: &Manifest,
    progress: impl FnMut(u64, u64),
) -> Result<(), RestoreError> {
    let mut audit = open_journal(source)?;
    let head = copy_journal(&mut audit, &staging.join("journal"), Zeros::Written, |_| Ok(()))?;
    let (sequence, hash) = (head.next.0 - 1, Hash(head.hash.0));
    if (sequence, hash) != (manifest.sequence, manifest.frame_hash) {
        let found = format!("{sequence}:{hash}");
        let wanted = format!("{}:{}", manifest.sequence, manifest.frame_hash);
        return Err(RestoreError::OtherHead { found, wanted });
    }
    let opened = rebuild(staging, progress)?;
    let (found, wanted) = (Hash(opened.exchange.digest()), manifest.state_digest);
    if found != wanted {
        return Err(RestoreError::OtherState { sequence, found, wanted });
    }
    // Of the state that was just proved, so that the first start replays nothing.
    let content = codec::encode_snapshot(&opened.exchange);
    opened.snapshots.save(&opened.head, &content).map_err(AuditError::from)?;
    if manifest.master_key == KeyFile::Included {
        copy_key(source, staging)?;
    }
    Ok(())
}
