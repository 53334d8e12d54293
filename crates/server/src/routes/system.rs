//! Health, version, readiness, and a signature check without effects.

use std::sync::Arc;
use std::time::Duration;

use api::response::{AuthCheck, Health, Ready, Version};
use api::signing::{body_digest, body_hash};
use axum::extract::{Request, State};
use http::StatusCode;

use crate::app::App;
use crate::http::charging::OwnerBucket;
use crate::http::writing::{read_body, without_query};
use crate::http::{Answered, json, ok};

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
    let (sequence, cancel_only) = {
        let exchange = app.reading().read_state();
        (exchange.seq(), exchange.governance().is_cancel_only())
    };
    let log_lag = writer_status.log_lag().map(|log_lag| (log_lag.behind(sequence), log_lag.age()));
    let is_level = log_lag.is_none_or(|(lag, age)| lag <= LOG_LAG_MAX && age <= LOG_AGE_MAX);
    let can_read = !app.reading().history().has_stopped();
    let is_ready = !app.is_draining()
        && !writer_status.has_failed()
        && can_read
        && is_level
        && writer_status.is_clock_right();
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let clock_ahead = writer_status.clock_ahead().filter(|_| !writer_status.is_clock_right());
    let body = Ready {
        ready: is_ready,
        replayed: true,
        sequence,
        history_lag: app.reading().history().lag(sequence),
        cancel_only,
        clock_ahead: clock_ahead.map(|ahead| u64::try_from(ahead / 1_000_000).unwrap_or(0)),
        log_lag: log_lag.map(|(lag, _)| lag),
        log_age: log_lag.map(|(_, age)| u64::try_from(age.as_millis()).unwrap_or(u64::MAX)),
    };
    Ok(json(status, &body))
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
