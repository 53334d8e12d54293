//! Logs to standard error, one line per event, as text or as JSON.
//!
//! Lines of the target `access` are written by a thread of their own (`access`): no request waits for a slow reader of
//! the log. A warning or error that repeats is counted instead of written again (`repeats`). `filter` reads the setting, and
//! `targets` lists what it may name.

mod access;
mod filter;
mod repeats;
mod targets;

use std::io::{self, IsTerminal};
use std::sync::Arc;

use server::signals::access_lines::{AccessLines, LineFormat, TARGET};
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{FilterExt, Targets, filter_fn};
use tracing_subscriber::fmt::{MakeWriter, layer};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::{LogFormat, Settings};
use access::AccessWriter;
pub use access::LogGuard;
pub use filter::LogFilter;
use repeats::{LimitRepeats, Repeats};

#[derive(Debug, thiserror::Error)]
#[error("cannot start the thread of the log: {0}")]
pub struct LoggingError(io::Error);

/// Starts the log. The guard writes the last lines when it is dropped.
pub fn start(format: LogFormat, filter: impl Into<LogFilter>) -> Result<LogGuard, LoggingError> {
    start_with_successes(format, filter.into(), false)
}

/// Like `start`, with the format and the filter of a node's settings.
pub fn start_for_node(settings: &Settings) -> Result<LogGuard, LoggingError> {
    start_with_successes(settings.log_format, settings.log.clone(), settings.access_log)
}

/// `logs_successes` decides whether a successful request has a line at `info`.
fn start_with_successes(
    format: LogFormat,
    filter: LogFilter,
    logs_successes: bool,
) -> Result<LogGuard, LoggingError> {
    let filter = filter.into_targets();
    let repeats = Arc::new(Repeats::default());
    let open_lines = AccessLines::new(line_format(format), wanted(&filter), logs_successes);
    let (writer, guard) = AccessWriter::start(open_lines, repeats.clone()).map_err(LoggingError)?;
    let is_access = |is_wanted: bool| filter_fn(move |metadata| (metadata.target() == TARGET) == is_wanted);
    let access = filter.clone().and(is_access(true));
    let others = filter.and(is_access(false)).and(LimitRepeats(repeats));
    let lines = lines(format, io::stderr).with_filter(others);
    tracing_subscriber::registry().with(lines.and_then(access_lines(format, writer, access))).init();
    Ok(guard)
}

/// The levels of the access log that the filter lets pass.
fn wanted(filter: &Targets) -> LevelFilter {
    let levels = [Level::TRACE, Level::DEBUG, Level::INFO, Level::WARN, Level::ERROR];
    let highest = levels.into_iter().find(|level| filter.would_enable(TARGET, level));
    highest.map_or(LevelFilter::OFF, LevelFilter::from_level)
}

fn line_format(format: LogFormat) -> LineFormat {
    match format {
        LogFormat::Text => LineFormat::Text,
        LogFormat::Json => LineFormat::Json,
    }
}

type Lines = Box<dyn Layer<Registry> + Send + Sync>;

fn lines(format: LogFormat, writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) -> Lines {
    match format {
        LogFormat::Text => layer().with_ansi(io::stderr().is_terminal()).with_writer(writer).boxed(),
        LogFormat::Json => layer().json().flatten_event(true).with_writer(writer).boxed(),
    }
}

fn access_lines(
    format: LogFormat,
    writer: AccessWriter,
    filter: impl tracing_subscriber::layer::Filter<Registry> + Send + Sync + 'static,
) -> Lines {
    lines(format, writer).with_filter(filter).boxed()
}
