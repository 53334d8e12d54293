//! Feed metrics for Prometheus. Names and symbols consist of letters, digits, `-`, `_` and `.`, so labels need no escaping.

use std::fmt::Write;

use exchange::time::Time;

use super::FeedStatus;

/// A metric: name, type, help, value.
type MetricRow = (&'static str, &'static str, &'static str, fn(&FeedStatus) -> u64);

const ROWS: [MetricRow; 3] = [
    (
        "bellwether_feed_last_success_timestamp_seconds",
        "gauge",
        "When a feed's last price was sequenced, 0 if never",
        |feed| feed.last_success.map_or(0, seconds),
    ),
    ("bellwether_feed_failures_total", "counter", "Rounds of a feed that failed since the start", |feed| {
        feed.failures
    }),
    ("bellwether_feed_failing", "gauge", "1 while a feed's last round failed", |feed| {
        u64::from(feed.last_error.is_some())
    }),
];

fn seconds(at: Time) -> u64 {
    u64::try_from(at.micros() / 1_000_000).unwrap_or(0)
}

/// Appends the metrics of all feeds; nothing if there are none.
pub fn write_metrics(text: &mut String, feeds: &[FeedStatus]) {
    if feeds.is_empty() {
        return;
    }
    for (name, kind, help, value) in ROWS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for feed in feeds {
            let (source, symbol) = (&feed.name, &feed.symbol);
            let _ = writeln!(text, "{name}{{feed=\"{source}\",symbol=\"{symbol}\"}} {}", value(feed));
        }
    }
}
