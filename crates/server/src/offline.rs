//! Appends one command to the journal of a stopped venue, on behalf of the machine's owner.
//!
//! The journal is replayed and the command is first applied to a copy of the state. A command that the rules reject is
//! not written.

use std::path::PathBuf;

use exchange::Exchange;
use exchange::codec::encode_request;
use exchange::command::{Command, Request};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::time::Time;
use journal::postgres::{Database, Options};
use journal::{AppendError, Appended, Journal, Payload, Sequence};

use crate::applied::Unobserved;
use crate::audit::journal_copy::JournalPlace;
use crate::folder::{self, FolderLock, lock};
use crate::pipeline::clock::{Clock, SystemClock};
use crate::pipeline::replay::{self, RestoredState};
use crate::pipeline::skips::Skips;
use crate::startup::{self, StartError};
use crate::view::refusal;

/// How many times another node may append first before the command is given up.
const TRIES_MAX: usize = 100;

#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("{0} has no journal")]
    NoJournal(PathBuf),
    #[error("nothing was written: {}", refusal::word(.0))]
    Refused(Reject),
    #[error("nothing was written: {0}")]
    Append(#[from] AppendError),
    #[error("nodes keep appending to the log: stop them and try again")]
    Busy,
    #[error("the command may or may not have been written ({0}): check the audit log after the next start")]
    Unknown(journal::Error),
}

impl From<journal::Error> for OfflineError {
    fn from(error: journal::Error) -> OfflineError {
        OfflineError::Start(error.into())
    }
}

/// A journal that no node on this machine uses, and the state that it produces.
#[allow(missing_debug_implementations, reason = "a journal has none")]
pub struct Offline {
    journal: Box<dyn Journal>,
    exchange: Exchange,
    _folder_lock: Option<FolderLock>,
}

impl Offline {
    /// Opens the journal and replays it. A folder that is in use is refused.
    pub fn open(place: &JournalPlace, mut progress: impl FnMut(u64, u64)) -> Result<Offline, OfflineError> {
        match place {
            JournalPlace::Folder(folder) => {
                if !folder::has_journal(folder).map_err(StartError::from)? {
                    return Err(OfflineError::NoJournal(folder.clone()));
                }
                let folder_lock = lock(folder)?;
                folder::check_alone(folder)?;
                let opened = startup::open(folder, progress)?;
                Ok(Offline {
                    journal: opened.journal,
                    exchange: opened.exchange,
                    _folder_lock: Some(folder_lock),
                })
            }
            JournalPlace::Database(url) => {
                let database = Database::open(url, Options::default())?;
                let mut journal = database.journal(None)?;
                // Start from the newest snapshot stored with the log: earlier frames may already be archived.
                let RestoredState { exchange, head: snapshot_head, .. } =
                    replay::restore(database.shared_tables()?, &Unobserved)?;
                let head = journal.head()?;
                if !replay::is_on_chain(&journal, &head, &snapshot_head)? {
                    let what =
                        format!("the stored snapshot at {} does not belong to this log", snapshot_head.next);
                    return Err(StartError::OtherLog(what).into());
                }
                let mut offline = Offline { journal: Box::new(journal), exchange, _folder_lock: None };
                let last = head.next.0 - 1;
                offline.catch_up(|done| progress(done, last.max(done)))?;
                Ok(offline)
            }
        }
    }

    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// Appends a command as `Actor::System`. Returns its sequence.
    pub fn give(&mut self, command: Command) -> Result<u64, OfflineError> {
        let request = Request { actor: Actor::System, idempotency: None, command };
        let mut payload = Payload::new();
        payload.push_with(|bytes| encode_request(&request, bytes));
        for _ in 0..TRIES_MAX {
            let now = Time::from_micros(SystemClock.now()).max(self.exchange.now());
            let seq = self.exchange.seq() + 1;
            let undecidable = |cause| StartError::Undecidable { seq, cause };
            self.exchange
                .clone()
                .apply(now, &request)
                .map_err(undecidable)?
                .map_err(OfflineError::Refused)?;
            match self.journal.append(Sequence(self.exchange.seq() + 1), &payload)? {
                Appended::Stored { header, .. } => {
                    self.catch_up(|_| ())?;
                    return Ok(header.first.0);
                }
                Appended::Preceded { .. } => self.catch_up(|_| ())?,
                Appended::Unknown { cause } => return Err(OfflineError::Unknown(cause)),
            }
        }
        Err(OfflineError::Busy)
    }

    /// Applies the frames after the state.
    fn catch_up(&mut self, mut progress: impl FnMut(u64)) -> Result<(), OfflineError> {
        let skips = Skips::find(&*self.journal, Sequence(self.exchange.seq() + 1))?;
        let mut frames = self.journal.frames(Sequence(self.exchange.seq() + 1))?;
        while let Some(frame) = frames.next_frame()? {
            replay::replay(&mut self.exchange, &frame, &skips, &mut Unobserved)?;
            progress(self.exchange.seq());
        }
        Ok(())
    }
}
