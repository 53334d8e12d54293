//! `sandbox.json`: the parts of the sandbox that are not in the journal. It also marks the folder as a sandbox's.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use api::Timestamp;
use exchange::time::Time;
use serde::{Deserialize, Serialize};
use server::folder::REHEARSAL_MARK;
use uuid::Uuid;

use crate::error::SandboxError;
use crate::traders::Trader;

const FORMAT: u32 = 1;
/// More starts than any other sandbox has.
const PAST_STARTS: u64 = 1 << 32;

/// The sandbox's own state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Record {
    format: u32,
    pub(crate) seed: u64,
    /// Whether the venue relives a journal.
    pub(crate) is_past: bool,
    /// When the venue began.
    start: Timestamp,
    /// Where its clock stands.
    now: Timestamp,
    /// Whether everything so far followed from the seed and the requests.
    pub(crate) deterministic: bool,
    /// How often a process has started on this venue. A return to a snapshot brings back the number at that time.
    #[serde(default)]
    pub(crate) starts: u64,
    /// The operator who acts for requests to the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) operator: Option<Uuid>,
    /// The user who trades for requests to the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counterparty: Option<Uuid>,
    /// The number of the next user or trader without a name.
    pub(crate) next: u64,
    pub(crate) traders: Vec<Trader>,
    /// Asset prices that a request has set, in millionths: they stay until another request changes them.
    pub(crate) held_prices: BTreeMap<String, i64>,
}

impl Record {
    pub(crate) fn new(seed: u64, start: Time, is_past: bool) -> Record {
        let start = Timestamp::from_micros(start.micros());
        Record {
            format: FORMAT,
            seed,
            is_past,
            start,
            now: start,
            deterministic: true,
            // A sandbox with this seed may have made the relived journal: its ids must not come again.
            starts: if is_past { PAST_STARTS } else { 0 },
            operator: None,
            counterparty: None,
            next: 1,
            traders: Vec::new(),
            held_prices: BTreeMap::new(),
        }
    }

    /// The record of one more start.
    pub(crate) fn started(self) -> Record {
        Record { starts: self.starts + 1, ..self }
    }

    pub(crate) fn start(&self) -> Time {
        Time::from_micros(self.start.micros())
    }

    pub(crate) fn now(&self) -> Time {
        Time::from_micros(self.now.micros())
    }

    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = Timestamp::from_micros(now.micros());
    }

    /// The next number.
    pub(crate) fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// The record of a folder, if it has one.
    pub(crate) fn load(folder: &Path) -> Result<Option<Record>, SandboxError> {
        let text = match fs::read_to_string(folder.join(REHEARSAL_MARK)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let record: Record =
            serde_json::from_str(&text).map_err(|error| SandboxError::Record(error.to_string()))?;
        match record.format {
            FORMAT => Ok(Some(record)),
            other => Err(SandboxError::Record(format!("its format is {other}, this build knows {FORMAT}"))),
        }
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), SandboxError> {
        let text =
            serde_json::to_vec_pretty(self).map_err(|error| SandboxError::Record(error.to_string()))?;
        // Not synced, like the journal: a sandbox may end with its machine.
        let (path, unfinished) = (folder.join(REHEARSAL_MARK), folder.join("sandbox.tmp"));
        fs::write(&unfinished, &text)?;
        Ok(fs::rename(&unfinished, &path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_a_newer_format_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Record::load(folder.path()).expect("an empty folder").is_none());
        let mut record = Record::new(7, Time::from_seconds(1_767_225_600), false);
        record.set_now(Time::from_seconds(1_767_225_700));
        record.held_prices.insert("BTCUSDT".to_owned(), 1);
        record.write(folder.path()).expect("a written record");
        assert_eq!(Record::load(folder.path()).expect("a record"), Some(record.clone()));
        Record { format: 2, ..record }.write(folder.path()).expect("a written record");
        assert!(matches!(Record::load(folder.path()), Err(SandboxError::Record(_))));
    }
}
