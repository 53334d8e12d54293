//! The state of the node: sequence, readiness, history, streams, connections, the shared log.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::app::App;
use crate::http::admission::Admission;
use crate::pipeline::sequencer::{LogLag, WriterStatus};
use crate::routes::system::not_ready_reasons;
use crate::signals::histogram::micros;
use crate::signals::text::{MetricsText, decimal};

pub(super) fn write(text: &mut MetricsText, app: &App) {
    let writer_status = app.writing().sequencer().writer_status();
    write_build(text);
    write_state(text, app);
    write_history(text, app);
    write_streams(text, app);
    if let Some(admission) = app.connections() {
        write_connections(text, admission);
    }
    if let Some(ahead) = writer_status.clock_ahead() {
        let sign = if ahead < 0 { "-" } else { "" };
        let help = "How far the clock has run ahead since the start";
        let value = format!("{sign}{}", decimal(ahead.unsigned_abs()));
        text.single("bellwether_clock_skew_seconds", "gauge", help, value);
    }
    let help = "How far the clock is behind the journal's time, which stands still until it has caught up";
    let behind = decimal(writer_status.clock_behind().unsigned_abs());
    text.single("bellwether_clock_behind_seconds", "gauge", help, behind);
    if let Some(log_lag) = writer_status.log_lag() {
        write_log(text, writer_status, log_lag, app.reading().state().seq());
    }
}

fn write_build(text: &mut MetricsText) {
    let commit = option_env!("BELLWETHER_COMMIT").unwrap_or("unknown");
    let labels = [("version", env!("CARGO_PKG_VERSION")), ("commit", commit)];
    text.begin("bellwether_build_info", "gauge", "Always 1; its labels name the build");
    text.sample("bellwether_build_info", &labels, 1);
}

fn write_state(text: &mut MetricsText, app: &App) {
    let sequencer = app.writing().sequencer();
    let writer = sequencer.writer_status();
    let (seq, open_orders, users, events, retired) = {
        let exchange = app.reading().state();
        let catalogue = exchange.catalogue();
        (
            exchange.seq(),
            exchange.orders().len() as u64,
            exchange.directory().users().len() as u64,
            catalogue.events().len() as u64,
            catalogue.retired_count(),
        )
    };
    let longest_read = decimal(micros(app.reading().shared().longest_read()));
    text.single("bellwether_sequence", "gauge", "Sequence of the last request applied", seq);
    let help = "Requests applied since the start";
    text.single("bellwether_requests_applied_total", "counter", help, writer.applied());
    let help = "Requests queued to write";
    text.single("bellwether_requests_waiting", "gauge", help, sequencer.queued());
    let help = "1 when the journal has failed";
    text.single("bellwether_writer_failed", "gauge", help, u8::from(writer.has_failed()));
    let help = "1 while writes are accepted";
    text.single("bellwether_writer_accepting", "gauge", help, u8::from(writer.is_accepting()));
    let help = "1 while the node wants requests, as /ready says";
    text.single(
        "bellwether_ready",
        "gauge",
        help,
        u8::from(not_ready_reasons(app.condition(), app.reading(), app.writing(), seq).is_empty()),
    );
    let help = "1 while only cancels are accepted";
    text.single("bellwether_cancel_only", "gauge", help, u8::from(app.writing().is_cancel_only()));
    let help = "1 while the disk of the data folder is nearly full";
    text.single("bellwether_disk_low", "gauge", help, u8::from(app.is_disk_low()));
    let help = "Longest time that a reader has held the state since the start";
    text.single("bellwether_state_read_longest_seconds", "gauge", help, longest_read);
    text.single("bellwether_open_orders", "gauge", "Orders on the books", open_orders);
    text.single("bellwether_users", "gauge", "Accounts, the house included", users);
    text.single("bellwether_events", "gauge", "Events in memory, drafts included", events);
    text.single("bellwether_events_retired_total", "counter", "Events retired from memory", retired);
}

fn write_history(text: &mut MetricsText, app: &App) {
    let (history, seq) = (app.reading().history(), app.reading().state().seq());
    let help = "Requests that history has not stored yet";
    text.single("bellwether_history_lag_requests", "gauge", help, history.lag(seq));
    let help = "1 while history cannot be written";
    text.single("bellwether_history_stopped", "gauge", help, u8::from(history.has_stopped()));
    let help = "Time to store a batch of changes in history";
    text.begin("bellwether_history_commit_duration_seconds", "histogram", help);
    let counts = history.commits().counts();
    text.histogram("bellwether_history_commit_duration_seconds", &[], &counts, true);
}

fn write_streams(text: &mut MetricsText, app: &App) {
    let streams = app.streams();
    let help = "Open WebSocket connections";
    text.single("bellwether_stream_connections", "gauge", help, streams.connections());
    text.single("bellwether_stream_rooms", "gauge", "Rooms with readers", streams.rooms());
    let help = "Messages sent to readers since the start";
    text.single("bellwether_stream_messages_total", "counter", help, streams.messages());
    let help = "Connections ended because they read too slowly";
    text.single("bellwether_stream_slow_readers_total", "counter", help, streams.dropped());
    let help = "Groups of changes that the streams missed; their readers were disconnected";
    text.single("bellwether_stream_missed_groups_total", "counter", help, streams.missed());
}

/// The public listener's connections.
fn write_connections(text: &mut MetricsText, admission: &Admission) {
    let help = "Open connections of the public listener";
    text.single("bellwether_connections", "gauge", help, admission.open());
    let help = "Connections closed at once because there were too many";
    text.single("bellwether_connections_refused_total", "counter", help, admission.refused());
    let help = "Connections ended because their answer was read too slowly";
    text.single("bellwether_connections_slow_total", "counter", help, admission.slow());
    let help = "Connections that could not be accepted, for lack of descriptors or memory";
    text.single("bellwether_accept_failures_total", "counter", help, admission.failures());
}

/// A shared log.
fn write_log(text: &mut MetricsText, writer_status: &WriterStatus, log_lag: &LogLag, seq: u64) {
    let seconds = |span: Duration| decimal(micros(span));
    let ((gaps, lasted), counters) = (log_lag.gaps(), writer_status.log_counters());
    let help = "Sequences in the log that are not applied here";
    text.single("bellwether_log_lag", "gauge", help, log_lag.behind(seq));
    let help = "Time since the log was last seen to its end";
    text.single("bellwether_log_age_seconds", "gauge", help, seconds(log_lag.age()));
    let help = "Times that the log accepted nothing for a second or more";
    text.single("bellwether_log_gaps_total", "counter", help, gaps);
    let help = "Total duration of those times";
    text.single("bellwether_log_gap_seconds_total", "counter", help, seconds(lasted));
    let help = "Frames offered to the log";
    text.single("bellwether_log_offers_total", "counter", help, counters.offers.load(Ordering::Relaxed));
    let help = "Offers that another node's frame preceded";
    let lost = counters.lost_races.load(Ordering::Relaxed);
    text.single("bellwether_log_lost_races_total", "counter", help, lost);
    let help = "Times that the connection to the log's database was lost";
    let lost = counters.disconnects.load(Ordering::Relaxed);
    text.single("bellwether_log_disconnects_total", "counter", help, lost);
}
