//! The state of a feed since the start, and its status for operators.

use std::fmt;

use exchange::Exchange;
use exchange::catalogue::{AssetPrice, PUSHED};
use exchange::text::Text;
use exchange::time::Time;
use parking_lot::Mutex;
use serde::Deserialize;

use super::Feed;
use super::settings::Source;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedKind {
    /// A seeded random walk.
    Simulated,
    /// Pushed by an operator.
    Push,
    /// Requested from an endpoint.
    Http,
}

impl fmt::Display for FeedKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            FeedKind::Simulated => "simulated",
            FeedKind::Push => "push",
            FeedKind::Http => "http",
        })
    }
}

/// The status of a feed. It is not persistent: after a restart only the exchange's last sample is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStatus {
    pub name: Text,
    pub kind: FeedKind,
    pub symbol: Text,
    pub last_value: Option<AssetPrice>,
    /// The source's time of that value.
    pub last_time: Option<Time>,
    /// The time at which it was sequenced.
    pub last_success: Option<Time>,
    /// Why the last round failed; none after a success.
    pub last_error: Option<String>,
    /// Rounds that failed since the start.
    pub failures: u64,
}

/// A recorded sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordedSample {
    pub value: AssetPrice,
    pub source_time: Time,
    pub at: Time,
}

#[derive(Clone, Debug, Default)]
struct LastResults {
    last: Option<RecordedSample>,
    error: Option<String>,
    failures: u64,
}

#[derive(Debug, Default)]
pub(super) struct FeedMemory(Mutex<LastResults>);

impl FeedMemory {
    /// Records a success. Returns true if the previous round failed.
    pub(super) fn note_success(&self, taken: RecordedSample) -> bool {
        let mut remembered = self.0.lock();
        remembered.last = Some(taken);
        remembered.error.take().is_some()
    }

    /// Records a failure. Returns true if the previous round did not fail.
    pub(super) fn note_failure(&self, error: String) -> bool {
        let mut remembered = self.0.lock();
        remembered.failures += 1;
        remembered.error.replace(error).is_none()
    }
}

impl Feed {
    pub fn status(&self, exchange: &Exchange) -> FeedStatus {
        let settings = &self.settings;
        let remembered = self.memory.0.lock().clone();
        let last = remembered.last.or_else(|| self.last_recorded(exchange));
        FeedStatus {
            name: settings.name.clone(),
            kind: settings.source.kind(),
            symbol: settings.symbol.clone(),
            last_value: last.map(|taken| taken.value),
            last_time: last.map(|taken| taken.source_time),
            last_success: last.map(|taken| taken.at),
            last_error: remembered.error,
            failures: remembered.failures,
        }
    }

    /// The last sample of this source that the exchange has.
    pub(super) fn last_recorded(&self, exchange: &Exchange) -> Option<RecordedSample> {
        let samples = exchange.catalogue().assets().get(&self.settings.symbol)?;
        let sample = match self.settings.source {
            Source::Push => samples.last_of(&format!("{PUSHED}{}", self.settings.name)),
            Source::Simulated(_) | Source::Http(_) => samples.last_of(&self.settings.name),
        }?;
        Some(RecordedSample { value: sample.value, source_time: sample.source_time, at: sample.at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_and_a_recovery_are_logged_once_each() {
        let memory = FeedMemory::default();
        let taken = RecordedSample { value: AssetPrice(1), source_time: Time::ZERO, at: Time::ZERO };
        let fail = || memory.note_failure("no answer in time".to_owned());
        assert!(!memory.note_success(taken), "well from the beginning");
        assert_eq!([fail(), fail(), fail()], [true, false, false]);
        assert_eq!([memory.note_success(taken), memory.note_success(taken)], [true, false]);
        assert!(fail(), "and again");
    }
}
