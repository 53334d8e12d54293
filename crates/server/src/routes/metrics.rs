//! Metrics in the Prometheus text format. All values are read on demand; none is stored for this purpose.

use std::fmt::{Display, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, header};

use crate::app::App;
use crate::feeds;
use crate::http::Answered;
use crate::http::admission::Admission;
use crate::pipeline::sequencer::LogLag;

pub(super) async fn metrics(State(app): State<Arc<App>>) -> Answered {
    let writer_status = app.writing().sequencer().writer_status();
    let seq = app.reading().state().seq();
    let mut text = String::new();
    for (name, kind, help, value) in figures(&app, seq) {
        write_line(&mut text, name, kind, help, value);
    }
    if let Some(admission) = app.connections() {
        write_connections(&mut text, admission);
    }
    if let Some(ahead) = writer_status.clock_ahead() {
        write_clock_skew(&mut text, ahead);
    }
    if let Some(log_lag) = writer_status.log_lag() {
        write_log_lag(&mut text, log_lag, seq);
    }
    feeds::write_metrics(&mut text, &app.feeds().status());
    let mut response = Response::new(Body::from(text));
    let content = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, content);
    Ok(response)
}

/// Name, type, help and value of the metrics that every node has.
fn figures(app: &App, seq: u64) -> [(&'static str, &'static str, &'static str, u64); 15] {
    let sequencer = app.writing().sequencer();
    let writer = sequencer.writer_status();
    let longest_read = app.reading().shared().longest_read().as_micros() as u64;
    let (open_orders, users, events, retired, cancel_only) = {
        let exchange = app.reading().state();
        let catalogue = exchange.catalogue();
        (
            exchange.orders().len(),
            exchange.directory().users().len(),
            catalogue.events().len(),
            catalogue.retired_count(),
            exchange.governance().is_cancel_only(),
        )
    };
    [
        ("bellwether_sequence", "gauge", "Sequence of the last request applied", seq),
        (
            "bellwether_requests_applied_total",
            "counter",
            "Requests applied since the start",
            writer.applied(),
        ),
        ("bellwether_frames_total", "counter", "Frames made durable since the start", writer.frames()),
        ("bellwether_requests_waiting", "gauge", "Requests queued to write", sequencer.queued() as u64),
        (
            "bellwether_writer_failed",
            "gauge",
            "1 when the journal has failed",
            u64::from(writer.has_failed()),
        ),
        (
            "bellwether_history_lag_requests",
            "gauge",
            "Requests that history has not stored yet",
            app.reading().history().lag(seq),
        ),
        (
            "bellwether_history_stopped",
            "gauge",
            "1 when history has stopped until a restart",
            u64::from(app.reading().history().has_stopped()),
        ),
        (
            "bellwether_state_read_longest_microseconds",
            "gauge",
            "Longest time that a reader has held the state since the start",
            longest_read,
        ),
        ("bellwether_cancel_only", "gauge", "1 while only cancels are accepted", u64::from(cancel_only)),
        ("bellwether_stream_connections", "gauge", "Open WebSocket connections", app.streams().connections()),
        (
            "bellwether_stream_slow_readers_total",
            "counter",
            "Connections ended because they read too slowly",
            app.streams().dropped(),
        ),
        ("bellwether_open_orders", "gauge", "Orders on the books", open_orders as u64),
        ("bellwether_users", "gauge", "Accounts, the house included", users as u64),
        ("bellwether_events", "gauge", "Events in memory, drafts included", events as u64),
        ("bellwether_events_retired_total", "counter", "Events retired from memory", retired),
    ]
}

/// Skew of a file journal's clock.
fn write_clock_skew(text: &mut String, ahead_micros: i64) {
    let help = "How far the clock has run ahead since the start";
    write_line(text, "bellwether_clock_skew_milliseconds", "gauge", help, ahead_micros / 1_000);
}

/// Metrics of the public listener's connection limits.
fn write_connections(text: &mut String, admission: &Admission) {
    let lines = [
        (
            "bellwether_connections",
            "gauge",
            "Open connections of the public listener",
            u64::from(admission.open()),
        ),
        (
            "bellwether_connections_refused_total",
            "counter",
            "Connections closed at once because there were too many",
            admission.refused(),
        ),
        (
            "bellwether_connections_slow_total",
            "counter",
            "Connections ended because their answer was read too slowly",
            admission.slow(),
        ),
    ];
    for (name, kind, help, value) in lines {
        write_line(text, name, kind, help, value);
    }
}

/// Metrics of a shared log.
fn write_log_lag(text: &mut String, log_lag: &LogLag, seq: u64) {
    let milliseconds = |span: Duration| u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
    let (gaps, lasted) = log_lag.gaps();
    let lines = [
        (
            "bellwether_log_lag",
            "gauge",
            "Sequences in the log that are not applied here",
            log_lag.behind(seq),
        ),
        (
            "bellwether_log_age_milliseconds",
            "gauge",
            "Time since the log was last seen to its end",
            milliseconds(log_lag.age()),
        ),
        (
            "bellwether_log_gaps_total",
            "counter",
            "Times that the log accepted nothing for a second or more",
            gaps,
        ),
        (
            "bellwether_log_gap_milliseconds_total",
            "counter",
            "Total duration of those times",
            milliseconds(lasted),
        ),
    ];
    for (name, kind, help, value) in lines {
        write_line(text, name, kind, help, value);
    }
}

fn write_line(text: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
}
