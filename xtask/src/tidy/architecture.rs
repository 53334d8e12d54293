//! Rule: every path named in ARCHITECTURE.md exists, and the document has at most 250 lines.

use super::Violation;
use super::tree::Tree;

const MAP: &str = "ARCHITECTURE.md";
/// A newcomer reads the document in one sitting.
const LINES_MAX: usize = 250;

/// Prefixes of paths in this repository. Anything else in backticks is code.
const BEGINNINGS: &[&str] = &["crates/", "xtask/", "docs/", "web/", ".ci/"];

/// Marks of a pattern or a placeholder, such as `commands/<verb_noun>.rs`.
const PLACEHOLDERS: &[char] = &['*', '<', '{', '…', '(', ' '];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(MAP) else { return Vec::new() };
    let gone = named_paths(text).into_iter().filter(|(_, path)| !tree.exists(path));
    let gone = gone.map(|(line, path)| Violation::new(MAP, line, format!("`{path}` is not in the tree")));
    let lines = text.lines().count();
    let long = (lines > LINES_MAX)
        .then(|| Violation::new(MAP, lines, format!("has {lines} lines, {LINES_MAX} at most: shorten it")));
    gone.chain(long).collect()
}

/// Each path in backticks with its line. Fenced blocks contain drawings and commands and are skipped.
fn named_paths(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let spans = line.split('`').skip(1).step_by(2);
            found.extend(spans.filter_map(path_of).map(|path| (index + 1, path)));
        }
    }
    found
}

/// The path without an item, line or section that follows it.
fn path_of(span: &str) -> Option<&str> {
    if !BEGINNINGS.iter().any(|beginning| span.starts_with(beginning)) || span.contains(PLACEHOLDERS) {
        return None;
    }
    let end = span.find([':', '#']).unwrap_or(span.len());
    Some(span[..end].trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(map: &str) -> Vec<String> {
        let tree = Tree::planted(&[("ARCHITECTURE.md", map), ("crates/a/src/lib.rs", "")]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_document_that_is_too_long_is_found() {
        assert!(found(&"A line.\n".repeat(250)).is_empty());
        let expected = ["ARCHITECTURE.md:251: has 251 lines, 250 at most: shorten it"];
        assert_eq!(found(&"A line.\n".repeat(251)), expected);
    }

    #[test]
    fn a_path_that_is_gone_is_found() {
        let broken = found("See `crates/a/src/lib.rs`\nand `crates/b/` and `docs/none.md`.\n");
        let expected = [
            "ARCHITECTURE.md:2: `crates/b` is not in the tree",
            "ARCHITECTURE.md:2: `docs/none.md` is not in the tree",
        ];
        assert_eq!(broken, expected);
    }

    #[test]
    fn the_text_after_a_path_is_cut_off() {
        assert!(found("`crates/a/src/lib.rs:12` `crates/a/src/lib.rs::apply` `crates/a/`").is_empty());
    }

    #[test]
    fn code_patterns_and_drawings_are_not_paths() {
        assert!(
            found(
                "`Exchange::apply` `crates/*/src` `crates/x/<verb>.rs` crates/none\n```\n`crates/none`\n```\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn without_a_map_there_is_nothing_to_check() {
        assert!(check(&Tree::planted(&[])).is_empty());
    }
}
