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

    /// Whether the process or the machine had no free descriptor: a later attempt can succeed.
    pub fn is_transient(&self) -> bool {
        const ENFILE: i32 = 23;
        const EMFILE: i32 = 24;
        matches!(self, Error::Io { error, .. } if matches!(error.raw_os_error(), Some(ENFILE | EMFILE)))
    }

    /// Whether the store must be deleted and built again.
    pub const fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. })
    }
}
