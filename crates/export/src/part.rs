//! The files of the part that is being written, one for each table that has rows.

use std::collections::BTreeMap;
use std::path::PathBuf;

use api::Timestamp;
use exchange::time::Time;

use crate::error::ExportError;
use crate::folder::{ExportFolder, Readers, sync_folder_of};
use crate::format::{Format, TableFile};
use crate::manifest::{FileEntry, PartEntry};
use crate::table::{Cell, Table};

#[derive(Debug)]
pub(crate) struct PartWriter {
    folder: PathBuf,
    readers: Readers,
    format: Format,
    first: u64,
    first_at: Time,
    files: BTreeMap<Table, OpenFile>,
}

#[derive(Debug)]
struct OpenFile {
    path: String,
    file: Box<dyn TableFile>,
    rows: u64,
}

/// The end of a part: its last sequence, the time of that request, and the hash of its frame.
#[derive(Debug)]
pub(crate) struct PartEnd {
    pub(crate) sequence: u64,
    pub(crate) at: Time,
    pub(crate) frame_hash: String,
}

impl PartWriter {
    /// A part that begins with a sequence.
    pub(crate) fn new(folder: &ExportFolder, format: Format, first: u64, first_at: Time) -> PartWriter {
        let (folder, readers) = (folder.path().to_owned(), folder.readers());
        PartWriter { folder, readers, format, first, first_at, files: BTreeMap::new() }
    }

    /// The first sequence.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    pub(crate) fn write(&mut self, table: Table, row: &[Cell]) -> Result<(), ExportError> {
        let open = match self.files.entry(table) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let folder = self.folder.join(table.name());
                let created = self.readers.create_folder(&folder).and_then(|()| sync_folder_of(&folder));
                created.map_err(ExportError::file(&folder))?;
                let path = format!("{}/{:012}.{}", table.name(), self.first, self.format.extension());
                let file = self.format.create(table, &self.folder.join(&path), self.readers)?;
                entry.insert(OpenFile { path, file, rows: 0 })
            }
        };
        open.file.write(row)?;
        open.rows += 1;
        Ok(())
    }

    /// Completes all files.
    pub(crate) fn finish(self, end: PartEnd) -> Result<PartEntry, ExportError> {
        let mut files = Vec::new();
        for (table, open) in self.files {
            let summary = open.file.finish()?;
            files.push(FileEntry {
                table: table.name().to_owned(),
                path: open.path,
                rows: open.rows,
                bytes: summary.bytes,
                sha256: summary.sha256,
            });
        }
        Ok(PartEntry {
            first_sequence: self.first,
            last_sequence: end.sequence,
            first_at: Timestamp::from_micros(self.first_at.micros()),
            last_at: Timestamp::from_micros(end.at.micros()),
            frame_hash: end.frame_hash,
            files,
        })
    }
}
