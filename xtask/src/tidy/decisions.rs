//! Rule: every test named in docs/decisions.md or docs/adding-an-endpoint.md exists.

use super::Violation;
use super::tree::Tree;

const DOCUMENTS: &[&str] = &["docs/decisions.md", "docs/adding-an-endpoint.md"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    DOCUMENTS.iter().flat_map(|document| check_document(tree, document)).collect()
}

fn check_document(tree: &Tree, document: &str) -> Vec<Violation> {
    let Some(text) = tree.text(document) else { return Vec::new() };
    let sources: Vec<&str> = tree.sources().map(|(_, source)| source.text()).collect();
    let is_there = |name: &str| sources.iter().any(|source| source.contains(&format!("fn {name}(")));
    let missing = named_tests(text).filter(|(_, name)| !is_there(name));
    missing
        .map(|(line, name)| Violation::new(document, line, format!("no test is called `{name}`")))
        .collect()
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

    fn found(decisions: &str) -> Vec<String> {
        let test = "//! Tests.\n#[test]\nfn a_share_pays_one_dollar() {}\n";
        let tree = Tree::planted(&[("docs/decisions.md", decisions), ("crates/a/tests/rules.rs", test)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_test_that_is_gone_is_found() {
        let broken = found("| What? | This. | `a_share_pays_one_dollar`, `a_share_pays_two` |\n");
        assert_eq!(broken, ["docs/decisions.md:1: no test is called `a_share_pays_two`"]);
    }

    #[test]
    fn other_words_in_backticks_are_not_tests() {
        assert!(found("`rejected` `_` `CANCEL_BOTH_X_Y` `cargo xtask tidy` `rg 'fn <name>'`").is_empty());
    }
}
