//! Why an export stops.

use std::io;
use std::path::{Path, PathBuf};

use exchange::id::MarketId;
use server::audit::journal_copy::JournalCopyError;

/// Why an export stops. Finished parts stay valid.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Journal(#[from] JournalCopyError),
    #[error("{path}: {cause}")]
    File { path: PathBuf, cause: io::Error },
    #[error("{path} is no manifest of an export: {what}")]
    Manifest { path: PathBuf, what: String },
    #[error(
        "{path} is an export with another {what}: continue it with the same options, or choose another folder"
    )]
    OtherOptions { path: PathBuf, what: &'static str },
    #[error("{path} has files but no manifest: choose an empty folder")]
    NotEmpty { path: PathBuf },
    #[error("another export writes to {path}")]
    InUse { path: PathBuf },
    #[error("{path} differs from the manifest ({what}): restore it, or export into another folder")]
    ChangedPart { path: PathBuf, what: &'static str },
    #[error("the folder has an export of another journal: they differ up to sequence {sequence}")]
    OtherJournal { sequence: u64 },
    #[error("--from is after --to")]
    EndsBeforeStart,
    #[error("no market and no series of the exported time has the name {}", .names.join(", "))]
    UnknownSelection { names: Vec<String> },
    #[error(
        "this executable has no Parquet: build it with `cargo build --release --features parquet`, or use --format csv"
    )]
    NoParquet,
    #[error("{path}: {what}")]
    Parquet { path: PathBuf, what: String },
    #[error("a number of column {column} has more than 18 digits")]
    TooLarge { column: &'static str },
    #[error("a change names the unknown market {0}")]
    UnknownMarket(MarketId),
    #[error(
        "private data needs the token of an operator of this venue who is neither a viewer nor revoked or suspended"
    )]
    NoOperator,
}

impl ExportError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
        move |cause| ExportError::File { path: path.to_owned(), cause }
    }
}
