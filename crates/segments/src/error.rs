//! The errors of a store.

use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    /// The content of a file is not what was written. The caller deletes the store and builds it again.
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: &'static str },
    /// The store was written by another version of the caller.
    #[error("the store has version {found}")]
    OtherVersion { found: u32 },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |error| match error.kind() {
            // A file that a manifest names is never shorter than the manifest says.
            std::io::ErrorKind::UnexpectedEof => Error::Damaged { path, what: "the file is too short" },
            _ => Error::Io { path, error },
        }
    }

    pub(crate) fn damaged(path: &Path, what: &'static str) -> Error {
        Error::Damaged { path: path.to_owned(), what }
    }

    /// Whether a later attempt can succeed: no descriptor was free, or the disk was full or read-only.
    pub fn is_transient(&self) -> bool {
        use rustix::io::Errno;
        const TRANSIENT: [Errno; 5] = [Errno::NFILE, Errno::MFILE, Errno::NOSPC, Errno::DQUOT, Errno::ROFS];
        let Error::Io { error, .. } = self else { return false };
        Errno::from_io_error(error).is_some_and(|errno| TRANSIENT.contains(&errno))
    }

    /// Whether the store must be deleted and built again.
    pub const fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. })
    }
}
