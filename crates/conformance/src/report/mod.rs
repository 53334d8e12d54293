//! The report of a run, as data; `text` and `html` write it for people.

mod html;
mod text;

use serde::Serialize;

use crate::check::{Check, Difference, Verdict};

/// The state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    Holds,
    Differs,
    NotTried,
    Has,
    HasNot,
}

impl Status {
    /// The status in words.
    pub fn words(self) -> &'static str {
        match self {
            Status::Holds => "holds",
            Status::Differs => "DIFFERS",
            Status::NotTried => "not tried",
            Status::Has => "has",
            Status::HasNot => "has not",
        }
    }
}

/// A check and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    pub id: String,
    pub section: String,
    pub title: String,
    pub endpoints: Vec<String>,
    pub status: Status,
    pub differences: Vec<Difference>,
    /// Why it was not tried.
    pub reason: Option<String>,
}

impl Row {
    /// The row of a check with its verdict.
    pub fn new(check: &Check, verdict: Verdict) -> Row {
        let (status, differences, reason) = match verdict {
            Verdict::Holds => (Status::Holds, Vec::new(), None),
            Verdict::Differs(differences) => (Status::Differs, differences, None),
            Verdict::NotTried(reason) => (Status::NotTried, Vec::new(), Some(reason)),
        };
        Row {
            id: check.id.to_owned(),
            section: check.section.to_owned(),
            title: check.title.to_owned(),
            endpoints: check.endpoints.iter().map(|&name| name.to_owned()).collect(),
            status,
            differences,
            reason,
        }
    }
}

/// An extension, and whether the server has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExtensionRow {
    pub id: String,
    pub title: String,
    pub status: Status,
    pub reason: Option<String>,
}

/// Everything that a run found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub url: String,
    pub max_spend: String,
    /// The most that orders and mints bound at a time, in USD.
    pub bound_at_most: String,
    /// Orders that were cancelled at the end.
    pub clean_up: Vec<String>,
    pub checks: Vec<Row>,
    pub extensions: Vec<ExtensionRow>,
}

impl Report {
    /// The number of checks with a status.
    pub fn count(&self, status: Status) -> usize {
        self.checks.iter().filter(|row| row.status == status).count()
    }

    /// Whether nothing differs.
    pub fn conforms(&self) -> bool {
        self.count(Status::Differs) == 0
    }

    /// The result in one sentence.
    pub fn summary(&self) -> String {
        let [holds, differs, untried] =
            [Status::Holds, Status::Differs, Status::NotTried].map(|status| self.count(status));
        format!("{holds} checks hold, {differs} differ, {untried} were not tried.")
    }

    /// The report as JSON.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The report as a page without scripts.
    pub fn to_html(&self) -> String {
        html::page(self)
    }

    /// The lines of a row.
    pub fn row_text(row: &Row) -> String {
        text::row(row)
    }

    /// The lines after the rows: extensions, clean-up and the result.
    pub fn closing_text(&self) -> String {
        text::closing(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ExtensionRow, Report, Row, Status};
    use crate::check::Difference;

    fn row(id: &str, status: Status) -> Row {
        Row {
            id: id.to_owned(),
            section: "Errors".to_owned(),
            title: "A <title>.".to_owned(),
            endpoints: Vec::new(),
            status,
            differences: Vec::new(),
            reason: None,
        }
    }

    fn report() -> Report {
        let difference = Difference {
            what: "GET /x".to_owned(),
            expected: "status 200".to_owned(),
            seen: "404 <b>".to_owned(),
        };
        Report {
            url: "http://x".to_owned(),
            max_spend: "10".to_owned(),
            bound_at_most: "1".to_owned(),
            clean_up: vec!["order 1: cancelled".to_owned()],
            checks: vec![
                row("a.holds", Status::Holds),
                Row { differences: vec![difference], ..row("a.differs", Status::Differs) },
                Row { reason: Some("no key was given".to_owned()), ..row("a.untried", Status::NotTried) },
            ],
            extensions: vec![ExtensionRow {
                id: "x-sequence".to_owned(),
                title: "t".to_owned(),
                status: Status::Has,
                reason: None,
            }],
        }
    }

    #[test]
    fn a_difference_makes_a_report_that_does_not_conform() {
        let report = report();
        assert!(!report.conforms());
        assert_eq!(report.summary(), "1 checks hold, 1 differ, 1 were not tried.");
        assert!(Report { checks: vec![row("a.holds", Status::Holds)], ..report }.conforms());
    }

    #[test]
    fn the_text_has_expected_and_seen_and_the_reason() {
        let report = report();
        let text: Vec<String> = report.checks.iter().map(Report::row_text).collect();
        let expected = [
            "holds      a.holds                    A <title>.",
            "DIFFERS    a.differs                  A <title>.\n           GET /x\n             expected: status 200\n             seen:     404 <b>",
            "not tried  a.untried                  A <title>. (no key was given)",
        ];
        assert_eq!(text, expected);
        let closing = report.closing_text();
        assert!(closing.contains("x-sequence") && closing.contains("order 1: cancelled"), "{closing}");
    }

    #[test]
    fn the_page_escapes_texts_of_the_server() {
        let page = report().to_html();
        assert!(page.contains("404 &lt;b&gt;") && !page.contains("<b>"), "{page}");
    }

    #[test]
    fn the_json_has_camel_case_names() {
        let json: serde_json::Value = serde_json::from_str(&report().to_json()).expect("valid JSON");
        assert_eq!(json["checks"][1]["differences"][0]["expected"], "status 200");
        assert_eq!(json["boundAtMost"], "1");
        assert_eq!(json["checks"][2]["status"], "notTried");
    }
}
