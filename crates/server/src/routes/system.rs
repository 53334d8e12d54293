//! Health, version, readiness, and a signature check without effects.

use std::sync::Arc;
use std::time::Duration;

use api::response::{AuthCheck, Health, NotReady, NotReadyCode, Ready, Version};
use api::signing::body_hash;
use http::HeaderName;

use crate::app::Condition;
use crate::edge::answer::Answer;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::{CAUGHT_UP_LAG_MAX, History};
use crate::pipeline::sequencer::WriterStatus;
use crate::reading::Reading;
use crate::writing::Writing;

/// A node that lags the log by more than this, or has not reached its end for this long, is not ready.
const LOG_LAG_MAX: u64 = 5_000;
const LOG_AGE_MAX: Duration = Duration::from_secs(3);

const UNAVAILABLE: u16 = 503;

pub(super) struct SystemEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) writing: Arc<Writing>,
    pub(super) condition: Arc<Condition>,
}

impl SystemEndpoints {
    pub(super) fn health(&self, _: &Call<'_>) -> Result<Next<Health>, Failure> {
        let can_write = !self.writing.sequencer().writer_status().has_failed();
        Ok(with_status(Health::new(can_write), can_write))
    }

    pub(super) fn version(&self, _: &Call<'_>) -> Result<Next<Version>, Failure> {
        Ok(Version {
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("BELLWETHER_COMMIT").unwrap_or("unknown"),
        }
        .into())
    }

    pub(super) fn ready(&self, _: &Call<'_>) -> Result<Next<Ready>, Failure> {
        let writer_status = self.writing.sequencer().writer_status();
        let sequence = self.reading.read_state().seq();
        let reasons = not_ready_reasons(&self.condition, &self.reading, &self.writing, sequence);
        let log_lag = writer_status.log_lag();
        let clock_ahead = writer_status.clock_ahead().filter(|_| !writer_status.is_clock_right());
        let is_ready = reasons.is_empty();
        let body = Ready {
            ready: is_ready,
            replayed: true,
            sequence,
            history_lag: self.reading.history().lag(sequence),
            cancel_only: self.writing.is_cancel_only(),
            clock_ahead: clock_ahead.map(|ahead| u64::try_from(ahead / 1_000_000).unwrap_or(0)),
            clock_behind: writer_status.is_clock_behind().then(|| behind_seconds(writer_status)),
            log_lag: log_lag.map(|log_lag| log_lag.behind(sequence)),
            log_age: log_lag.map(|log_lag| u64::try_from(log_lag.age().as_millis()).unwrap_or(u64::MAX)),
            reasons,
        };
        Ok(with_status(body, is_ready))
    }

    /// Returns what the verifier of the signature computed.
    pub(super) fn auth_check(&self, call: &Call<'_>) -> Result<Next<AuthCheck>, Failure> {
        let now = call.meter.unix_seconds();
        let timestamp = call.fields.find_first(&HeaderName::from_static(TIMESTAMP));
        let timestamp = timestamp.and_then(|text| std::str::from_utf8(text).ok()?.parse::<i64>().ok());
        let skew_seconds = timestamp.map_or(0, |given| given - now);
        let body_hash = body_hash(call.body());
        Ok(AuthCheck { valid: true, server_time: now, skew_seconds, body_hash }.into())
    }
}

const TIMESTAMP: &str = "x-timestamp";

fn with_status<T>(body: T, is_good: bool) -> Next<T> {
    let answer = Answer::new(body);
    Next::Answer(if is_good { answer } else { answer.status(UNAVAILABLE) })
}

/// Why requests should go elsewhere; empty for a node that is ready. `sequence` is that of its state.
pub(crate) fn not_ready_reasons(
    condition: &Condition,
    reading: &Reading,
    writing: &Writing,
    sequence: u64,
) -> Vec<NotReady> {
    let writer = writing.sequencer().writer_status();
    let (lag, age) = match writer.log_lag() {
        Some(log_lag) => (log_lag.behind(sequence), log_lag.age()),
        None => (0, Duration::ZERO),
    };
    let ahead = writer.clock_ahead().unwrap_or(0) / 1_000_000;
    let history = reading.history();
    let history_lag = history.lag(sequence);
    let table = [
        (condition.is_draining(), NotReadyCode::Draining, "The node is stopping".to_owned()),
        (
            writer.has_failed() && !writer.has_diverged(),
            NotReadyCode::WriterFailed,
            "The journal has failed: writes are refused until a restart".to_owned(),
        ),
        (
            writer.has_diverged(),
            NotReadyCode::StateDiverged,
            "The state of this node differs from the other nodes'".to_owned(),
        ),
        (
            lag > LOG_LAG_MAX,
            NotReadyCode::LogLag,
            format!("The node is {lag} sequences behind the log; {LOG_LAG_MAX} are allowed"),
        ),
        (
            age > LOG_AGE_MAX,
            NotReadyCode::LogAge,
            format!("The node has not read the log to its end for {} s", age.as_secs()),
        ),
        (
            !writer.is_clock_right(),
            NotReadyCode::ClockAhead,
            format!("The machine's clock has run {ahead} s ahead since the start"),
        ),
        (
            writer.is_clock_behind(),
            NotReadyCode::ClockBehind,
            format!(
                "The machine's clock is {} s behind the journal: nothing closes or expires, and only cancels are accepted",
                behind_seconds(writer)
            ),
        ),
        (history.has_stopped(), NotReadyCode::HistoryStopped, history_message(history).to_owned()),
        (
            !history.has_caught_up(sequence),
            NotReadyCode::HistoryLag,
            format!(
                "History is {history_lag} requests behind: since the start it was never within {CAUGHT_UP_LAG_MAX}"
            ),
        ),
        (
            // With a journal of its own, the venue accepts cancels only instead.
            condition.is_disk_low() && writer.log_lag().is_some(),
            NotReadyCode::DiskLow,
            "The disk of this node is nearly full".to_owned(),
        ),
    ];
    let reasons = table.into_iter().filter(|(is_reason, ..)| *is_reason);
    reasons.map(|(_, code, message)| NotReady { code, message }).collect()
}

fn behind_seconds(writer: &WriterStatus) -> u64 {
    u64::try_from(writer.clock_behind() / 1_000_000).unwrap_or(0)
}

fn history_message(history: &History) -> &'static str {
    match history.is_stalled() {
        true => {
            "History cannot be written: the disk is full, or no descriptor is free. It continues by itself"
        }
        false => "History has stopped: closed orders and trades cannot be read until a restart",
    }
}
