//! Metrics in the Prometheus text format: on the operators' listener, and on the public one if the settings allow it.
//!
//! A scrape reads the counters that the hot path writes (`signals`), the state, and figures of the machine that are at
//! most five seconds old. `node` has the state of the node, `requests` its responses, `writes` the path of a write,
//! `machine` the process and the disk, `venue` the business.

mod machine;
mod node;
mod requests;
mod venue;
mod writes;

use std::sync::Arc;

use api::error::ErrorBody;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, header};

use crate::app::App;
use crate::feeds;
use crate::http::Answered;
use crate::signals::process::Figures;
use crate::signals::text::MetricsText;

/// Metrics on the operators' listener.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Answered {
    let Figures { process, folder } = app.signals().figures().await.ok_or_else(ErrorBody::internal)?;
    let mut text = MetricsText::default();
    node::write(&mut text, &app);
    requests::write(&mut text, &app);
    writes::write(&mut text, &app);
    machine::write(&mut text, &app, &process, folder.as_ref());
    venue::write(&mut text, &app);
    feeds::write_metrics(text.text_mut(), &app.feeds().status());
    let mut response = Response::new(Body::from(text.into_text()));
    let content = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, content);
    Ok(response)
}

/// Metrics on the public listener: 404 unless the settings publish them.
pub(super) async fn public_metrics(State(app): State<Arc<App>>) -> Answered {
    if !app.web().has_public_metrics() {
        return Err(ErrorBody::not_found("Metrics are on the operators' listener").into());
    }
    metrics(State(app)).await
}
