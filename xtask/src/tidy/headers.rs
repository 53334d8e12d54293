//! Rule: every Rust file begins with a `//!` header that says what it holds.

use super::Violation;
use super::source::Source;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let bare = tree.sources().filter(|(_, source)| !begins_with_header(source));
    let what = "begin with a `//!` header: what the file holds, what it must not do, where to look next";
    bare.map(|(path, _)| Violation::new(path, 1, what)).collect()
}

fn begins_with_header(source: &Source) -> bool {
    let start = after_attributes(source);
    let header = source.text()[start..].trim_start().lines().next().and_then(|line| line.strip_prefix("//!"));
    header.is_some_and(|text| !text.trim().is_empty())
}

/// The offset after the file's inner attributes, `#![…]`.
fn after_attributes(source: &Source) -> usize {
    let mut start = 0;
    loop {
        let rest = &source.text()[start..];
        let attribute = start + rest.len() - rest.trim_start().len();
        if !source.text()[attribute..].starts_with("#![") {
            return start;
        }
        let Some(end) = source.closing(attribute + 2) else { return start };
        start = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn lines_broken(text: &str) -> Vec<usize> {
        check(&Tree::planted(&[("crates/a/tests/b.rs", text)]))
            .iter()
            .map(|violation| violation.line)
            .collect()
    }

    #[test]
    fn a_file_without_a_header_is_found() {
        assert_eq!(lines_broken("fn main() {}\n"), [1]);
        assert_eq!(lines_broken("// Not a header.\n//! Too late.\n"), [1]);
        assert_eq!(lines_broken("//!\nfn main() {}\n"), [1]);
        assert_eq!(lines_broken(""), [1]);
    }

    #[test]
    fn a_header_may_follow_attributes() {
        assert!(lines_broken("//! What it holds.\n").is_empty());
        assert!(
            lines_broken("#![no_std]\n\n#![cfg_attr(\n    test,\n    x = \"]\"\n)]\n//! What it holds.\n")
                .is_empty()
        );
    }
}
