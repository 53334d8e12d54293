//! Trouble of the world around the journal. Each variant says where; what to do is the caller's decision.

use std::fmt;
use std::io;

use crate::Sequence;
use crate::disk::is_out_of_descriptors;

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
    /// A question that was not answered. Whether it was heard is not known.
    #[error("cannot {doing} the database: {cause}")]
    Database { doing: &'static str, cause: String },
    /// A database that must not be used as it is.
    #[error("the database cannot keep a journal: {what}")]
    WrongDatabase { what: String },
    /// What no writer writes. Nothing is mended: restore or ask a person.
    #[error("row {sequence} of bellwether_frames: {what}")]
    BadRow { sequence: Sequence, what: &'static str },
    /// Frames that were moved, and an archive that does not give them.
    #[error(
        "sequence {from} is in the archive, the journal begins with {first}. The archive was written to {place}, and cannot be \
         read: {why}. Say by --archive where it is now"
    )]
    Archived { from: Sequence, first: Sequence, place: String, why: String },
    #[error("the archive {place}: {cause}")]
    BadArchive { place: String, cause: Box<Error> },
    #[error("the database's clock is {seconds} s ahead of this machine's: set both, then start again")]
    ClockAhead { seconds: i64 },
}

impl Error {
    pub(crate) fn disk(doing: &'static str, file: &str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Disk { doing, file: file.to_owned(), source }
    }

    pub(crate) fn database(doing: &'static str, error: &tokio_postgres::Error) -> Error {
        // The library keeps the interesting half behind the first sentence.
        let cause = match (error.as_db_error(), std::error::Error::source(error)) {
            (Some(told), _) => format!("{} (SQLSTATE {})", told.message(), told.code().code()),
            (None, Some(source)) => format!("{error}: {source}"),
            (None, None) => error.to_string(),
        };
        Error::Database { doing, cause }
    }

    /// Whether the same call may work later: the database is away or on its way back, an operator must mend a setting, or
    /// no descriptor was free.
    pub fn is_passing(&self) -> bool {
        match self {
            Error::Database { .. } | Error::WrongDatabase { .. } => true,
            Error::Disk { source, .. } => is_out_of_descriptors(source),
            _ => false,
        }
    }

    /// Whether a file was not there.
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, Error::Disk { source, .. } if source.kind() == io::ErrorKind::NotFound)
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
    /// The clock that stamps is more than five minutes ahead: of the database's, or the database's of this machine's, or in a
    /// file journal of a clock that nothing sets.
    #[error(
        "a frame's time would jump more than five minutes ahead: a clock, of the machine or of the database, was set"
    )]
    AheadOfTime { at: i64 },
    /// What this writer read last is not there any more: a database that was set back, or another one.
    #[error("the frame at sequence {last}, which this node has read, is not in the log any more")]
    Forked { last: Sequence },
}
