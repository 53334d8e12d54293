//! The manifest of an export: its options, and every finished part with the hashes of its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use api::Timestamp;
use journal::FrameHash;
use serde::{Deserialize, Serialize};

use crate::error::ExportError;
use crate::exporting::ExportOptions;
use crate::folder::ExportFolder;
use crate::format::Format;
use crate::hashed_file::{PARTIAL, partial, replace, summarise};
use crate::selection::Selection;
use crate::table::Table;

const NAME: &str = "manifest.json";
const KIND: &str = "bellwether-export";
const VERSION: u32 = 1;

/// Everything in `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// `bellwether-export`.
    pub kind: String,
    pub version: u32,
    pub format: Format,
    pub is_private: bool,
    pub selection: Selection,
    pub part_sequences: u64,
    pub snapshot_seconds: u64,
    /// Finished parts, without gaps between them.
    pub parts: Vec<PartEntry>,
}

/// A finished part: the rows of a range of sequences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartEntry {
    pub first_sequence: u64,
    pub last_sequence: u64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// The hash of the journal's frame that ends with the last sequence.
    pub frame_hash: String,
    pub files: Vec<FileEntry>,
}

/// A file of a part. A table without rows in the part has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    pub table: String,
    /// Relative to the manifest.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    /// In lower-case hex.
    pub sha256: String,
}

impl Manifest {
    /// The manifest of a folder, whose finished parts are verified. A new one, if the folder is empty or has no
    /// finished part.
    pub(crate) fn open(folder: &ExportFolder, options: &ExportOptions) -> Result<Manifest, ExportError> {
        let path = folder.path().join(NAME);
        let found = match fs::read(&path) {
            Ok(bytes) => Some(read(&path, &bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(cause) => return Err(ExportError::File { path, cause }),
        };
        match found {
            Some(manifest) if !manifest.parts.is_empty() => {
                manifest.check_options(options, &path)?;
                manifest.verify(folder.path())?;
                remove_files(folder.path(), &[PARTIAL])?;
                Ok(manifest)
            }
            Some(_) => {
                // Also complete files of a first part that was not recorded: the options may differ now.
                remove_files(folder.path(), &[PARTIAL, ".csv", ".parquet"])?;
                Manifest::create(folder, options)
            }
            None => {
                // A run that was killed in `store` leaves only this file.
                remove_if_exists(&partial(&path))?;
                match folder.is_empty()? {
                    true => Manifest::create(folder, options),
                    false => Err(ExportError::NotEmpty { path: folder.path().to_owned() }),
                }
            }
        }
    }

    fn create(folder: &ExportFolder, options: &ExportOptions) -> Result<Manifest, ExportError> {
        let manifest = Manifest {
            kind: KIND.to_owned(),
            version: VERSION,
            format: options.format,
            is_private: options.private.is_some(),
            selection: options.selection.clone(),
            part_sequences: options.part_sequences,
            snapshot_seconds: options.snapshot_seconds,
            parts: Vec::new(),
        };
        // Written before the first part, so that a killed run is continued.
        manifest.store(folder)?;
        Ok(manifest)
    }

    pub(crate) fn store(&self, folder: &ExportFolder) -> Result<(), ExportError> {
        let path = folder.path().join(NAME);
        let unwritable =
            |error: serde_json::Error| ExportError::Manifest { path: path.clone(), what: error.to_string() };
        let mut bytes = serde_json::to_vec_pretty(self).map_err(unwritable)?;
        bytes.push(b'\n');
        replace(&path, folder.readers(), &bytes)
    }

    /// The last sequence of the finished parts; 0 without one.
    pub fn last_sequence(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.last_sequence)
    }

    /// Rows of a table in all parts.
    pub fn rows(&self, table: Table) -> u64 {
        let files = self.parts.iter().flat_map(|part| &part.files);
        files.filter(|file| file.table == table.name()).map(|file| file.rows).sum()
    }

    /// Whether the last finished part ends with this sequence and this frame.
    pub(crate) fn ends_with(&self, sequence: u64, hash: FrameHash) -> bool {
        let is_same_end =
            |part: &PartEntry| part.last_sequence == sequence && part.frame_hash == hash.to_string();
        self.parts.last().is_some_and(is_same_end)
    }

    fn check_options(&self, options: &ExportOptions, path: &Path) -> Result<(), ExportError> {
        let compared = [
            ("format", self.format == options.format),
            ("choice of private data", self.is_private == options.private.is_some()),
            ("selection", self.selection == options.selection),
            ("--part-sequences", self.part_sequences == options.part_sequences),
            ("--snapshot-seconds", self.snapshot_seconds == options.snapshot_seconds),
        ];
        match compared.into_iter().find(|(_, is_equal)| !is_equal) {
            Some((what, _)) => Err(ExportError::OtherOptions { path: path.to_owned(), what }),
            None => Ok(()),
        }
    }

    /// Compares every file of the finished parts with its hash.
    fn verify(&self, folder: &Path) -> Result<(), ExportError> {
        for file in self.parts.iter().flat_map(|part| &part.files) {
            let path = folder.join(&file.path);
            let changed = |what| ExportError::ChangedPart { path: path.clone(), what };
            let found = match summarise(&path) {
                Ok(found) => found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(changed("it is missing"));
                }
                Err(cause) => return Err(ExportError::File { path, cause }),
            };
            if found.bytes != file.bytes {
                return Err(changed("its size"));
            }
            if found.sha256 != file.sha256 {
                return Err(changed("its hash"));
            }
        }
        Ok(())
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<Manifest, ExportError> {
    let unreadable = |what: String| ExportError::Manifest { path: path.to_owned(), what };
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
    if manifest.kind != KIND || manifest.version != VERSION {
        return Err(unreadable(format!("it is {} {}", manifest.kind, manifest.version)));
    }
    let is_safe = |file: &FileEntry| {
        let mut parts = Path::new(&file.path).components();
        parts.all(|part| matches!(part, std::path::Component::Normal(_)))
    };
    match manifest.parts.iter().flat_map(|part| &part.files).find(|file| !is_safe(file)) {
        Some(file) => Err(unreadable(format!("the path {} leaves the folder", file.path))),
        None => Ok(manifest),
    }
}

/// Removes an incomplete manifest, and the files of tables whose names end so: those of a killed run.
fn remove_files(folder: &Path, endings: &[&str]) -> Result<(), ExportError> {
    remove_if_exists(&partial(&folder.join(NAME)))?;
    for table in Table::ALL {
        let folder = folder.join(table.name());
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(cause) => return Err(ExportError::File { path: folder, cause }),
        };
        let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        for path in paths.map_err(ExportError::file(&folder))? {
            if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                fs::remove_file(&path).map_err(ExportError::file(&path))?;
            }
        }
    }
    Ok(())
}

