//! Health, version, readiness, and a signature check without effects.

use std::sync::Arc;
use std::time::Duration;

use api::response::{AuthCheck, Health, NotReady, NotReadyCode, Ready, Version};
use api::signing::{body_digest, body_hash};
use axum::extract::{Request, State};
use http::StatusCode;

use crate::app::App;
use crate::history::{CAUGHT_UP_LAG_MAX, History};
use crate::http::charging::OwnerBucket;
use crate::http::writing::{read_body, without_query};
use crate::http::{Answered, json, ok};
use crate::pipeline::sequencer::WriterStatus;

/// A node that lags the log by more than this, or has not reached its end for this long, is not ready.
const LOG_LAG_MAX: u64 = 5_000;
const LOG_AGE_MAX: Duration = Duration::from_secs(3);

pub(super) async fn health(State(app): State<Arc<App>>) -> Answered {
    let can_write = !app.writing().sequencer().writer_status().has_failed();
    let status = if can_write { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Ok(json(status, &Health::new(can_write)))
}

pub(super) async fn version() -> Answered {
    ok(&Version {
        version: env!("CARGO_PKG_VERSION"),
        commit: option_env!("BELLWETHER_COMMIT").unwrap_or("unknown"),
    })
}

pub(super) async fn ready(State(app): State<Arc<App>>) -> Answered {
    let writer_status = app.writing().sequencer().writer_status();
    let sequence = app.reading().read_state().seq();
    let reasons = not_ready_reasons(&app, sequence);
    let status = if reasons.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let log_lag = writer_status.log_lag();
    let clock_ahead = writer_status.clock_ahead().filter(|_| !writer_status.is_clock_right());
    let body = Ready {
        ready: reasons.is_empty(),
        replayed: true,
        sequence,
        history_lag: app.reading().history().lag(sequence),
        cancel_only: app.writing().is_cancel_only(),
        clock_ahead: clock_ahead.map(|ahead| u64::try_from(ahead / 1_000_000).unwrap_or(0)),
        clock_behind: writer_status.is_clock_behind().then(|| behind_seconds(writer_status)),
        log_lag: log_lag.map(|log_lag| log_lag.behind(sequence)),
        log_age: log_lag.map(|log_lag| u64::try_from(log_lag.age().as_millis()).unwrap_or(u64::MAX)),
        reasons,
    };
    Ok(json(status, &body))
}

/// Why requests should go elsewhere; empty for a node that is ready. `sequence` is that of its state.
pub(crate) fn not_ready_reasons(app: &App, sequence: u64) -> Vec<NotReady> {
    let writer = app.writing().sequencer().writer_status();
    let (lag, age) = match writer.log_lag() {
        Some(log_lag) => (log_lag.behind(sequence), log_lag.age()),
        None => (0, Duration::ZERO),
    };
    let ahead = writer.clock_ahead().unwrap_or(0) / 1_000_000;
    let history = app.reading().history();
    let history_lag = history.lag(sequence);
    let table = [
        (app.is_draining(), NotReadyCode::Draining, "The node is stopping".to_owned()),
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
            app.is_disk_low() && writer.log_lag().is_some(),
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

/// Verifies a signed request and returns what the verifier computed.
pub(super) async fn auth_check(State(app): State<Arc<App>>, request: Request) -> Answered {
    let (parts, body) = request.into_parts();
    without_query(parts.uri.query())?;
    let body = read_body(&parts.headers, body).await?;
    let (method, path) = (parts.method.as_str(), parts.uri.path());
    app.signer(&parts.headers, method, path, &body, &body_digest(&body), OwnerBucket::Write)?;
    let now = app.now_micros() / 1_000_000;
    let timestamp = parts.headers.get(api::signing::TIMESTAMP_HEADER).and_then(|value| value.to_str().ok());
    let skew_seconds = timestamp.and_then(|text| text.parse::<i64>().ok()).map_or(0, |given| given - now);
    ok(&AuthCheck { valid: true, server_time: now, skew_seconds, body_hash: body_hash(&body) })
}
