//! What a backup says about itself: written last, so that a folder without one is no backup.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use api::Timestamp;
use api::proof::Hash;
use serde::{Deserialize, Serialize};

use crate::folder::create_private;

const NAME: &str = "manifest.json";

/// Whether the root of all API secrets is in the backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyFile {
    Included,
    NotIncluded,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub format: String,
    /// The last command that is in the backup, its frame's time and hash, and the digest of the state after it.
    pub sequence: u64,
    pub at: Timestamp,
    pub frame_hash: Hash,
    pub state_digest: Hash,
    pub frames: u64,
    /// The first command that is in the backup. More than 1: everything before it is in an archive, which a restore needs.
    #[serde(default = "first")]
    pub first_sequence: u64,
    /// The sequence of the snapshot that is in the backup; 0 without one.
    pub snapshot: u64,
    pub master_key: KeyFile,
    /// Rows of the people store, sealed under the master key.
    pub people: u64,
    /// Persons whose row was not there.
    pub people_missing: u64,
    /// When the backup was made.
    pub created_at: Timestamp,
}

#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("{NAME} cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("{NAME} is not as it should be: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("{NAME} has the format {0}, this program knows {known}", known = Manifest::FORMAT)]
    Unknown(String),
}

/// Of a backup that was made before there were archives.
fn first() -> u64 {
    1
}

impl Manifest {
    pub const FORMAT: &str = "bellwether-backup-1";

    pub fn read(folder: &Path) -> Result<Manifest, ManifestError> {
        let manifest: Manifest = serde_json::from_str(&fs::read_to_string(folder.join(NAME))?)?;
        if manifest.format == Manifest::FORMAT {
            Ok(manifest)
        } else {
            Err(ManifestError::Unknown(manifest.format))
        }
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = create_private(&folder.join(NAME))?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.sync_all()
    }
}
