//! The log filter as a setting: `info`, or `info,access=warn,server::people=debug`.
//!
//! A filter with a slip would silence lines without a word, errors included. So every part of it must have an effect.

use std::str::FromStr;

use serde::Deserialize;
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

use super::targets::{LIBRARIES, TARGETS, is_target};
use crate::nearest::nearest;

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Levels by target. A level alone is that of all other targets, and a target alone has all levels.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct LogFilter(Targets);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogFilterFault {
    #[error("a part is empty; parts such as info or access=warn are separated by commas")]
    Empty,
    #[error("{0:?} is neither a level nor a target{1}")]
    Word(String, String),
    #[error("{0:?} is no level{1}")]
    Level(String, String),
    #[error("{0:?} is no target{1}")]
    Target(String, String),
}

impl LogFilter {
    pub(super) fn into_targets(self) -> Targets {
        self.0
    }
}

impl From<Level> for LogFilter {
    fn from(level: Level) -> LogFilter {
        LogFilter(Targets::new().with_default(level))
    }
}

impl FromStr for LogFilter {
    type Err = LogFilterFault;

    fn from_str(text: &str) -> Result<LogFilter, LogFilterFault> {
        let mut targets = Targets::new();
        for part in text.split(',') {
            targets = match part.split_once('=') {
                Some((target, level)) => targets.with_target(target_of(target)?, level_of(level)?),
                None if part.is_empty() => return Err(LogFilterFault::Empty),
                None if is_target(part) => targets.with_target(part, LevelFilter::TRACE),
                None => targets.with_default(level_of(part).map_err(|_| {
                    let known = LEVELS.iter().chain(TARGETS).chain(LIBRARIES);
                    LogFilterFault::Word(part.to_owned(), meant(part, known))
                })?),
            };
        }
        Ok(LogFilter(targets))
    }
}

impl TryFrom<String> for LogFilter {
    type Error = LogFilterFault;

    fn try_from(text: String) -> Result<LogFilter, LogFilterFault> {
        text.parse()
    }
}

fn level_of(word: &str) -> Result<LevelFilter, LogFilterFault> {
    match word.parse() {
        // The parser reads nothing as a level.
        Ok(level) if !word.is_empty() => Ok(level),
        _ => Err(LogFilterFault::Level(word.to_owned(), meant(word, &LEVELS))),
    }
}

fn target_of(word: &str) -> Result<&str, LogFilterFault> {
    match is_target(word) {
        true => Ok(word),
        false => Err(LogFilterFault::Target(word.to_owned(), meant(word, TARGETS.iter().chain(LIBRARIES)))),
    }
}

/// The end of a message.
fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a &'static str>) -> String {
    let nearest = nearest(word, known.into_iter().copied());
    nearest.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<LogFilter>().expect_err(text).to_string()
    }

    #[test]
    fn a_filter_has_levels_for_targets() {
        let LogFilter(targets) = "warn,access=INFO,server::people=debug".parse().expect("a filter");
        let expected = Targets::new()
            .with_default(Level::WARN)
            .with_target("access", Level::INFO)
            .with_target("server::people", Level::DEBUG);
        assert_eq!(targets, expected);
        assert_eq!("info".parse(), Ok(LogFilter::from(Level::INFO)));
        for right in ["off", "server=off,error", "log", "tokio_postgres=debug,info", "bellwether=trace"] {
            assert!(right.parse::<LogFilter>().is_ok(), "{right}");
        }
    }

    #[test]
    fn a_slip_is_refused_with_the_nearest_word() {
        assert_eq!(refused("wran"), "\"wran\" is neither a level nor a target; did you mean warn?");
        assert_eq!(refused("info,acess=warn"), "\"acess\" is no target; did you mean access?");
        assert_eq!(refused("server=inof"), "\"inof\" is no level; did you mean info?");
        let expected = "\"server::steams::hub\" is no target; did you mean server::streams::hub?";
        assert_eq!(refused("server::steams::hub=info"), expected);
        for (wrong, word) in [
            ("server=loud", "\"loud\""),
            ("server=", "\"\""),
            ("=info", "\"\""),
            ("info;access=warn", "\"info;access\""),
            ("info, access=warn", "\" access\""),
            ("info access", "\"info access\""),
            ("access=warn=info", "\"warn=info\""),
            ("serv=debug", "\"serv\""),
            ("server[a]=debug", "\"server[a]\""),
        ] {
            assert!(refused(wrong).starts_with(word), "{wrong}: {}", refused(wrong));
        }
        for empty in ["", ",", ",,", "info,", ",info", "info,,access=warn"] {
            assert!(refused(empty).starts_with("a part is empty"), "{empty:?}");
        }
    }
}
