//! A data folder before anything in it is opened: whether another process has it, whether it may be used alone, and
//! that its files are for their owner alone.
//!
//! Nothing in a data folder is written, renamed or removed before it is held. Nothing here reads the journal: whether
//! snapshots and history belong to it is `startup.rs` for a journal of its own and `shared_log.rs` for one that nodes share.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::startup::StartError;

const LOCK: &str = "node.lock";
/// Which log the folder's node shares.
pub(crate) const LOG_ID: &str = "log.id";

/// Folders that a node makes in its data folder.
const MADE: [&str; 4] = ["journal", "snapshots", "history", "people"];

/// A folder that no other process has until the last clone of this is dropped.
#[derive(Clone, Debug)]
pub struct Held {
    folder: PathBuf,
    _lock: Arc<File>,
}

impl Held {
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Takes the folder, which is made if it is missing. It comes before anything else: two that write one history spoil it.
pub fn hold(folder: &Path) -> Result<Held, StartError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StartError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    tighten(folder);
    Ok(Held { folder: folder.to_owned(), _lock: Arc::new(file) })
}

/// Whether a folder is missing or has nothing in it but its lock.
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

/// Takes from others what an earlier build let them read. The data folder itself, the master key and the operator's token
/// are the operator's to set.
fn tighten(folder: &Path) {
    let made = MADE.map(|name| folder.join(name));
    let inside = made.iter().flat_map(|made| fs::read_dir(made).into_iter().flatten().flatten());
    let marks = ["node.id", LOG_ID].map(|name| folder.join(name));
    let inside: Vec<PathBuf> = inside.map(|entry| entry.path()).collect();
    for path in made.into_iter().chain(marks).chain(inside) {
        if let Err(error) = make_private(&path) {
            tracing::warn!(path = %path.display(), %error, "others may read this, and it cannot be changed");
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

/// A new file that its owner alone can read.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Refuses a folder whose node shares a log. Alone it would go on from what it had before, and take what the others do
/// not hear of.
pub(crate) fn check_alone(folder: &Path) -> Result<(), StartError> {
    match folder.join(LOG_ID).try_exists()? {
        true => Err(StartError::SharesLog { folder: folder.to_owned() }),
        false => Ok(()),
    }
}

/// From now on the folder has a journal of its own.
pub(crate) fn leave_log(folder: &Path) -> io::Result<()> {
    remove_if_there(&folder.join(LOG_ID))
}

/// Removes a file that may be missing.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a journal was begun in the folder.
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

/// Writes a small file as a whole, for its owner alone: a crash leaves it, or nothing under its name.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("tmp");
    remove_if_there(&unfinished)?;
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
        let held = hold(folder.path()).expect("a free folder");
        let refused = hold(folder.path()).expect_err("a refusal").to_string();
        assert!(refused.starts_with("another process runs on"), "{refused}");
        let also_held = held.clone();
        drop(held);
        assert!(hold(folder.path()).is_err(), "a clone holds it as well");
        drop(also_held);
        assert!(hold(folder.path()).is_ok());
    }

    #[test]
    fn what_an_earlier_build_let_others_read_is_taken_from_them() {
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
        let held = hold(folder.path()).expect("a free folder");
        assert_eq!(held.folder(), folder.path());
        assert!(MADE.iter().all(|made| mode(made) == 0o700));
        assert!(ours.iter().all(|name| mode(name) == 0o600));
        assert_eq!(mode("settings.toml"), 0o644, "what is not ours stays as it is");
    }

    #[test]
    fn a_file_that_is_written_whole_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(LOG_ID);
        for content in ["one", "two"] {
            write_whole(&path, content.as_bytes()).expect("a written file");
            assert_eq!(fs::read_to_string(&path).expect("the file"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
