//! Verifies a backup that was just written, from the disk: every frame with its hash, and the rules from the backup's
//! snapshot on. The result must be what the manifest says.

use journal::Head;
use journal::file::Tail;

use super::verify::{TrustedSnapshot, verify, verify_from};
use super::{AuditError, DataFolder, Manifest};

#[derive(Debug, thiserror::Error)]
pub enum BackupFault {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup ends with {found}, and its manifest says {written}")]
    Differs { found: String, written: String },
}

/// A replay from the first frame would take longer with each month. Frames before the snapshot are read and compared with
/// their hashes, which the source's replay has confirmed.
pub fn verify_backup(backup: DataFolder<'_>, manifest: &Manifest) -> Result<(), BackupFault> {
    read_frames(&backup)?;
    let report = match manifest.snapshot {
        0 => verify(backup, None, |_, _| {})?,
        sequence => verify_from(backup, &TrustedSnapshot::Sequence(sequence), None, |_, _| {})?,
    };
    // Rows and pictures that the source lacks are in the manifest, and must not prevent all further backups.
    let is_source_complete = manifest.people_missing == 0 && manifest.pictures_missing == 0;
    if let Some(problem) = report.problems.iter().chain(&report.doubts).next()
        && is_source_complete
    {
        return Err(BackupFault::Damaged(problem.clone()));
    }
    let found = format!("{}:{} {}", report.sequence, report.frame_hash, report.digest);
    let written = format!("{}:{} {}", manifest.sequence, manifest.frame_hash, manifest.state_digest);
    if found == written { Ok(()) } else { Err(BackupFault::Differs { found, written }) }
}

fn read_frames(backup: &DataFolder<'_>) -> Result<(), BackupFault> {
    let begin = backup.archived()?.map_or(Head::EMPTY, |record| record.end);
    let mut audit = backup.open_journal_at(&begin)?;
    while audit.next_frame().map_err(AuditError::from)?.is_some() {}
    match audit.tail() {
        Some(Tail::Unfinished(place)) => Err(BackupFault::Damaged(format!("{place}: an incomplete write"))),
        _ => Ok(()),
    }
}
