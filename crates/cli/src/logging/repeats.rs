//! Limits repeated warnings and errors: each place in the code may write a few lines in an interval. Further ones are
//! counted, and the count is reported when the interval ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::{Event, Level, Metadata};
use tracing_subscriber::layer::{Context, Filter};

/// The interval, and the lines of a place that it may have.
const EVERY: Duration = Duration::from_secs(10);
const LINES_MAX: u64 = 5;
/// The target of the reports themselves.
const REPORTS: &str = "log";

/// Counts lines by their place in the code.
#[derive(Debug, Default)]
pub(super) struct Repeats(Mutex<HashMap<Identifier, Repeated>>);

#[derive(Debug)]
struct Repeated {
    place: String,
    since: Instant,
    written: u64,
    withheld: u64,
}

/// The filter of a layer.
#[derive(Debug)]
pub(super) struct LimitRepeats(pub(super) Arc<Repeats>);

impl Repeats {
    /// Whether a line may be written. At the first line after an interval a new one begins; what the last one withheld
    /// stays to be reported.
    fn pass(&self, line: &'static Metadata<'static>, now: Instant) -> bool {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let repeated = places.entry(line.callsite()).or_insert_with(|| Repeated {
            place: place_of(line),
            since: now,
            written: 0,
            withheld: 0,
        });
        if repeated.withheld == 0 && now.saturating_duration_since(repeated.since) >= EVERY {
            (repeated.since, repeated.written) = (now, 0);
        }
        let is_written = repeated.written < LINES_MAX;
        if is_written {
            repeated.written += 1;
        } else {
            repeated.withheld += 1;
        }
        is_written
    }

    /// The places whose interval has ended with withheld lines, and their numbers.
    pub(super) fn take_ended(&self, now: Instant) -> Vec<(String, u64)> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_ended = |repeated: &&mut Repeated| {
            repeated.withheld > 0 && now.saturating_duration_since(repeated.since) >= EVERY
        };
        let mut ended = Vec::new();
        for repeated in places.values_mut().filter(is_ended) {
            ended.push((repeated.place.clone(), std::mem::take(&mut repeated.withheld)));
            (repeated.since, repeated.written) = (now, 0);
        }
        ended
    }
}

fn place_of(line: &Metadata<'_>) -> String {
    format!("{}:{}", line.module_path().unwrap_or(line.target()), line.line().unwrap_or(0))
}

impl<S> Filter<S> for LimitRepeats {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        let line = event.metadata();
        let is_trouble = *line.level() <= Level::WARN && line.target() != REPORTS;
        !is_trouble || self.0.pass(line, Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use tracing::callsite::{Callsite, DefaultCallsite};
    use tracing::field::FieldSet;
    use tracing::metadata::Kind;

    use super::*;

    macro_rules! line {
        ($name:ident) => {{
            static CALLSITE: DefaultCallsite = DefaultCallsite::new(&META);
            static META: Metadata<'static> = Metadata::new(
                stringify!($name),
                "test",
                Level::WARN,
                None,
                Some(7),
                Some(stringify!($name)),
                FieldSet::new(&[], tracing::callsite::Identifier(&CALLSITE)),
                Kind::EVENT,
            );
            CALLSITE.metadata()
        }};
    }

    #[test]
    fn a_place_writes_a_few_lines_in_an_interval_and_the_others_are_counted() {
        let (repeats, begin) = (Repeats::default(), Instant::now());
        let (one, other) = (line!(one), line!(other));
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let passed = (0..10_000).filter(|_| repeats.pass(one, at(1))).count();
        assert_eq!(passed as u64, LINES_MAX);
        assert!(repeats.pass(other, at(1)), "another place");
        assert_eq!(repeats.take_ended(at(10)), []);
        assert_eq!(repeats.take_ended(at(11)), [("one:7".to_owned(), 10_000 - LINES_MAX)]);
        assert_eq!(repeats.take_ended(at(30)), [], "reported once");
        assert!(repeats.pass(one, at(31)), "a new interval");
    }

    #[test]
    fn a_line_now_and_then_is_never_withheld() {
        let (repeats, begin) = (Repeats::default(), Instant::now());
        let line = line!(slow);
        assert!((0..1_000).all(|at| repeats.pass(line, begin + EVERY * at)));
        assert_eq!(repeats.take_ended(begin + EVERY * 2_000), []);
    }
}
