//! A backup's manifest. It is written last, so a folder without one is not a backup.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use api::Timestamp;
use api::proof::Hash;
use serde::{Deserialize, Serialize};

use crate::folder::create_private;

const NAME: &str = "manifest.json";

/// Whether the backup includes the master key, from which all API secrets are derived.
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
    /// The backup's last command, its frame's time and hash, and the state's digest after it.
    pub sequence: u64,
    pub at: Timestamp,
    pub frame_hash: Hash,
    pub state_digest: Hash,
    pub frames: u64,
    /// The first command in the backup. If it is not 1, all earlier ones are in an archive, which a restore needs.
    #[serde(default = "first")]
    pub first_sequence: u64,
    /// The sequence of the snapshot in the backup; 0 without one.
    pub snapshot: u64,
    pub master_key: KeyFile,
    /// Rows of the people store, encrypted under the master key.
    pub people: u64,
    /// Persons whose row was missing.
    pub people_missing: u64,
    /// Pictures, unnamed ones included; a backup of an earlier build has none.
    #[serde(default)]
    pub pictures: u64,
    /// Pictures that are named and were missing or damaged.
    #[serde(default)]
    pub pictures_missing: u64,
    /// When the backup was made.
    pub created_at: Timestamp,
}

#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("{NAME} cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("{NAME} is malformed: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("{NAME} has format {0}, this build reads format {known}", known = Manifest::FORMAT)]
    Unknown(String),
}

/// The default for backups made before there were archives.
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
