//! Checks a data folder before any file in it is opened: that no other process uses it, that it may run without peers,
//! and that only its owner can read its files.
//!
//! The lock must be held before anything in a data folder is written, renamed or removed. This module does not read the
//! journal: whether snapshots and history belong to it is checked in `startup.rs` for a journal in the folder and in
//! `shared_log.rs` for a shared log.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::disk::FileLock;

use crate::start_error::StartError;

const LOCK: &str = "node.lock";
/// The mark of a folder whose venue is a rehearsal. It stays for the life of the folder.
pub const REHEARSAL_MARK: &str = "sandbox.json";
/// Names the shared log of the folder's node.
pub(crate) const LOG_ID: &str = "log.id";

/// Subfolders that a node creates in its data folder.
const MADE: [&str; 5] = ["journal", "snapshots", "history", "people", "pictures"];

/// An exclusive lock on a data folder, released when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct FolderLock {
    folder: PathBuf,
    _lock: Arc<FileLock>,
}

impl FolderLock {
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Locks the folder and creates it if it is missing. Call this first: two processes that write to one history corrupt
/// it. Refuses the folder of a rehearsal: its secrets follow from a seed, and its times are not real.
pub fn lock(folder: &Path) -> Result<FolderLock, StartError> {
    if folder.join(REHEARSAL_MARK).try_exists()? {
        return Err(StartError::Rehearsal { folder: folder.to_owned() });
    }
    lock_any(folder)
}

/// Locks the folder of a rehearsal, or one that is still empty. Refuses the folder of a venue. The caller writes
/// `REHEARSAL_MARK` before anything else.
pub fn lock_rehearsal(folder: &Path) -> Result<FolderLock, StartError> {
    if !folder.join(REHEARSAL_MARK).try_exists()? && !is_vacant(folder)? {
        return Err(StartError::NotARehearsal { folder: folder.to_owned() });
    }
    lock_any(folder)
}

fn lock_any(folder: &Path) -> Result<FolderLock, StartError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(folder.join(LOCK))?;
    let file_lock = match FileLock::try_new(file) {
        Ok(file_lock) => file_lock,
        Err(TryLockError::WouldBlock) => return Err(StartError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    };
    restrict_permissions(folder);
    Ok(FolderLock { folder: folder.to_owned(), _lock: Arc::new(file_lock) })
}

/// Whether the folder is missing or contains only its lock file.
pub(crate) fn is_vacant(folder: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries?,
    };
    for entry in entries {
        if entry?.file_name() != LOCK {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes the group's and others' permissions that an earlier build granted. The modes of the data folder itself, the
/// master key and the operator token are left to the operator.
fn restrict_permissions(folder: &Path) {
    let made = MADE.map(|name| folder.join(name));
    let inside = made.iter().flat_map(|made| fs::read_dir(made).into_iter().flatten().flatten());
    let marks = ["node.id", LOG_ID].map(|name| folder.join(name));
    let inside: Vec<PathBuf> = inside.map(|entry| entry.path()).collect();
    for path in made.into_iter().chain(marks).chain(inside) {
        if let Err(error) = make_private(&path) {
            tracing::warn!(path = %path.display(), %error, "cannot restrict the permissions: other users may read this file");
        }
    }
}

fn make_private(path: &Path) -> io::Result<()> {
    let about = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        about => about?,
    };
    let mode = about.permissions().mode();
    if about.is_symlink() || mode & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))
}

/// Creates a file that only its owner can read.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Refuses a folder whose node shares a log. Running alone, the node would continue from its old state and accept
/// commands that its peers never see.
pub(crate) fn check_alone(folder: &Path) -> Result<(), StartError> {
    match folder.join(LOG_ID).try_exists()? {
        true => Err(StartError::SharesLog { folder: folder.to_owned() }),
        false => Ok(()),
    }
}

/// Removes the mark of a shared log: the folder now has its own journal.
pub(crate) fn remove_log_mark(folder: &Path) -> io::Result<()> {
    remove_if_exists(&folder.join(LOG_ID))
}

/// Removes a file; a missing file is not an error.
pub fn remove_if_exists(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether the folder contains a journal segment.
pub(crate) fn has_journal(folder: &Path) -> io::Result<bool> {
    let segments = match fs::read_dir(folder.join("journal")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        segments => segments?,
    };
    for entry in segments {
        if Path::new(&entry?.file_name()).extension().is_some_and(|kind| kind == "segment") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes a small private file atomically: after a crash the file is either complete or missing, or still has its old
/// content.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("tmp");
    remove_if_exists(&unfinished)?;
    let mut file = create_private(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_by_one_and_free_when_that_one_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder_lock = lock(folder.path()).expect("a free folder");
        let refused = lock(folder.path()).expect_err("a refusal").to_string();
        assert!(refused.starts_with("another process runs on"), "{refused}");
        let clone = folder_lock.clone();
        drop(folder_lock);
        assert!(lock(folder.path()).is_err(), "a clone keeps the lock");
        drop(clone);
        assert!(lock(folder.path()).is_ok());
    }

    #[test]
    fn a_venue_and_a_rehearsal_refuse_the_folder_of_each_other() {
        let (venue, rehearsal) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        fs::create_dir(venue.path().join("journal")).expect("a journal");
        assert!(matches!(lock_rehearsal(venue.path()), Err(StartError::NotARehearsal { .. })));
        assert!(lock(venue.path()).is_ok());
        drop(lock_rehearsal(rehearsal.path()).expect("an empty folder"));
        fs::write(rehearsal.path().join(REHEARSAL_MARK), "{}").expect("a mark");
        assert!(matches!(lock(rehearsal.path()), Err(StartError::Rehearsal { .. })));
        assert!(lock_rehearsal(rehearsal.path()).is_ok());
    }

    #[test]
    fn files_that_an_earlier_build_left_readable_become_private() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).expect("a file").permissions().mode() & 0o777;
        let set = |name: &str, mode| {
            fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("another mode");
        };
        for made in MADE {
            fs::create_dir(path(made)).expect("a folder");
            set(made, 0o755);
        }
        let ours = ["history/history.sqlite", "history/history.sqlite-wal", "journal/1.segment", "node.id"];
        for name in ours.into_iter().chain(["settings.toml"]) {
            fs::write(path(name), "content").expect("a file");
            set(name, 0o644);
        }
        let folder_lock = lock(folder.path()).expect("a free folder");
        assert_eq!(folder_lock.folder(), folder.path());
        assert!(MADE.iter().all(|made| mode(made) == 0o700));
        assert!(ours.iter().all(|name| mode(name) == 0o600));
        assert_eq!(mode("settings.toml"), 0o644, "other files keep their mode");
    }

    #[test]
    fn a_file_that_is_written_whole_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(LOG_ID);
        for content in ["one", "two"] {
            write_atomically(&path, content.as_bytes()).expect("a written file");
            assert_eq!(fs::read_to_string(&path).expect("the file"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
