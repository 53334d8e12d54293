//! Responses by route, method and status class, their durations, refusals by reason, and traces.

use crate::app::App;
use crate::signals::requests::CLASSES;
use crate::signals::text::MetricsText;

pub(super) fn write(text: &mut MetricsText, app: &App) {
    let (signals, routes) = (app.signals(), app.signals().requests.counts());
    text.begin("bellwether_http_requests_total", "counter", "Responses by route, method and status class");
    for counts in &routes {
        for (class, count) in CLASSES.into_iter().zip(counts.classes).filter(|(_, count)| *count > 0) {
            let labels = [("method", counts.method), ("route", counts.route), ("class", class)];
            text.sample("bellwether_http_requests_total", &labels, count);
        }
    }
    let help = "Time from the head of a request to its response";
    text.begin("bellwether_http_request_duration_seconds", "histogram", help);
    for counts in &routes {
        let labels = [("method", counts.method), ("route", counts.route)];
        text.histogram("bellwether_http_request_duration_seconds", &labels, &counts.durations, true);
    }
    text.begin("bellwether_refusals_total", "counter", "Refused requests by error code or kind");
    for (reason, count) in signals.refusals.reasons() {
        text.sample("bellwether_refusals_total", &[("reason", reason)], count);
    }
    text.begin("bellwether_rate_limit_refusals_total", "counter", "Requests over a rate limit, by policy");
    for (policy, count) in signals.refusals.rate_limits() {
        text.sample("bellwether_rate_limit_refusals_total", &[("policy", policy)], count);
    }
    text.begin("bellwether_traces_total", "counter", "Requests sampled for traces, by outcome of the export");
    for (outcome, count) in signals.traces().map(|traces| traces.counters().outcomes()).into_iter().flatten()
    {
        text.sample("bellwether_traces_total", &[("outcome", outcome)], count);
    }
}
