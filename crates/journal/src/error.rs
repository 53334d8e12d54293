//! Errors of the journal and its storage. Each variant says where the error occurred; the caller decides what to do.

use std::fmt;
use std::io;

use crate::Sequence;
use crate::disk::is_out_of_descriptors;

/// A position in a file of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub offset: u64,
    /// The sequence that was expected there.
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
    /// Bytes that no crash can produce. Nothing is truncated or written: restore a backup or inspect the file by hand.
    #[error("{place}: corrupt, {what}")]
    Corrupt { place: Place, what: &'static str },
    /// An intact file that is in the wrong place or does not belong to this journal.
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
    #[error("sequence {from} does not exist yet, the next is {next}")]
    NotThereYet { from: Sequence, next: Sequence },
    #[error("{0}")]
    WrongOptions(&'static str),
    /// No response; the statement may still have executed.
    #[error("cannot {doing} the database: {cause}")]
    Database { doing: &'static str, cause: String },
    /// A database that cannot be used in its current state.
    #[error("the database cannot hold a journal: {what}")]
    WrongDatabase { what: String },
    /// A row that no writer produces. Nothing is repaired: restore a backup or inspect the row by hand.
    #[error("row {sequence} of bellwether_frames: {what}")]
    BadRow { sequence: Sequence, what: &'static str },
    /// Frames were moved to an archive that cannot be read.
    #[error(
        "sequence {from} is in the archive, the journal begins with {first}. The archive was written to {place}, and cannot be \
         read: {why}. Use --archive to give its current location"
    )]
    Archived { from: Sequence, first: Sequence, place: String, why: String },
    #[error("the archive {place}: {cause}")]
    BadArchive { place: String, cause: Box<Error> },
    /// A copy of a node's folder runs as a second node. The node makes no call until the other process has ended.
    #[error(
        "another process with this node's mark uses the log: one of the two runs on a copy of the other's folder. Stop \
         the copy and remove its node.id"
    )]
    MarkTaken,
    #[error("the database's clock is {seconds} s ahead of this machine's: set both, then start again")]
    ClockAhead { seconds: i64 },
}

impl Error {
    pub(crate) fn disk(doing: &'static str, file: &str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Disk { doing, file: file.to_owned(), source }
    }

    pub(crate) fn database(doing: &'static str, error: &tokio_postgres::Error) -> Error {
        // `tokio_postgres::Error` prints only its kind; the detail is in its source.
        let cause = match (error.as_db_error(), std::error::Error::source(error)) {
            (Some(told), _) => format!("{} (SQLSTATE {})", told.message(), told.code().code()),
            (None, Some(source)) => format!("{error}: {source}"),
            (None, None) => error.to_string(),
        };
        Error::Database { doing, cause }
    }

    /// Whether a retry may succeed: the database is unreachable or restarting, an operator must fix a setting or stop a
    /// copy of the node, or no file descriptor was free.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::Database { .. } | Error::WrongDatabase { .. } | Error::MarkTaken => true,
            Error::Disk { source, .. } => is_out_of_descriptors(source),
            _ => false,
        }
    }

    /// Whether a file did not exist.
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
    #[error("a payload of {bytes} bytes is too large, the maximum is {bytes_max}")]
    TooLarge { bytes: usize, bytes_max: usize },
    #[error("sequence {expected} leaves a gap, the next is {next}")]
    Ahead { expected: Sequence, next: Sequence },
    /// The outcome of an earlier append is unknown. Reopen the journal and read its end.
    #[error("an earlier append failed: the journal must be reopened")]
    Poisoned,
    /// The stamping clock is more than five minutes ahead of its reference. References: for a given clock the
    /// database's, for the database's clock this machine's, for the clock of a file journal the monotonic clock.
    #[error(
        "a frame's time would jump more than five minutes ahead: the clock of the machine or of the database was set forward"
    )]
    AheadOfTime { at: i64 },
    /// The last frame that this writer read is gone: the database was restored to an earlier state, or it is another
    /// database.
    #[error("the frame at sequence {last}, which this node has read, is no longer in the log")]
    Forked { last: Sequence },
}
