//! Rule: every row of the table in docs/operating/faults.md names an alert with a runbook entry and a test, every named
//! alert is in the file of alerts, every named test has a link, and every link leads to the file of its test. All fifteen
//! faults have a row of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::Violation;
use super::tree::Tree;

const FAULTS: &str = "docs/operating/faults.md";
const RUNBOOK: &str = "docs/operating/monitoring.md";
const ALERTS: &str = "deploy/monitoring/alerts.yml";
const FAULTS_COUNT: usize = 15;
/// Fault, what the operator sees, alert, what to do, test.
const COLUMNS: usize = 5;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(FAULTS) else { return Vec::new() };
    let links: BTreeMap<&str, &str> = text.lines().filter_map(link).collect();
    let mut violations = Vec::new();
    let rows: Vec<(usize, Vec<&str>)> = rows(text).collect();
    if rows.len() < FAULTS_COUNT {
        let what = format!("{} rows; {FAULTS_COUNT} faults need one each", rows.len());
        violations.push(Violation::new(FAULTS, 1, what));
    }
    let mut names = BTreeSet::new();
    for (line, cells) in rows {
        let name = cells.first().copied().unwrap_or_default();
        if !names.insert(name) {
            violations.push(Violation::new(FAULTS, line, format!("a second row for the fault {name}")));
        }
        let faults = faults_of_row(tree, &links, &cells);
        violations.extend(faults.into_iter().map(|what| Violation::new(FAULTS, line, what)));
    }
    violations
}

fn faults_of_row(tree: &Tree, links: &BTreeMap<&str, &str>, cells: &[&str]) -> Vec<String> {
    let &[_, _, alerts, _, tests] = cells else { return vec![format!("a row has {COLUMNS} cells")] };
    let mut found = Vec::new();
    let alerts: Vec<&str> = between(alerts, "[", "](").collect();
    if alerts.is_empty() {
        found.push("this row names no alert".to_owned());
    }
    let has_entry =
        |alert: &str| tree.text(RUNBOOK).is_some_and(|runbook| runbook.contains(&format!("\n### {alert}\n")));
    let missing = alerts.iter().filter(|alert| !has_entry(alert));
    found.extend(missing.map(|alert| format!("no runbook entry for the alert {alert}")));
    let is_rule = |alert: &str| {
        let rule = format!("- alert: {alert}");
        tree.text(ALERTS).is_some_and(|rules| rules.lines().any(|line| line.trim() == rule))
    };
    let unknown = alerts.iter().filter(|alert| !is_rule(alert));
    found.extend(unknown.map(|alert| format!("{ALERTS} has no alert {alert}")));
    let tests: Vec<&str> = between(tests, "[`", "`]").collect();
    if tests.is_empty() {
        found.push("this row names no test".to_owned());
    }
    for name in tests {
        let path = links.get(name).and_then(|path| path.strip_prefix("../../"));
        let source = path.and_then(|path| tree.source(path));
        if !source.is_some_and(|source| source.text().contains(&format!("fn {name}("))) {
            found.push(format!("no test `{name}` behind its link"));
        }
    }
    found
}

/// The cells of each row behind the head of the table, with its line.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    rows.skip(1).map(|(index, line)| {
        let cells = line.trim_matches('|').split(" | ").map(str::trim).collect();
        (index + 1, cells)
    })
}

/// The parts of a text between two marks.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// Name and path of a link definition: the name in backticks and brackets, a colon, the path.
fn link(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("[`")?.split_once("`]: ")
}

#[cfg(test)]
mod tests {
    use super::{FAULTS_COUNT, check};
    use crate::tidy::tree::Tree;

    const HEAD: &str = "| Fault | What you see | Alert | What to do | Test |\n|---|---|---|---|---|\n";
    const RIGHT: &str =
        "| Disk | nothing | [DiskFull](monitoring.md#diskfull) | wait | [`a_disk_is_full`] |\n";
    const ALERTS: &str = "groups:\n  - rules:\n      - alert: DiskFull\n      - alert: DiskFullSoon\n";
    const LINK: &str = "\n[`a_disk_is_full`]: ../../crates/a/tests/faults.rs\n";

    /// The violations of a table whose last row is given.
    fn found(last: &str) -> Vec<String> {
        found_with(last, ALERTS)
    }

    fn found_with(last: &str, alerts: &str) -> Vec<String> {
        let rows = (1..FAULTS_COUNT).map(|number| RIGHT.replace("Disk ", &format!("Disk {number} ")));
        let text = [HEAD, &rows.collect::<String>(), last, LINK].concat();
        let tree = Tree::planted(&[
            ("docs/operating/faults.md", &text),
            ("docs/operating/monitoring.md", "# Alerts\n\n### DiskFull\n"),
            ("deploy/monitoring/alerts.yml", alerts),
            ("crates/a/tests/faults.rs", "//! Tests.\n#[test]\nfn a_disk_is_full() {}\n"),
        ]);
        check(&tree).iter().map(|violation| violation.what.clone()).collect()
    }

    #[test]
    fn a_row_with_an_alert_and_a_test_is_right() {
        assert_eq!(found(RIGHT), [""; 0]);
    }

    #[test]
    fn a_missing_row_is_found() {
        assert_eq!(found(""), ["14 rows; 15 faults need one each"]);
    }

    #[test]
    fn a_row_without_an_alert_or_a_test_is_found() {
        let broken = found("| Disk | nothing | none | wait | none |\n");
        assert_eq!(broken, ["this row names no alert", "this row names no test"]);
    }

    #[test]
    fn an_alert_without_an_entry_and_a_test_that_is_gone_are_found() {
        let broken = RIGHT.replace("DiskFull", "DiskEmpty").replace("is_full", "is_empty");
        let said = [
            "no runbook entry for the alert DiskEmpty",
            "deploy/monitoring/alerts.yml has no alert DiskEmpty",
            "no test `a_disk_is_empty` behind its link",
        ];
        assert_eq!(found(&broken), said);
    }

    #[test]
    fn an_alert_that_no_rule_raises_is_found_in_each_row() {
        // Its name is a part of another one's.
        let said = ["deploy/monitoring/alerts.yml has no alert DiskFull"; FAULTS_COUNT];
        assert_eq!(found_with(RIGHT, &ALERTS.replace("- alert: DiskFull\n", "")), said);
    }

    #[test]
    fn a_fault_with_two_rows_is_found() {
        assert_eq!(found(&RIGHT.replace("Disk ", "Disk 7 ")), ["a second row for the fault Disk 7"]);
    }

    #[test]
    fn a_row_of_another_shape_is_found() {
        assert_eq!(found("| Disk | nothing |\n"), ["a row has 5 cells"]);
    }
}
