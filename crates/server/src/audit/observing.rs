//! Replays a whole journal, in a folder or a database, frame by frame, and shows an observer every applied request.
//!
//! The caller reads a frame, decides whether it still belongs to its work, and applies it.

use std::path::Path;

use exchange::Exchange;
use journal::Frame;

use super::journal_copy::{CopySource, JournalCopyError, JournalPlace};
use super::{AuditError, replay_frame};
use crate::applied::{Observer, Unobserved};

/// A journal and the state after its last applied frame. A folder is only read, so it may be in use.
#[allow(missing_debug_implementations, reason = "a journal has none")]
pub struct JournalReplay {
    source: CopySource,
    exchange: Exchange,
}

impl JournalReplay {
    /// Opens the journal at its first frame. `archive` is for an archive that was moved.
    pub fn open(place: &JournalPlace, archive: Option<&Path>) -> Result<JournalReplay, JournalCopyError> {
        Ok(JournalReplay { source: CopySource::open(place, archive)?, exchange: Exchange::new() })
    }

    /// The approximate last sequence of the journal, for a progress bar.
    pub fn last(&self) -> u64 {
        self.source.last
    }

    /// The first sequence that replays skip, if any.
    pub fn first_skipped(&self) -> Option<u64> {
        self.source.skips.first()
    }

    /// The state after the last applied frame.
    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// Reads the next frame without applying it; none at the end of the journal.
    pub fn read(&mut self) -> Result<Option<Frame>, JournalCopyError> {
        Ok(self.source.next_frame()?)
    }

    /// Applies the frame that was read last.
    pub fn apply(&mut self, frame: &Frame, observer: &mut dyn Observer) -> Result<(), JournalCopyError> {
        let replayed = replay_frame(&mut self.exchange, frame, &self.source.skips, observer);
        Ok(replayed.map_err(AuditError::from)?)
    }

    /// Replays the journal to its end and returns the state.
    pub fn into_last_state(
        mut self,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Exchange, JournalCopyError> {
        while let Some(frame) = self.read()? {
            self.apply(&frame, &mut Unobserved)?;
            progress(self.exchange.seq(), self.last().max(self.exchange.seq()));
        }
        Ok(self.exchange)
    }
}
