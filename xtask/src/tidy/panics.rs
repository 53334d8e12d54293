//! Rule: in `crates/exchange/src` every possible panic has a comment why it cannot happen.
//!
//! A panic in the rules stops the writer. `assert!` is allowed: it names a broken rule and stops on purpose. Other
//! panics need a comment that starts with `// Invariant:`, on the same line or just above. Tests are exempt.

use super::Violation;
use super::source::Source;
use super::test_code::{test_files, test_ranges};
use super::tree::Tree;

const PLACE: &str = "crates/exchange/src/";
const PANICS: &[&str] = &[
    ".unwrap()",
    ".unwrap_err()",
    ".expect(",
    ".expect_err(",
    "panic!",
    "unreachable!",
    "Option::unwrap",
    "Result::unwrap",
];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let tests = test_files(tree);
    let rules = tree.sources().filter(|(path, _)| path.starts_with(PLACE) && !tests.contains(path));
    rules.flat_map(|(path, source)| check_file(path, source)).collect()
}

fn check_file(path: &str, source: &Source) -> Vec<Violation> {
    let tests = test_ranges(source);
    let mut violations = Vec::new();
    for panic in PANICS {
        for at in source.find(panic) {
            let line = source.line_of(at);
            if !tests.iter().any(|range| range.contains(&at)) && !is_explained(source, line) {
                let what = format!("`{panic}` without `// Invariant: why this cannot happen`");
                violations.push(Violation::new(path, line, what));
            }
        }
    }
    violations
}

/// Checks the line itself, the lines of the same call chain, and the comment above them.
fn is_explained(source: &Source, line: usize) -> bool {
    let mut line = line;
    if explains(source, line) {
        return true;
    }
    while line > 1 && source.code_line(line).trim_start().starts_with(['.', ')', '?']) {
        line -= 1;
        if explains(source, line) {
            return true;
        }
    }
    while line > 1 && source.code_line(line - 1).trim().is_empty() && source.comment(line - 1).is_some() {
        line -= 1;
        if explains(source, line) {
            return true;
        }
    }
    false
}

fn explains(source: &Source, line: usize) -> bool {
    let reason = source.comment(line).and_then(|comment| comment.strip_prefix("// Invariant:"));
    reason.is_some_and(|reason| !reason.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn lines_broken(text: &str) -> Vec<usize> {
        let tree = Tree::planted(&[("crates/exchange/src/a.rs", text)]);
        check(&tree).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn each_panic_without_a_reason_is_found() {
        for panic in
            ["x.unwrap()", "x.expect(\"y\")", "panic!(\"y\")", "unreachable!()", "x.map(Option::unwrap)"]
        {
            assert_eq!(lines_broken(&format!("fn a() {{\n    {panic};\n}}\n")), [2], "{panic}");
        }
    }

    #[test]
    fn a_reason_on_the_line_or_above_is_enough() {
        assert!(lines_broken("    x.unwrap(); // Invariant: x was set above.\n").is_empty());
        assert!(lines_broken("    // Invariant: x was set above.\n    x.unwrap();\n").is_empty());
        assert!(lines_broken("    // Invariant: x was set\n    // above.\n    x.unwrap();\n").is_empty());
    }

    #[test]
    fn a_reason_above_a_chain_of_calls_holds_for_all_of_it() {
        assert!(
            lines_broken("    // Invariant: it is there.\n    x\n        .get(1)\n        .unwrap();\n")
                .is_empty()
        );
    }

    #[test]
    fn a_reason_that_is_empty_or_elsewhere_is_none() {
        assert_eq!(lines_broken("    // Invariant:\n    x.unwrap();\n"), [2]);
        assert_eq!(lines_broken("    // Invariant: y is there.\n    y();\n    x.unwrap();\n"), [3]);
        assert_eq!(lines_broken("    let a = \"// Invariant: no\"; x.unwrap();\n"), [1]);
    }

    #[test]
    fn asserts_tests_and_other_crates_are_free() {
        assert!(lines_broken("fn a() { assert!(b); x.unwrap_or(1); }\n").is_empty());
        assert!(lines_broken("#[cfg(test)]\nmod tests {\n    fn a() { x.unwrap(); }\n}\n").is_empty());
        let files = [
            ("crates/exchange/src/lib.rs", "#[cfg(test)] mod naive;"),
            ("crates/exchange/src/naive.rs", "x.unwrap()"),
        ];
        assert!(check(&Tree::planted(&files)).is_empty());
        assert!(check(&Tree::planted(&[("crates/server/src/a.rs", "x.unwrap()")])).is_empty());
    }
}
