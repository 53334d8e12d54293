//! Health, version, readiness, and a check of a signature that changes nothing.

use std::sync::Arc;

use api::response::{AuthCheck, Health, Ready, Version};
use api::signing::{body_digest, body_hash};
use axum::extract::{Request, State};
use http::StatusCode;

use crate::app::App;
use crate::http::writing::{read_body, without_query};
use crate::http::{Answered, json, ok};

pub(super) async fn health(State(app): State<Arc<App>>) -> Answered {
    let can_write = !app.sequencer.pulse().has_failed();
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
    let is_ready = !app.is_draining() && !app.sequencer.pulse().has_failed();
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let (sequence, cancel_only) = {
        let exchange = app.look();
        (exchange.seq(), exchange.governance().is_cancel_only())
    };
    let history_lag = app.history.lag().requests();
    Ok(json(status, &Ready { ready: is_ready, replayed: true, sequence, history_lag, cancel_only }))
}

/// Runs the verifier on a signed request and says what it saw.
pub(super) async fn auth_check(State(app): State<Arc<App>>, request: Request) -> Answered {
    let (parts, body) = request.into_parts();
    without_query(&parts.uri)?;
    let body = read_body(&parts.headers, body).await?;
    app.signer(&parts.headers, parts.method.as_str(), parts.uri.path(), &body, &body_digest(&body))?;
    let now = app.now_micros() / 1_000_000;
    let timestamp = parts.headers.get(api::signing::TIMESTAMP_HEADER).and_then(|value| value.to_str().ok());
    let skew_seconds = timestamp.and_then(|text| text.parse::<i64>().ok()).map_or(0, |given| given - now);
    ok(&AuthCheck { valid: true, server_time: now, skew_seconds, body_hash: body_hash(&body) })
}
