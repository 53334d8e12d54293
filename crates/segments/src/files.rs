//! Files of a store: named by number, readable by the owner only. A file that no manifest names is deleted when the last
//! reader has dropped it, so a failed flush or merge leaves nothing on a full disk.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Error;

/// An open file that readers share.
#[derive(Debug)]
pub(crate) struct StoreFile {
    pub(crate) number: u64,
    pub(crate) path: PathBuf,
    file: File,
    /// No manifest names the file: not yet, or not any more.
    is_unnamed: AtomicBool,
}

impl StoreFile {
    pub(crate) fn create(folder: &Path, number: u64) -> Result<StoreFile, Error> {
        let path = path_of(folder, number);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true).mode(0o600);
        let file = options.open(&path).map_err(Error::io(&path))?;
        Ok(StoreFile { number, path, file, is_unnamed: AtomicBool::new(true) })
    }

    /// Opens a file that a manifest names with this length. Bytes after it were never part of the store.
    pub(crate) fn open(folder: &Path, number: u64, length: u64) -> Result<StoreFile, Error> {
        let path = path_of(folder, number);
        let file =
            OpenOptions::new().read(true).write(true).open(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Error::damaged(&path, "the file is missing"),
                _ => Error::io(&path)(error),
            })?;
        let found = file.metadata().map_err(Error::io(&path))?.len();
        if found < length {
            return Err(Error::damaged(&path, "the file is too short"));
        }
        if found > length {
            file.set_len(length).map_err(Error::io(&path))?;
        }
        Ok(StoreFile { number, path, file, is_unnamed: AtomicBool::new(false) })
    }

    pub(crate) fn write_at(&self, bytes: &[u8], offset: u64) -> Result<(), Error> {
        self.file.write_all_at(bytes, offset).map_err(Error::io(&self.path))
    }

    pub(crate) fn read_at(&self, length: usize, offset: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset).map_err(Error::io(&self.path))?;
        Ok(bytes)
    }

    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::io(&self.path))
    }

    /// Keeps the file: a manifest is about to name it.
    pub(crate) fn keep(&self) {
        self.is_unnamed.store(false, Ordering::Relaxed);
    }

    /// Deletes the file when its last reader drops it.
    pub(crate) fn retire(&self) {
        self.is_unnamed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn damaged(&self, what: &'static str) -> Error {
        Error::damaged(&self.path, what)
    }
}

impl Drop for StoreFile {
    fn drop(&mut self) {
        if self.is_unnamed.load(Ordering::Relaxed) {
            // A file that stays behind is deleted by the next start.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn path_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number}.segment"))
}

/// The number of a file of the store; none for another name.
pub(crate) fn number_of(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_suffix(".segment")?.parse().ok()
}
