//! Trouble of the world around the journal. Each variant says where; what to do is the caller's decision.

use std::fmt;
use std::io;

use crate::Sequence;

/// A spot in a file of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub offset: u64,
    /// The sequence that should have been found there.
    pub sequence: Sequence,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at offset {}, sequence {}", self.file, self.offset, self.sequence)
    }
}

/// Why a journal or a snapshot cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {doing} {file}: {source}")]
    Disk { doing: &'static str, file: String, source: io::Error },
    /// Bytes that no crash leaves behind. Nothing is cut and nothing is written: restore or ask a person.
    #[error("{place}: corrupt, {what}")]
    Corrupt { place: Place, what: &'static str },
    /// A whole file that does not belong where it is, or does not belong at all.
    #[error("{file}: {what}")]
    WrongFile { file: String, what: String },
    #[error("{file} is missing: {why}")]
    MissingFile { file: String, why: String },
    #[error("another process holds {file}: a journal has one writer")]
    Locked { file: String },
    #[error("this folder holds no journal")]
    NoJournal,
    #[error("this folder holds a journal already")]
    AlreadyThere,
    #[error("sequence {from} is not there yet, the next is {next}")]
    NotThereYet { from: Sequence, next: Sequence },
    #[error("{0}")]
    WrongOptions(&'static str),
}

impl Error {
    pub(crate) fn disk(doing: &'static str, file: &str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Disk { doing, file: file.to_owned(), source }
    }

    pub(crate) fn wrong_file(file: &str, what: impl Into<String>) -> Error {
        Error::WrongFile { file: file.to_owned(), what: what.into() }
    }
}

/// Why an append was refused. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    #[error("a frame needs at least one command")]
    Empty,
    #[error("a payload of {bytes} bytes is too large, {bytes_max} is the most")]
    TooLarge { bytes: usize, bytes_max: usize },
    #[error("sequence {expected} leaves a gap, the next is {next}")]
    Ahead { expected: Sequence, next: Sequence },
    /// An earlier append ended in doubt. Open the journal anew and read what is there.
    #[error("an earlier append failed: the journal must be opened anew")]
    Poisoned,
}