fn remove_if_exists(path: &Path) -> Result<(), ExportError> {
    server::folder::remove_if_exists(path).map_err(ExportError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Readers;
    use crate::scratch::Scratch;

    fn options(folder: &Path, part_sequences: u64) -> ExportOptions {
        ExportOptions {
            folder: folder.to_owned(),
            format: Format::Csv,
            selection: Selection::default(),
            part_sequences,
            snapshot_seconds: 1,
            private: None,
        }
    }

    fn opened(folder: &Path, part_sequences: u64) -> Result<Manifest, ExportError> {
        let locked = ExportFolder::open(folder, Readers::All)?;
        Manifest::open(&locked, &options(folder, part_sequences))
    }

    #[test]
    fn a_run_that_was_killed_while_it_wrote_a_manifest_is_continued() {
        let scratch = Scratch::new("manifest-partial");
        let folder = scratch.path();
        fs::write(folder.join("manifest.json.partial"), "{").expect("a file");
        let first = opened(folder, 5).expect("a new export");
        assert!(!folder.join("manifest.json.partial").exists());
        fs::write(folder.join("manifest.json.partial"), "{").expect("a file");
        assert_eq!(opened(folder, 5).expect("an export to continue"), first);
        assert!(!folder.join("manifest.json.partial").exists());
    }

    #[test]
    fn other_options_replace_a_manifest_without_parts_and_no_other() {
        let scratch = Scratch::new("manifest-options");
        let folder = scratch.path();
        opened(folder, 5).expect("a new export");
        let unrecorded = folder.join("trades/000000000001.csv");
        fs::create_dir(folder.join("trades")).expect("a folder");
        fs::write(&unrecorded, "sequence\n").expect("a file");
        let mut manifest = opened(folder, 6).expect("no part is lost");
        assert_eq!((manifest.part_sequences, unrecorded.exists()), (6, false));
        manifest.parts.push(PartEntry {
            first_sequence: 1,
            last_sequence: 6,
            first_at: Timestamp::from_micros(0),
            last_at: Timestamp::from_micros(0),
            frame_hash: String::new(),
            files: Vec::new(),
        });
        let locked = ExportFolder::open(folder, Readers::All).expect("a free folder");
        manifest.store(&locked).expect("a write");
        drop(locked);
        assert!(matches!(opened(folder, 5), Err(ExportError::OtherOptions { .. })));
        assert_eq!(opened(folder, 6).expect("equal options"), manifest);
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let scratch = Scratch::new("manifest-other");
        fs::write(scratch.path().join("notes.txt"), "mine").expect("a file");
        assert!(matches!(opened(scratch.path(), 5), Err(ExportError::NotEmpty { .. })));
    }
}
