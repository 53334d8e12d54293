//! docs/errors.md against the code: every status, code and reason is explained there, and nothing else is.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use api::error::{ErrorCode, ErrorKind, ItemErrorCode};
use api::signing::SigningFault;
use api::{ErrorBody, Word};
use server::view;

use crate::refusals::{amiss, unprocessable};
use crate::stage::START;

const PAGE: &str = include_str!("../../../../docs/errors.md");

/// The rows of a table by the head of the table: each has as many cells, none of them empty.
fn rows(section: &str, head: &str) -> Vec<Vec<String>> {
    let (_, section) = PAGE.split_once(&format!("\n## {section}\n")).expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut lines = section.lines().skip_while(|line| !line.starts_with(head));
    let columns = cells(lines.next().expect("a table")).len();
    let rows: Vec<_> = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect();
    for row in &rows {
        assert_eq!(row.len(), columns, "{row:?}");
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?} has an empty cell");
    }
    rows
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_matches('|');
    inner.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The words of a column, in backticks there.
fn words(rows: &[Vec<String>], column: usize) -> BTreeSet<String> {
    let words: BTreeSet<String> = rows.iter().map(|row| row[column].trim_matches('`').to_owned()).collect();
    assert_eq!(words.len(), rows.len(), "a word has two rows");
    words
}

fn named<T: Word + 'static>(all: &[T]) -> BTreeSet<String> {
    all.iter().map(|word| word.as_str().to_owned()).collect()
}

#[test]
fn the_error_page_has_every_status_and_kind() {
    let told: BTreeSet<(String, String)> = rows("Statuses", "| Status |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].trim_matches('`').to_owned()))
        .collect();
    let known: BTreeSet<(String, String)> =
        ErrorKind::ALL.iter().map(|kind| (kind.status().to_string(), kind.as_str().to_owned())).collect();
    assert_eq!(told, known);
}

#[test]
fn the_error_page_has_every_code() {
    let told = words(&rows("422 and others: `code`", "| `code` |"), 0);
    assert_eq!(told, named(ErrorCode::ALL));
    let told = words(&rows("Items of a batch", "| `code` |"), 0);
    assert_eq!(told, named(ItemErrorCode::ALL));
}

#[test]
fn the_error_page_has_every_reason_of_a_401() {
    let mut known: BTreeSet<String> = faults().iter().map(|fault| fault.reason().to_owned()).collect();
    known.extend(refusals().into_iter().filter_map(|body| body.reason).map(str::to_owned));
    known.extend(reasons_in_the_source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")));
    assert_eq!(words(&rows("401: `reason`", "| `reason` |"), 0), known);
}

#[test]
fn the_error_page_has_every_reason_of_an_item() {
    let rejects = amiss();
    let can_fail_an_item =
        |status: u16, word: &str| status == 400 || ["OUTCOME_NOT_FOUND", "ORDER_NOT_FOUND"].contains(&word);
    let known: BTreeSet<String> = rejects
        .iter()
        .filter_map(|reject| {
            let status = view::refusal(reject, START.micros()).status_code;
            view::refusal::of_item(reject).reason.filter(|word| can_fail_an_item(status, word)).map(Cow::into_owned)
        })
        // A batch of the wrong size has no items.
        .filter(|word| *word != "BATCH_SIZE")
        .collect();
    assert_eq!(words(&rows("Items of a batch", "| `reason` |"), 0), known);
}

fn refusals() -> Vec<ErrorBody> {
    amiss().iter().chain(&unprocessable()).map(|reject| view::refusal(reject, START.micros())).collect()
}

/// One of each; a new one does not compile until it is here.
fn faults() -> Vec<SigningFault> {
    use SigningFault as F;
    let all = vec![
        F::HeaderMissing { header: "X-Signature" },
        F::TimestampNotANumber,
        F::TimestampOutsideWindow { skew_seconds: 301 },
        F::SignatureNotBase64,
        F::SignatureLength { bytes: 3 },
        F::BodyHashMismatch,
        F::SignatureMismatch,
    ];
    for fault in &all {
        match fault {
            F::HeaderMissing { .. }
            | F::TimestampNotANumber
            | F::TimestampOutsideWindow { .. }
            | F::SignatureNotBase64
            | F::SignatureLength { .. }
            | F::BodyHashMismatch
            | F::SignatureMismatch => {}
        }
    }
    all
}

/// The reasons that the edge itself returns: the last text in every call of `unauthorized`.
fn reasons_in_the_source(folder: &Path) -> BTreeSet<String> {
    let mut reasons = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            reasons.extend(reasons_in_the_source(&path));
        } else {
            let source = fs::read_to_string(&path).expect("a source");
            let calls = source.split("unauthorized(").skip(1);
            reasons.extend(calls.filter_map(reason_of).map(str::to_owned));
        }
    }
    reasons
}

/// Reads up to the bracket that closes the call.
fn reason_of(call: &str) -> Option<&str> {
    let (mut depth, mut is_text) = (1, false);
    let end = call.find(|c| {
        is_text ^= c == '"';
        match c {
            '(' if !is_text => depth += 1,
            ')' if !is_text => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let texts = call[..end].split('"').skip(1).step_by(2);
    texts.filter(|text| text.contains('_') && text.chars().all(|c| c == '_' || c.is_ascii_lowercase())).last()
}
