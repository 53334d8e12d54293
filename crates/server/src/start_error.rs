//! Reasons why a node does not start, or a journal cannot be replayed.

use std::io;
use std::path::PathBuf;

use exchange::Undecidable;

/// Why the exchange does not start. Each message names what to check.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the data folder cannot be used: {0}")]
    Folder(#[from] io::Error),
    #[error(transparent)]
    Journal(#[from] journal::Error),
    #[error("this build cannot decide sequence {seq} of the journal: {cause}. Start a newer build")]
    Undecidable { seq: u64, cause: Undecidable },
    #[error("the frame at sequence {seq} should name a request to skip, and does not")]
    NotASkip { seq: u64 },
    #[error("the journal continues at sequence {found}, but the state expects {expected}")]
    Gap { expected: u64, found: u64 },
    #[error("this folder does not go with the log: {0}")]
    OtherLog(String),
    #[error(
        "snapshots and history do not belong to this journal: {0}. If frames are missing, restore the right journal. If this \
         is the right one, remove the folders snapshots and history: a start rebuilds both"
    )]
    OtherJournal(String),
    #[error("another process runs on {folder}: a data folder has one node")]
    InUse { folder: PathBuf },
    #[error(
        "the node of {folder} shares a log (log.id): name it with --journal. To return to a journal in the folder, run \
         `bellwether journal copy` first"
    )]
    SharesLog { folder: PathBuf },
    #[error("{folder} is the folder of a sandbox, whose secrets and times are made up: use another folder")]
    Rehearsal { folder: PathBuf },
    #[error("{folder} is not the folder of a sandbox: a sandbox starts in an empty folder or in its own")]
    NotARehearsal { folder: PathBuf },
    #[error(
        "{path} is missing, and API keys may have been made with it: restore it. If it is lost, create one of 32 random bytes, \
         mode 600; then every API key must be rotated"
    )]
    NoMasterKey { path: PathBuf },
    #[error(
        "the master key is not the key that the journal recorded: restore the right one. If it was compromised, replace it \
         with `bellwether master-key replace` while no node runs"
    )]
    WrongMasterKey,
    #[error(
        "another node with the mark of {path} is on the log: this folder is a copy of its folder. Remove node.id from the \
         copy. If this node itself lost its connection, the database notices within a minute: start again"
    )]
    MarkTaken { path: PathBuf },
    #[error(
        "the machine's clock is {hours} hours past the last frame of the journal, and the kernel reports it as unsynchronised: \
         a wrong time would close and expire events and orders for good. Start again when it is synchronised; if it is \
         right, start with --accept-clock"
    )]
    UnsureClock { hours: u64 },
    #[error("at sequence {seq} this node's state is {ours}, another's is {theirs}: one of them is wrong")]
    Diverged { seq: u64, ours: String, theirs: String },
}
