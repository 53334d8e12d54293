//! Rule: no file over 800 lines, no function over 70.

use std::ops::RangeInclusive;

use super::Violation;
use super::source::{Source, leading_name};
use super::tree::Tree;

const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    tree.sources().flat_map(|(path, source)| check_file(path, source)).collect()
}

fn check_file(path: &str, source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    let lines = source.text().lines().count();
    if lines > FILE_LINES_MAX {
        let what = format!("{lines} lines, {FILE_LINES_MAX} at most: split it by what its parts know");
        violations.push(Violation::new(path, FILE_LINES_MAX + 1, what));
    }
    for function in functions(source).into_iter().filter(|function| function.lines > FUNCTION_LINES_MAX) {
        let Function { name, line, lines, .. } = function;
        let what = format!("fn {name} has {lines} lines, {FUNCTION_LINES_MAX} at most: name its steps");
        violations.push(Violation::new(path, line, what));
    }
    violations
}

pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    line: usize,
    /// From `fn` to the closing brace, both included.
    lines: usize,
    /// The offsets of its braces.
    pub(super) body: RangeInclusive<usize>,
}

pub(super) fn functions(source: &Source) -> Vec<Function<'_>> {
    source.find("fn").into_iter().filter_map(|start| function(source, start)).collect()
}

/// The function whose `fn` is at `start`; none for a pointer type or a declaration without a body.
fn function(source: &Source, start: usize) -> Option<Function<'_>> {
    let after = source.code()[start + 2..].trim_start();
    let name = leading_name(after.strip_prefix('$').unwrap_or(after));
    if name.is_empty() {
        return None;
    }
    let open = source.find_outside_brackets(start, b"{;")?;
    if source.code().as_bytes()[open] == b';' {
        return None;
    }
    let (line, end) = (source.line_of(start), source.closing(open)?);
    Some(Function { name, line, lines: source.line_of(end) - line + 1, body: open..=end })
}

#[cfg(test)]
mod tests {
    use super::{check, functions};
    use crate::tidy::source::Source;
    use crate::tidy::tree::Tree;

    fn found(text: &str) -> Vec<String> {
        check(&Tree::planted(&[("xtask/src/a.rs", text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_over_800_lines_is_found() {
        assert!(found(&"//! a\n".repeat(800)).is_empty());
        let broken = found(&"//! a\n".repeat(801));
        assert_eq!(broken, ["xtask/src/a.rs:801: 801 lines, 800 at most: split it by what its parts know"]);
    }

    #[test]
    fn a_function_over_70_lines_is_found() {
        let function = |lines: usize| {
            format!("\n    fn long(a: [u8; 2]) {{\n{}    }}\n", "    a();\n".repeat(lines - 2))
        };
        assert!(found(&function(70)).is_empty());
        assert_eq!(
            found(&function(71)),
            ["xtask/src/a.rs:2: fn long has 71 lines, 70 at most: name its steps"]
        );
    }

    #[test]
    fn braces_in_literals_and_comments_do_not_count() {
        let text = "fn a<'x>(c: char) -> bool {\n  // {\n  c == '{' || \"{\" == r#\"{\"#\n}\nfn b() {}\n";
        let source = Source::new(text.to_owned());
        let seen: Vec<_> =
            functions(&source).iter().map(|function| (function.name, function.lines)).collect();
        assert_eq!(seen, [("a", 4), ("b", 1)]);
    }

    #[test]
    fn declarations_and_pointer_types_have_no_length() {
        let source = Source::new("trait T { fn a(&self); }\ntype P = fn(u8) -> u8;\n".to_owned());
        assert!(functions(&source).is_empty());
    }

    #[test]
    fn a_function_that_a_macro_names_is_measured() {
        let source = Source::new("macro_rules! m { ($n:ident) => { fn $n() {\n\n} } }".to_owned());
        assert_eq!(functions(&source)[0].lines, 3);
    }
}
