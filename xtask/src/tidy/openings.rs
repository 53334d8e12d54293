//! Rule: a doc comment, a help text or a log message does not begin with a pronoun that has no noun yet.
//!
//! The first words of a text name the thing that it is about. clap turns doc comments into help texts, so the comments
//! cover most of them; `help`, `about` and their long forms are read from the attributes.

use super::Violation;
use super::source::{Source, is_name_byte};
use super::tree::Tree;

const OPENINGS: &[&str] = &["Whoever", "What is", "One that", "The same"];
const LOGS: &[&str] =
    &["tracing::trace!", "tracing::debug!", "tracing::info!", "tracing::warn!", "tracing::error!"];
const HELPS: &[&str] = &["help", "long_help", "about", "long_about"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, source) in tree.sources() {
        let found = doc_comments(source).into_iter().chain(log_messages(source)).chain(help_texts(source));
        violations.extend(found.filter_map(|(line, kind, text)| {
            let opening = opening_of(text)?;
            let what = format!("openings: a {kind} must not begin with \"{opening}\": name the thing first");
            Some(Violation::new(path, line, what))
        }));
    }
    violations
}

/// The refused words that a text begins with, in any case.
fn opening_of(text: &str) -> Option<&'static str> {
    let begins = |opening: &&&str| {
        let start = text.get(..opening.len());
        let next = text.as_bytes().get(opening.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(opening))
            && next.is_none_or(|byte| !is_name_byte(*byte))
    };
    OPENINGS.iter().find(begins).copied()
}

type Text<'a> = (usize, &'static str, &'a str);

/// The first line of each block of `///` or `//!`.
fn doc_comments(source: &Source) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    let mut before = None;
    for line in 1..=source.text().lines().count() {
        let doc =
            source.comment(line).filter(|_| source.code_line(line).trim().is_empty()).and_then(doc_text);
        if let (None, Some(text)) = (before, doc) {
            found.push((line, "doc comment", text));
        }
        before = doc;
    }
    found
}

fn doc_text(comment: &str) -> Option<&str> {
    let text = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!"))?;
    // Four slashes are an ordinary comment.
    (!text.starts_with('/')).then(|| text.trim())
}

fn log_messages(source: &Source) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    for at in LOGS.iter().flat_map(|log| source.find(log)) {
        let Some(open) = source.code()[at..].find(['(', '[', '{']).map(|offset| at + offset) else {
            continue;
        };
        let end = source.closing(open).unwrap_or(open);
        found.extend(literals(source, open, end).into_iter().map(|(line, text)| (line, "log message", text)));
    }
    found
}

/// The texts after `help =` and the like.
fn help_texts(source: &Source) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    for (at, name) in HELPS.iter().flat_map(|name| source.find(name).into_iter().map(move |at| (at, name))) {
        let rest = source.text()[at + name.len()..].trim_start();
        let value = rest.strip_prefix('=').map(str::trim_start).and_then(|value| value.strip_prefix('"'));
        found.extend(value.map(|text| (source.line_of(at), "help text", text)));
    }
    found
}

/// The string literals between two offsets: blank in the code, and quoted in the text.
fn literals(source: &Source, start: usize, end: usize) -> Vec<(usize, &str)> {
    let (text, code) = (source.text(), source.code().as_bytes());
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        if text.as_bytes()[at] == b'"' && code[at] == b' ' {
            found.push((source.line_of(at), &text[at + 1..end]));
            at += 1;
            while at < end && text.as_bytes()[at] != b'"' {
                at += if text.as_bytes()[at] == b'\\' { 2 } else { 1 };
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(text: &str) -> Vec<String> {
        let tree = Tree::planted(&[("crates/a/src/lib.rs", text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_opening_of_a_doc_comment_is_refused() {
        let text = "//! Whoever asks.\n\n/// What is open.\nfn a() {}\n    /// One that waits.\nfn b() {}\n/// The same, again.\n/// Fine.\n";
        let expected = [
            "crates/a/src/lib.rs:1: openings: a doc comment must not begin with \"Whoever\": name the thing first",
            "crates/a/src/lib.rs:3: openings: a doc comment must not begin with \"What is\": name the thing first",
            "crates/a/src/lib.rs:5: openings: a doc comment must not begin with \"One that\": name the thing first",
            "crates/a/src/lib.rs:7: openings: a doc comment must not begin with \"The same\": name the thing first",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn log_messages_and_help_texts_are_read() {
        let text = "fn a() {\n    tracing::warn!(\n        name = \"x\",\n        \"whoever reads this waits\"\n    );\n}\n#[arg(long, help = \"The same as -v\")]\nb: u8,\n";
        let expected = [
            "crates/a/src/lib.rs:4: openings: a log message must not begin with \"Whoever\": name the thing first",
            "crates/a/src/lib.rs:7: openings: a help text must not begin with \"The same\": name the thing first",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn later_lines_other_comments_and_longer_words_pass() {
        let text = "/// A request.\n/// The same rules hold.\n// Whoever asks.\nfn a() {}\n/// What isolates it.\nfn b() {\n    let help = 1;\n    tracing::info!(\"a node has the same name\");\n    let c = \"The same\";\n}\n";
        assert!(found(text).is_empty());
    }
}
