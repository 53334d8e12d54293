//! Rule: tests do not sleep. What must come is asked for (`patience::until`, `stage::soon`); the length of a fault or the pace
//! of a load is named (`patience::let_run`).

use super::Violation;
use super::source::{Source, is_name_byte};
use super::test_code::{test_files, test_ranges};
use super::tree::Tree;

const SLEEP: &str = "sleep(";
const INSTEAD: &str = "tests do not sleep: wait by `patience::until` or `stage::soon`, name a fault's length by `patience::let_run`";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let tests = test_files(tree);
    tree.sources()
        .flat_map(|(path, source)| {
            let is_test = path.contains("/tests/") || tests.contains(path);
            sleeps(source, is_test).into_iter().map(move |line| Violation::new(path, line, INSTEAD))
        })
        .collect()
}

/// The lines where a test sleeps.
fn sleeps(source: &Source, is_test: bool) -> Vec<usize> {
    let ranges = test_ranges(source);
    let is_sleep = |at: &usize| {
        let before = &source.code()[..*at];
        let is_other = before.ends_with('.') || before.ends_with("fn ");
        !is_other && !before.bytes().last().is_some_and(is_name_byte)
    };
    let in_test = |at: &usize| is_test || ranges.iter().any(|range| range.contains(at));
    source.find(SLEEP).into_iter().filter(is_sleep).filter(in_test).map(|at| source.line_of(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::planted(&[(path, text)])).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn a_sleep_in_a_test_is_found_however_it_is_called() {
        for call in ["thread::sleep(a)", "std::thread::sleep(a)", "sleep(a)", "tokio::time::sleep(a).await"] {
            let text = format!("fn a() {{\n    {call};\n}}\n");
            assert_eq!(lines("crates/a/tests/b.rs", &text), [2], "{call}");
            assert_eq!(
                lines("crates/a/src/b.rs", &format!("#[cfg(test)]\nmod tests {{\n{text}}}\n")),
                [4],
                "{call}"
            );
            assert!(lines("crates/a/src/b.rs", &text).is_empty(), "{call}");
        }
    }

    #[test]
    fn other_words_are_free() {
        let text = "fn sleep(a: u8) {}\nfn b() {\n    story.sleep(1);\n    fall_asleep(2);\n    pg(\"sleep(3)\");\n}\n";
        assert!(lines("crates/a/tests/b.rs", text).is_empty());
    }
}
