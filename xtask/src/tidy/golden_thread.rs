//! Rule: a command has one name everywhere. `place_order` is `Command::PlaceOrder`, `commands/place_order.rs` and
//! `tests/rules/place_order.rs`; if one of the three exists, so must the others.

use std::collections::BTreeMap;

use super::Violation;
use super::source::{Source, leading_name};
use super::tree::Tree;

const COMMAND: &str = "crates/exchange/src/command.rs";
const COMMANDS: &str = "crates/exchange/src/commands/";
const TESTS: &str = "crates/exchange/tests/";
const RULES: &str = "crates/exchange/tests/rules/";

/// Files in the folder that are not commands.
const NOT_COMMANDS: &[&str] = &["mod"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let files = command_files(tree);
    // Nothing to check before there are commands.
    if files.is_empty() {
        return Vec::new();
    }
    let mut violations: Vec<_> = files.iter().filter_map(|name| check_test(tree, name)).collect();
    if let Some(variants) = tree.source(COMMAND).and_then(variants) {
        for name in files.iter().filter(|name| !variants.contains_key(camel_case(name).as_str())) {
            let what = format!("no variant `{}` in the enum Command of {COMMAND}", camel_case(name));
            violations.push(Violation::new(&format!("{COMMANDS}{name}.rs"), 1, what));
        }
        for (variant, line) in
            variants.iter().filter(|(variant, _)| !files.contains(&snake_case(variant).as_str()))
        {
            let what = format!("`Command::{variant}` has no file {COMMANDS}{}.rs", snake_case(variant));
            violations.push(Violation::new(COMMAND, *line, what));
        }
    }
    violations
}

/// The names of the command files, without extension.
fn command_files(tree: &Tree) -> Vec<&str> {
    let names = tree.sources().filter_map(|(path, _)| path.strip_prefix(COMMANDS)?.strip_suffix(".rs"));
    names.filter(|name| !name.contains('/') && !NOT_COMMANDS.contains(name)).collect()
}

/// A test file without a `mod` declaration is never compiled, so it does not count.
fn check_test(tree: &Tree, name: &str) -> Option<Violation> {
    let path = format!("{COMMANDS}{name}.rs");
    let test = format!("{RULES}{name}.rs");
    if tree.source(&test).is_none() {
        return Some(Violation::new(&path, 1, format!("no tests: write {test}")));
    }
    let declaration = format!("mod {name}");
    let mut tests = tree.sources().filter(|(path, _)| path.starts_with(TESTS));
    let is_declared = tests.any(|(_, source)| !source.find(&declaration).is_empty());
    (!is_declared)
        .then(|| Violation::new(&test, 1, format!("never compiled: no test declares `{declaration};`")))
}

/// The variants of `enum Command`, each with its line.
fn variants(source: &Source) -> Option<BTreeMap<&str, usize>> {
    let code = source.code();
    let open = source.find("enum Command").last().and_then(|at| source.find_outside_brackets(*at, b"{"))?;
    let end = source.closing(open)?;
    let mut found = BTreeMap::new();
    let mut at = open + 1;
    while at < end {
        let rest = &code[at..end];
        at += rest.len() - rest.trim_start().len();
        let rest = &code[at..end];
        let name = leading_name(rest);
        if rest.starts_with("#[") {
            at = source.closing(at + 1)? + 1;
        } else if name.is_empty() {
            at += 1;
        } else {
            found.insert(name, source.line_of(at));
            at = end_of_variant(source, at, end);
        }
    }
    Some(found)
}

/// The offset of the comma after the variant at `at`, past its fields.
fn end_of_variant(source: &Source, at: usize, end: usize) -> usize {
    match source.find_outside_brackets(at, b"{,") {
        Some(stop) if source.code().as_bytes()[stop] == b'{' => {
            source.closing(stop).map_or(end, |close| close + 1)
        }
        Some(stop) => stop,
        None => end,
    }
}

fn camel_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::{check, snake_case, variants};
    use crate::tidy::source::Source;
    use crate::tidy::tree::Tree;

    const ENUM: (&str, &str) = ("crates/exchange/src/command.rs", "enum Command { PlaceOrder(PlaceOrder) }");
    const FILE: (&str, &str) = ("crates/exchange/src/commands/place_order.rs", "");
    const SHARED: (&str, &str) = ("crates/exchange/src/commands/mod.rs", "");
    const TEST: (&str, &str) = ("crates/exchange/tests/rules/place_order.rs", "");
    const MAIN: (&str, &str) = ("crates/exchange/tests/rules/mod.rs", "mod place_order;");

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::planted(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_unbroken_thread_passes() {
        assert!(found(&[ENUM, FILE, SHARED, TEST, MAIN]).is_empty());
    }

    #[test]
    fn a_file_without_its_variant_is_found() {
        let other = ("crates/exchange/src/command.rs", "enum Command {}");
        let broken = found(&[other, FILE, TEST, MAIN]);
        assert_eq!(broken.len(), 1);
        assert!(broken[0].contains("no variant `PlaceOrder`"), "{broken:?}");
    }

    #[test]
    fn a_variant_without_its_file_is_found() {
        let wider =
            ("crates/exchange/src/command.rs", "enum Command {\n PlaceOrder,\n CancelOrder { id: u8 },\n}");
        let broken = found(&[wider, FILE, TEST, MAIN]);
        assert_eq!(broken.len(), 1);
        assert!(
            broken[0].starts_with("crates/exchange/src/command.rs:3: `Command::CancelOrder`"),
            "{broken:?}"
        );
    }

    #[test]
    fn a_command_without_tests_is_found() {
        let broken = found(&[ENUM, FILE]);
        assert_eq!(broken.len(), 1);
        assert!(broken[0].ends_with("write crates/exchange/tests/rules/place_order.rs"), "{broken:?}");
    }

    #[test]
    fn a_test_file_that_is_never_compiled_is_found() {
        let broken = found(&[ENUM, FILE, TEST]);
        assert_eq!(broken.len(), 1);
        assert!(broken[0].contains("never compiled"), "{broken:?}");
    }

    #[test]
    fn nothing_is_asked_before_there_are_commands() {
        assert!(found(&[ENUM]).is_empty());
        assert!(found(&[FILE, TEST, MAIN]).is_empty());
    }

    #[test]
    fn variants_are_read_past_attributes_fields_and_comments() {
        let text = "/// A.\npub enum Command {\n    /// B, C.\n    #[n(0)] Tick,\n    #[n(1)] PlaceOrder(#[n(0)] Order, u8),\n    \
                    Credit { user: u8, list: [u8; 2] },\n    Last = 4\n}\n";
        let source = Source::new(text.to_owned());
        let names: Vec<_> = variants(&source).unwrap().into_iter().collect();
        assert_eq!(names, [("Credit", 6), ("Last", 7), ("PlaceOrder", 5), ("Tick", 4)]);
    }

    #[test]
    fn names_change_their_case() {
        assert_eq!(super::camel_case("place_order"), "PlaceOrder");
        assert_eq!(snake_case("PlaceOrder"), "place_order");
        assert_eq!(snake_case("Tick"), "tick");
    }
}
