//! Rule: every decision in docs/decisions.md names its tests, every named test has a link, and every link leads to the
//! file of its test. Every test named in docs/adding-an-endpoint.md exists.

use std::collections::BTreeMap;

use super::Violation;
use super::tree::Tree;

const DECISIONS: &str = "docs/decisions.md";
const CHECKLIST: &str = "docs/adding-an-endpoint.md";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = check_checklist(tree);
    if let Some(text) = tree.text(DECISIONS) {
        violations.extend(check_decisions(text));
        violations.extend(check_links(tree, text));
    }
    violations
}

fn check_checklist(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(CHECKLIST) else { return Vec::new() };
    let sources: Vec<&str> = tree.sources().map(|(_, source)| source.text()).collect();
    let is_there = |name: &str| sources.iter().any(|source| source.contains(&format!("fn {name}(")));
    let missing = named_tests(text).filter(|(_, name)| !is_there(name));
    missing
        .map(|(line, name)| Violation::new(CHECKLIST, line, format!("no test is called `{name}`")))
        .collect()
}

/// A decision is a paragraph that begins in bold; its last lines name the tests.
fn check_decisions(text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut line = 1;
    for paragraph in text.split("\n\n") {
        if paragraph.starts_with("**") && !paragraph.contains("\nTests: [`") {
            violations.push(Violation::new(DECISIONS, line, "this decision names no test"));
        }
        line += paragraph.matches('\n').count() + 2;
    }
    violations
}

fn check_links(tree: &Tree, text: &str) -> Vec<Violation> {
    let lines = text.lines().enumerate();
    let links: BTreeMap<&str, (usize, &str)> =
        lines.filter_map(|(index, line)| link(line).map(|(name, path)| (name, (index + 1, path)))).collect();
    let mut violations = Vec::new();
    for (name, &(line, path)) in &links {
        let source = path.strip_prefix("../").and_then(|path| tree.source(path));
        if !source.is_some_and(|source| source.text().contains(&format!("fn {name}("))) {
            violations.push(Violation::new(DECISIONS, line, format!("no test `{name}` in {path}")));
        }
    }
    for (line, name) in named_tests(text).filter(|(_, name)| !links.contains_key(name)) {
        violations.push(Violation::new(DECISIONS, line, format!("no link to the test `{name}`")));
    }
    violations
}

/// Name and path of a link definition: the name in backticks and brackets, a colon, the path.
fn link(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("[`")?.split_once("`]: ")
}

/// Each test's name in backticks with its line: several words joined by underscores.
fn named_tests(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_name = |span: &&str| {
        span.matches('_').count() >= 2
            && span.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    let lines = text.lines().enumerate();
    lines.flat_map(move |(index, line)| {
        line.split('`').skip(1).step_by(2).filter(is_name).map(move |name| (index + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    const TEST: &str = "//! Tests.\n#[test]\nfn a_share_pays_one_dollar() {}\n";
    const LINK: &str = "[`a_share_pays_one_dollar`]: ../crates/a/tests/rules.rs\n";

    fn found(document: &str, text: &str) -> Vec<String> {
        let tree = Tree::planted(&[(document, text), ("crates/a/tests/rules.rs", TEST)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    fn decisions(text: &str) -> Vec<String> {
        found("docs/decisions.md", text)
    }

    #[test]
    fn a_decision_with_a_linked_test_is_right() {
        let right = format!("**A share** pays 1 dollar.\\\nTests: [`a_share_pays_one_dollar`]\n\n{LINK}");
        assert!(decisions(&right).is_empty());
    }

    #[test]
    fn a_decision_without_a_test_is_found() {
        let broken = decisions("# Decisions\n\n**A share** pays 1 dollar.\n\nMore.\n");
        assert_eq!(broken, ["docs/decisions.md:3: this decision names no test"]);
    }

    #[test]
    fn a_test_that_is_gone_or_has_moved_is_found() {
        let gone = "Tests: [`a_share_pays_two`]\n\n[`a_share_pays_two`]: ../crates/a/tests/rules.rs\n";
        let said = "docs/decisions.md:3: no test `a_share_pays_two` in ../crates/a/tests/rules.rs";
        assert_eq!(decisions(gone), [said]);
        let moved = LINK.replace("rules.rs", "other.rs");
        let said = "docs/decisions.md:1: no test `a_share_pays_one_dollar` in ../crates/a/tests/other.rs";
        assert_eq!(decisions(&moved), [said]);
    }

    #[test]
    fn a_test_without_a_link_is_found() {
        let broken = decisions("Tests: [`a_share_pays_one_dollar`]\n");
        assert_eq!(broken, ["docs/decisions.md:1: no link to the test `a_share_pays_one_dollar`"]);
    }

    #[test]
    fn a_test_of_the_checklist_that_is_gone_is_found() {
        let broken = found("docs/adding-an-endpoint.md", "`a_share_pays_one_dollar`, `a_share_pays_two`\n");
        assert_eq!(broken, ["docs/adding-an-endpoint.md:1: no test is called `a_share_pays_two`"]);
    }

    #[test]
    fn other_words_in_backticks_are_not_tests() {
        assert!(decisions("`rejected` `_` `CANCEL_BOTH_X_Y` `cargo xtask tidy` `rg 'fn <name>'`").is_empty());
    }
}
