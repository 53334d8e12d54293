//! The report of a run, as data; `text` and `html` write it for people.

mod html;
mod text;

use serde::Serialize;

use crate::check::{Check, Difference, Source, Verdict};
use crate::endpoints::ENDPOINTS;

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
    pub source: Source,
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
            source: check.source,
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

/// An endpoint of the specification, with the number of its checks by result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointRow {
    /// Method and path.
    pub name: String,
    pub access: String,
    pub holds: usize,
    pub differs: usize,
    pub not_tried: usize,
}

impl EndpointRow {
    /// The rows of all endpoints, in the order of the specification. A check of several endpoints counts for each.
    pub fn of(checks: &[Row]) -> Vec<EndpointRow> {
        let count = |name: &str, status: Status| {
            let own = checks.iter().filter(|row| row.endpoints.iter().any(|endpoint| endpoint == name));
            own.filter(|row| row.status == status).count()
        };
        let row = |endpoint: &crate::endpoints::Endpoint| EndpointRow {
            name: endpoint.name.to_owned(),
            access: endpoint.access.to_owned(),
            holds: count(endpoint.name, Status::Holds),
            differs: count(endpoint.name, Status::Differs),
            not_tried: count(endpoint.name, Status::NotTried),
        };
        ENDPOINTS.iter().map(row).collect()
    }

    /// The counts in words.
    fn words(&self) -> String {
        match (self.holds, self.differs, self.not_tried) {
            (0, 0, 0) => "no check ran".to_owned(),
            (holds, differs, untried) => format!("{holds} hold, {differs} differ, {untried} not tried"),
        }
    }
}

/// Everything that a run found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub url: String,
    pub max_spend: String,
    /// The most that orders and mints bound at a time, in USD.
    pub bound_at_most: String,
    /// Orders and sets that the end of the run cancelled or burned, and everything that stays in the accounts.
    pub clean_up: Vec<String>,
    pub endpoints: Vec<EndpointRow>,
    pub checks: Vec<Row>,
    pub extensions: Vec<ExtensionRow>,
}

impl Report {
    /// The number of checks with a status.
    pub fn count(&self, status: Status) -> usize {
        self.checks.iter().filter(|row| row.status == status).count()
    }

    /// Whether nothing that the specification states differs.
    pub fn conforms(&self) -> bool {
        self.violations() == 0
    }

    /// The number of rules of the specification that differ.
    fn violations(&self) -> usize {
        let of_specification = self.checks.iter().filter(|row| row.source == Source::Specification);
        of_specification.filter(|row| row.status == Status::Differs).count()
    }

    /// The result in one sentence.
    pub fn summary(&self) -> String {
        let [holds, differs, untried] =
            [Status::Holds, Status::Differs, Status::NotTried].map(|status| self.count(status));
        let violations = self.violations();
        format!(
            "{holds} checks hold, {differs} differ ({violations} from the specification), {untried} were not tried."
        )
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

    /// The lines after the rows: endpoints, extensions, clean-up and the result.
    pub fn closing_text(&self) -> String {
        text::closing(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{EndpointRow, ExtensionRow, Report, Row, Status};
    use crate::check::{Difference, Source};

    fn row(id: &str, status: Status) -> Row {
        Row {
            id: id.to_owned(),
            section: "Errors".to_owned(),
            source: Source::Specification,
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
            endpoints: EndpointRow::of(&[Row {
                endpoints: vec!["GET /health".to_owned()],
                ..row("a.differs", Status::Differs)
            }]),
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
        assert_eq!(report.summary(), "1 checks hold, 1 differ (1 from the specification), 1 were not tried.");
        assert!(Report { checks: vec![row("a.holds", Status::Holds)], ..report }.conforms());
    }

    #[test]
    fn a_difference_from_public_clients_is_reported_and_does_not_count() {
        let differs = Row { source: Source::PublicClients, ..row("a.differs", Status::Differs) };
        let report = Report { checks: vec![differs], ..report() };
        assert!(report.conforms());
        assert_eq!(report.summary(), "0 checks hold, 1 differ (0 from the specification), 0 were not tried.");
        let expected = "DIFFERS    a.differs                  A <title>. [public clients]";
        assert_eq!(Report::row_text(&report.checks[0]), expected);
        assert!(report.to_html().contains("<td>public clients</td>"));
        assert!(report.to_json().contains("\"source\": \"publicClients\""));
    }

    #[test]
    fn all_three_forms_have_a_row_for_each_endpoint() {
        let report = report();
        let health = &report.endpoints[0];
        assert_eq!((health.name.as_str(), health.holds, health.differs), ("GET /health", 0, 1));
        assert!(report.closing_text().contains("GET /health"), "{}", report.closing_text());
        assert!(report.to_html().contains("<code>GET /health</code>"));
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("valid JSON");
        assert_eq!(json["endpoints"][0]["differs"], 1);
        assert_eq!(json["endpoints"][1]["notTried"], 0);
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
