//! The requests that `RecordSkip` records in the journal name; a replay skips them.
//!
//! A record follows the request that it names, so all records are collected before a replay starts.

use std::collections::BTreeSet;

use exchange::codec::decode_request;
use exchange::command::{Command, RecordSkip};
use journal::{Frame, FrameKind, Journal, Sequence};

use crate::start_error::StartError;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skips(BTreeSet<u64>);

impl Skips {
    /// Collects the records from the frame that contains `from` onwards.
    pub fn find(journal: &dyn Journal, from: Sequence) -> Result<Skips, StartError> {
        let mut skips = Skips::default();
        for frame in journal.skips(from)? {
            skips.note(&frame)?;
        }
        Ok(skips)
    }

    /// Adds the sequences that a skip frame names. Ignores other frames.
    pub fn note(&mut self, frame: &Frame) -> Result<(), StartError> {
        if frame.header.kind != FrameKind::Skip {
            return Ok(());
        }
        for (seq, bytes) in (frame.header.first.0..).zip(frame.payload.commands()) {
            let request = decode_request(bytes)
                .map_err(|cause| StartError::Undecidable { seq, cause: cause.into() })?;
            match request.command {
                Command::RecordSkip(RecordSkip { skipped, .. }) => self.0.insert(skipped),
                _ => return Err(StartError::NotASkip { seq }),
            };
        }
        Ok(())
    }

    /// The first skipped sequence.
    pub fn first(&self) -> Option<u64> {
        self.0.first().copied()
    }

    pub fn contains(&self, seq: u64) -> bool {
        self.0.contains(&seq)
    }
}
