//! A data folder before anything in it is opened: whether another process has it, and whether it may be used alone.
//!
//! Nothing here reads the journal. Whether what else lies in the folder goes with that is `startup.rs` for a journal of its own
//! and `shared_log.rs` for one that nodes share.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::startup::StartError;

const LOCK: &str = "node.lock";
/// Which log the folder's node shares.
pub(crate) const LOG_ID: &str = "log.id";

/// A folder that no other process has as long as this lives.
#[derive(Debug)]
pub(crate) struct Held(#[allow(dead_code, reason = "it is held, not used")] File);

/// Takes the folder, which is made if it is missing. It comes before anything else: two that write one history spoil it.
pub(crate) fn hold(folder: &Path) -> Result<Held, StartError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Held(file)),
        Err(TryLockError::WouldBlock) => Err(StartError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
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
    match fs::remove_file(folder.join(LOG_ID)) {
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

/// Writes a small file as a whole: a crash leaves it, or nothing under its name.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("tmp");
    let mut file = File::create(&unfinished)?;
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
        drop(held);
        assert!(hold(folder.path()).is_ok());
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
