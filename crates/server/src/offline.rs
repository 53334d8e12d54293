//! One command for a venue that does not run: appended to its journal by the owner of the machine.
//!
//! The journal is replayed and the command is tried on a copy of the state first. A command that the rules would refuse is
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

use crate::audit::journal_copy::JournalPlace;
use crate::clock::{Clock, SystemClock};
use crate::folder::{self, Held, hold};
use crate::skips::Skips;
use crate::startup::{self, Restored, StartError, Unobserved};
use crate::view::refusal;

/// How often a node may append first before the command is given up.
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
    #[error("nodes append to the log all the time: stop them and try again")]
    Busy,
    #[error("the command may have been written or not ({0}): look at the audit log after the next start")]
    Unknown(journal::Error),
}

impl From<journal::Error> for OfflineError {
    fn from(error: journal::Error) -> OfflineError {
        OfflineError::Start(error.into())
    }
}

/// A journal that no node of this machine holds, and the state that it leads to.
#[allow(missing_debug_implementations, reason = "a journal has none")]
pub struct Offline {
    journal: Box<dyn Journal>,
    exchange: Exchange,
    _held: Option<Held>,
}

impl Offline {
    /// Opens a place and replays its journal. A folder that is in use is refused.
    pub fn open(place: &JournalPlace, mut progress: impl FnMut(u64, u64)) -> Result<Offline, OfflineError> {
        match place {
            JournalPlace::Folder(folder) => {
                if !folder::has_journal(folder).map_err(StartError::from)? {
                    return Err(OfflineError::NoJournal(folder.clone()));
                }
                let held = hold(folder)?;
                folder::check_alone(folder)?;
                let opened = startup::open(folder, progress)?;
                Ok(Offline { journal: opened.journal, exchange: opened.exchange, _held: Some(held) })
            }
            JournalPlace::Database(url) => {
                let database = Database::open(url, Options::default())?;
                let mut journal = database.journal(None)?;
                // From the newest snapshot beside the log on: what lies before it may be in an archive.
                let Restored { exchange, head: stood, .. } =
                    startup::restore(database.beside()?, &Unobserved)?;
                let head = journal.head()?;
                if !startup::stands(&journal, &head, &stood)? {
                    let what = format!("the stored snapshot at {} is not of this log", stood.next);
                    return Err(StartError::OtherLog(what).into());
                }
                let mut offline = Offline { journal: Box::new(journal), exchange, _held: None };
                let last = head.next.0 - 1;
                offline.catch_up(|done| progress(done, last.max(done)))?;
                Ok(offline)
            }
        }
    }

    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// Gives a command as the node itself. Returns its sequence.
    pub fn give(&mut self, command: Command) -> Result<u64, OfflineError> {
        let request = Request { actor: Actor::System, idempotency: None, command };
        let mut payload = Payload::new();
        payload.push_with(|bytes| encode_request(&request, bytes));
        for _ in 0..TRIES_MAX {
            let now = Time::from_micros(SystemClock.now_micros()).max(self.exchange.now());
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

    /// Applies what the journal has behind the state.
    fn catch_up(&mut self, mut progress: impl FnMut(u64)) -> Result<(), OfflineError> {
        let skips = Skips::find(&*self.journal, Sequence(self.exchange.seq() + 1))?;
        let mut frames = self.journal.frames(Sequence(self.exchange.seq() + 1))?;
        while let Some(frame) = frames.next_frame()? {
            startup::replay(&mut self.exchange, &frame, &skips, &mut Unobserved)?;
            progress(self.exchange.seq());
        }
        Ok(())
    }
}
