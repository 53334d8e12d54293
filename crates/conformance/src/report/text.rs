//! The report as lines for a terminal.

use super::{Report, Row, Status};
use crate::check::Source;

/// A check: one line, and three for each difference.
pub(super) fn row(row: &Row) -> String {
    let reason = row.reason.as_ref().map(|reason| format!(" ({})", printable(reason))).unwrap_or_default();
    let source = match row.source {
        Source::Specification => String::new(),
        Source::PublicClients => format!(" [{}]", row.source.words()),
    };
    let mut text = format!("{:<10} {:<26} {}{source}{reason}", row.status.words(), row.id, row.title);
    for difference in &row.differences {
        text.push_str(&format!(
            "\n           {}\n             expected: {}\n             seen:     {}",
            printable(&difference.what),
            printable(&difference.expected),
            printable(&difference.seen),
        ));
    }
    text
}

/// The lines after the checks.
pub(super) fn closing(report: &Report) -> String {
    let mut text = "Endpoints:\n".to_owned();
    for endpoint in &report.endpoints {
        text.push_str(&format!("  {:<58} {}\n", endpoint.name, endpoint.words()));
    }
    for status in [Status::Has, Status::HasNot, Status::NotTried] {
        let rows: Vec<&str> =
            report.extensions.iter().filter(|row| row.status == status).map(|row| row.id.as_str()).collect();
        if !rows.is_empty() {
            text.push_str(&format!("extensions, {}: {}\n", status.words(), rows.join(", ")));
        }
    }
    for line in &report.clean_up {
        text.push_str(&format!("{}\n", printable(line)));
    }
    text.push_str(&format!(
        "Orders and mints bound at most {} USD at a time.\n{}",
        report.bound_at_most,
        report.summary()
    ));
    text
}

/// Without control characters: a server must not write to the caller's terminal.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a [2Jb c");
    }
}
