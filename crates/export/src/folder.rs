//! The folder of an export: held by one process at a time, and readable by its owner only if the export is private.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::ExportError;

/// The users of the machine who may read the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// As the umask of the process allows.
    All,
    Owner,
}

impl Readers {
    const fn file_mode(self) -> u32 {
        match self {
            Readers::All => 0o666,
            Readers::Owner => 0o600,
        }
    }

    const fn folder_mode(self) -> u32 {
        match self {
            Readers::All => 0o777,
            Readers::Owner => 0o700,
        }
    }

    /// Creates a file, or empties an existing file.
    pub(crate) fn create_file(self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(self.file_mode()).open(path)
    }

    /// Creates a folder with its parents, unless it exists.
    pub(crate) fn create_folder(self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(self.folder_mode()).create(path)
    }
}

/// The locked folder of an export. Two exports into one folder would write to the same partial files.
#[derive(Debug)]
pub(crate) struct ExportFolder {
    path: PathBuf,
    readers: Readers,
    /// The lock is on the folder itself, so that it leaves no file in the export.
    _lock: File,
}

impl ExportFolder {
    /// Locks the folder until the value is dropped, and creates it if it is missing.
    pub(crate) fn open(path: &Path, readers: Readers) -> Result<ExportFolder, ExportError> {
        let opened = readers.create_folder(path).and_then(|()| File::open(path));
        let lock = opened.map_err(ExportError::file(path))?;
        match lock.try_lock() {
            Ok(()) => Ok(ExportFolder { path: path.to_owned(), readers, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(ExportError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(cause)) => Err(ExportError::File { path: path.to_owned(), cause }),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn readers(&self) -> Readers {
        self.readers
    }

    pub(crate) fn is_empty(&self) -> Result<bool, ExportError> {
        let mut entries = fs::read_dir(&self.path).map_err(ExportError::file(&self.path))?;
        Ok(entries.next().is_none())
    }
}

/// Makes the names of a file's folder durable, after the file was created or renamed.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_folder_has_one_export_at_a_time_and_the_lock_leaves_no_file() {
        let scratch = Scratch::new("folder-lock");
        let path = scratch.path().join("out");
        let first = ExportFolder::open(&path, Readers::All).expect("a free folder");
        let refused = ExportFolder::open(&path, Readers::All).expect_err("a refusal");
        assert!(matches!(refused, ExportError::InUse { .. }), "{refused}");
        assert!(first.is_empty().expect("a folder"));
        drop(first);
        assert!(ExportFolder::open(&path, Readers::All).is_ok());
    }

    #[test]
    fn only_the_owner_reads_what_is_created_for_it() {
        let scratch = Scratch::new("folder-modes");
        let (folder, file) = (scratch.path().join("out/orders"), scratch.path().join("out/orders/1.csv"));
        Readers::Owner.create_folder(&folder).expect("a folder");
        Readers::Owner.create_file(&file).expect("a file");
        let mode = |path: &Path| fs::metadata(path).expect("an entry").permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&scratch.path().join("out")), mode(&file)), (0o700, 0o700, 0o600));
    }
}
