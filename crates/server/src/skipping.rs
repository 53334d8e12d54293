//! Records in a journal that replays must skip a request, because no build can decide it.
//!
//! This is the last resort of an operator whose venue does not start. The record is written only if this build cannot
//! decide the request and there is no evidence that another build has. From then on it applies to every build.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use exchange::codec::{decode_request, encode_request};
use exchange::command::{Command, RecordSkip, Request};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::Time;
use exchange::{Exchange, Undecidable};
use journal::disk::RealDisk;
use journal::file::FileJournal;
use journal::postgres::{Database, Options};
use journal::snapshots::SnapshotStore;
use journal::{AppendError, Appended, Frame, Journal, Payload, Sequence, SystemClock};

use crate::applied::Unobserved;
use crate::audit::journal_copy::JournalPlace;
use crate::audit::panic_words;
use crate::folder::{self, lock};
use crate::pipeline::replay;
use crate::pipeline::skips::Skips;
use crate::start_error::StartError;

#[derive(Debug, thiserror::Error)]
pub enum SkipError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("the journal ends at sequence {last}: there is no sequence {seq} to skip")]
    NoSuchSequence { seq: u64, last: u64 },
    #[error("this build can decide sequence {seq}: nothing was skipped. Start without --skip-seq")]
    CanDecide { seq: u64 },
    #[error(
        "{what} is past sequence {seq}, so a build has decided it: nothing was skipped. Start that build"
    )]
    Decided { seq: u64, what: &'static str },
    #[error("nodes run on the log: nothing was skipped. Stop them first")]
    NodesRun,
    #[error("nothing was skipped: {0}")]
    Append(#[from] AppendError),
    #[error("the record may or may not have been written ({0}): start without --skip-seq to find out")]
    Unknown(journal::Error),
}

impl From<journal::Error> for SkipError {
    fn from(error: journal::Error) -> SkipError {
        SkipError::Start(error.into())
    }
}

/// The result of a skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The record is durable at this sequence.
    Recorded { at: u64, reason: String },
    /// The journal already has such a record.
    Already,
}

/// Records that replays of the journal skip `seq`. No node may be running on it.
pub fn skip(place: &JournalPlace, seq: u64) -> Result<Skipped, SkipError> {
    match place {
        JournalPlace::Folder(folder) => {
            let _folder_lock = lock(folder)?;
            folder::check_alone(folder)?;
            let disk = |name: &str| RealDisk::new(folder.join(name)).map(Arc::new).map_err(StartError::from);
            let options = journal::file::Options::default();
            let mut journal = FileJournal::open(disk("journal")?, Box::new(SystemClock), options)?;
            let snapshots = SnapshotStore::new(disk("snapshots")?);
            let exchange = replay::restore(&snapshots, &Unobserved)?.exchange;
            skip_in(&mut journal, exchange, seq)
        }
        JournalPlace::Database(url) => {
            let database = Database::open(url, Options::default())?;
            let mut tables = database.shared_tables()?;
            if !tables.live_nodes()?.is_empty() {
                return Err(SkipError::NodesRun);
            }
            if tables.has_checkpoint_from(Sequence(seq))? {
                return Err(SkipError::Decided { seq, what: "a checkpoint of a node" });
            }
            let exchange = replay::restore(tables, &Unobserved)?.exchange;
            skip_in(&mut database.journal(None)?, exchange, seq)
        }
    }
}

fn skip_in(journal: &mut dyn Journal, mut exchange: Exchange, seq: u64) -> Result<Skipped, SkipError> {
    let (start, last) = (Sequence(exchange.seq() + 1), journal.head()?.next.0 - 1);
    if seq == 0 || seq > last {
        return Err(SkipError::NoSuchSequence { seq, last });
    }
    if Skips::find(journal, Sequence(seq))?.contains(seq) {
        return Ok(Skipped::Already);
    }
    if exchange.seq() >= seq {
        return Err(SkipError::Decided { seq, what: "a snapshot" });
    }
    let skips = Skips::find(journal, start)?;
    let mut frames = journal.frames(start)?;
    while let Some(frame) = frames.next_frame()? {
        if frame.header.next().0 <= seq {
            replay::replay(&mut exchange, &frame, &skips, &mut Unobserved)?;
            continue;
        }
        replay::replay_before(&mut exchange, &frame, &skips, seq)?;
        let reason = find_reason(&exchange, &frame, seq).ok_or(SkipError::CanDecide { seq })?;
        return record(journal, last + 1, seq, reason);
    }
    Err(SkipError::NoSuchSequence { seq, last })
}

/// Why this build cannot decide the request at `seq` on this state; `None` if it can.
fn find_reason(exchange: &Exchange, frame: &Frame, seq: u64) -> Option<String> {
    let place = usize::try_from(seq - frame.header.first.0).ok()?;
    let bytes = frame.payload.commands().nth(place)?;
    let at = Time::from_micros(frame.header.at);
    // Only the clone is modified, and it is dropped: unwind safe.
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let request = decode_request(bytes).map_err(Undecidable::from)?;
        exchange.clone().apply(at, &request).map(|_| ())
    }));
    match tried {
        Ok(Ok(())) => None,
        Ok(Err(cause)) => Some(cause.to_string()),
        Err(panic) => Some(format!("it breaks a rule of the exchange: {}", panic_words(&*panic))),
    }
}

fn record(journal: &mut dyn Journal, at: u64, skipped: u64, reason: String) -> Result<Skipped, SkipError> {
    let command = Command::RecordSkip(RecordSkip { skipped, reason: Text::from(reason.as_str()) });
    let mut bytes = Vec::new();
    encode_request(&Request { actor: Actor::System, idempotency: None, command }, &mut bytes);
    match journal.append(Sequence(at), &Payload::skip(&bytes))? {
        Appended::Stored { .. } => Ok(Skipped::Recorded { at, reason }),
        Appended::Preceded { .. } => Err(SkipError::NodesRun),
        Appended::Unknown { cause } => Err(SkipError::Unknown(cause)),
    }
}
