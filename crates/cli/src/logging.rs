//! Logs to standard error, one line per event, as text or as JSON.

use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::LogFormat;

pub fn start(format: LogFormat, filter: &str) -> Result<(), ParseError> {
    let filter: Targets = filter.parse()?;
    let lines = match format {
        LogFormat::Text => layer().with_ansi(io::stderr().is_terminal()).with_writer(io::stderr).boxed(),
        LogFormat::Json => layer().json().flatten_event(true).with_writer(io::stderr).boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    Ok(())
}
