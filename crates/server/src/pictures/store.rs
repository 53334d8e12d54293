//! The interface of a store of pictures, independent of where the bytes are.
//!
//! A new picture is unnamed. It becomes named before the first command that names it is sent, and stays for ever, as the
//! journal does. A sweep removes pictures that have stayed unnamed.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::address::PictureHash;

#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("the picture store, {path}: {cause}")]
    File { path: PathBuf, cause: io::Error },
    #[error("the picture store: {0}")]
    Database(#[from] journal::Error),
    #[error("picture {0} is damaged: its bytes do not have its hash")]
    Damaged(PictureHash),
    #[error("the picture store is stopping")]
    Stopped,
}

impl PictureError {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> PictureError {
        move |cause| PictureError::File { path: path.to_owned(), cause }
    }
}

/// Used by one thread at a time; every call blocks.
pub trait PictureStore: Debug + Send {
    /// Stores a picture durably. A picture that is stored again counts as new, and replaces a damaged copy.
    fn put(&mut self, hash: PictureHash, content: &[u8]) -> Result<(), PictureError>;

    /// The stored bytes, unchecked.
    fn get(&mut self, hash: PictureHash) -> Result<Option<Vec<u8>>, PictureError>;

    /// Makes pictures named, durably, and returns those that exist.
    fn name(&mut self, hashes: &BTreeSet<PictureHash>) -> Result<BTreeSet<PictureHash>, PictureError>;

    /// Removes unnamed pictures that were stored longer ago than `age`. Returns how many.
    fn sweep(&mut self, age: Duration) -> Result<u64, PictureError>;

    /// All pictures, and whether each is named.
    fn list(&mut self) -> Result<Vec<(PictureHash, bool)>, PictureError>;
}
