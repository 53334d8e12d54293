//! The report as a page: no script, nothing loaded, readable in both themes.

use super::{Report, Row, Status};

const STYLE: &str = ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;\
padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;\
border-bottom:1px solid #8886}.differs{font-weight:700}.notTried,.hasNot{opacity:.7}code{overflow-wrap:anywhere}";

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let rows: String = report.checks.iter().map(row).collect();
    let extensions: String = report
        .extensions
        .iter()
        .map(|row| {
            let reason = row.reason.as_deref().unwrap_or_default();
            let (class, words) = (class(row.status), row.status.words());
            let (id, title, reason) = (escaped(&row.id), escaped(&row.title), escaped(reason));
            format!("<tr class=\"{class}\"><td>{words}</td><td><code>{id}</code></td><td>{title} {reason}</td></tr>\n")
        })
        .collect();
    let endpoints: String = report
        .endpoints
        .iter()
        .map(|row| {
            let (name, access, words) = (escaped(&row.name), escaped(&row.access), row.words());
            format!("<tr><td><code>{name}</code></td><td>{access}</td><td>{words}</td></tr>\n")
        })
        .collect();
    let clean_up: String = report.clean_up.iter().map(|line| format!("<p>{}</p>\n", escaped(line))).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Conformance of {url}</title>\n\
         <style>{STYLE}</style>\n<h1>Conformance of {url}</h1>\n<p>{summary}</p>\n\
         <p>Orders and mints bound at most {bound} USD at a time; {max} were allowed.</p>\n{clean_up}\
         <h2>Checks</h2>\n<table>\n<tr><th>Result</th><th>Check</th><th>Source</th><th>Rule</th></tr>\n{rows}</table>\n\
         <h2>Endpoints</h2>\n<table>\n<tr><th>Endpoint</th><th>Access</th><th>Checks</th></tr>\n{endpoints}</table>\n\
         <h2>Extensions</h2>\n<table>\n<tr><th>Result</th><th>Extension</th><th></th></tr>\n{extensions}</table>\n</html>\n",
        url = escaped(&report.url),
        summary = escaped(&report.summary()),
        bound = escaped(&report.bound_at_most),
        max = escaped(&report.max_spend),
    )
}

fn row(row: &Row) -> String {
    let mut details = escaped(&format!("{} ({})", row.title, row.section));
    if !row.endpoints.is_empty() {
        details.push_str(&format!("<br><code>{}</code>", escaped(&row.endpoints.join(", "))));
    }
    if let Some(reason) = &row.reason {
        details.push_str(&format!("<br>{}", escaped(reason)));
    }
    for difference in &row.differences {
        let (what, expected, seen) =
            (escaped(&difference.what), escaped(&difference.expected), escaped(&difference.seen));
        details.push_str(&format!(
            "<br><code>{what}</code><br>expected: <code>{expected}</code><br>seen: <code>{seen}</code>"
        ));
    }
    let (class, words, id) = (class(row.status), row.status.words(), escaped(&row.id));
    let source = row.source.words();
    format!(
        "<tr class=\"{class}\"><td>{words}</td><td><code>{id}</code></td><td>{source}</td><td>{details}</td></tr>\n"
    )
}

fn class(status: Status) -> &'static str {
    match status {
        Status::Holds => "holds",
        Status::Differs => "differs",
        Status::NotTried => "notTried",
        Status::Has => "has",
        Status::HasNot => "hasNot",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
