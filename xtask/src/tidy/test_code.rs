//! Finds code that exists only in tests: blocks under `#[cfg(test)]`, and the files of modules declared so.

use std::collections::BTreeSet;
use std::ops::Range;

use super::source::{Source, leading_name};
use super::tree::Tree;

/// Byte ranges of the file that are compiled only for tests.
pub(super) fn test_ranges(source: &Source) -> Vec<Range<usize>> {
    items(source).into_iter().map(|item| item.range).collect()
}

/// The files that are compiled only for tests.
pub(super) fn test_files(tree: &Tree) -> BTreeSet<&str> {
    let roots: Vec<String> = tree
        .sources()
        .flat_map(|(path, source)| {
            let modules = items(source).into_iter().filter_map(|item| item.module);
            modules.map(|name| format!("{}{name}", folder_of_modules(path))).collect::<Vec<_>>()
        })
        .collect();
    let is_root = |path: &str| {
        roots.iter().any(|root| {
            path.strip_prefix(root.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    };
    let says_so = |source: &Source| source.code().trim_start().starts_with("#![cfg(test)]");
    tree.sources().filter(|(path, source)| is_root(path) || says_so(source)).map(|(path, _)| path).collect()
}

/// The folder, with a trailing slash, where `mod name;` in this file looks for `name`.
fn folder_of_modules(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match file {
        "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/"),
        _ => format!("{folder}/{}/", file.trim_end_matches(".rs")),
    }
}

struct Item<'a> {
    range: Range<usize>,
    /// The name, if the item is a module in its own file.
    module: Option<&'a str>,
}

fn items(source: &Source) -> Vec<Item<'_>> {
    source.find("#[cfg(").into_iter().filter_map(|start| item(source, start)).collect()
}

/// The item under the attribute at `start`, if the attribute restricts it to tests.
fn item(source: &Source, start: usize) -> Option<Item<'_>> {
    let code = source.code();
    let attribute_end = source.closing(start + 1)?;
    if !means_test_only(&code[start + "#[cfg(".len()..attribute_end]) {
        return None;
    }
    let mut at = attribute_end + 1;
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        if !code[at..].starts_with("#[") {
            break;
        }
        at = source.closing(at + 1)? + 1;
    }
    let end = source.find_outside_brackets(at, b"{;")?;
    if code.as_bytes()[end] == b'{' {
        return Some(Item { range: start..source.closing(end)? + 1, module: None });
    }
    let module = source.code()[at..end].split_once("mod ").map(|(_, name)| leading_name(name));
    Some(Item { range: start..end + 1, module })
}

/// `test)` or `all(test, …))`. Conditions that can hold outside tests, such as `any(test, …)`, do not count.
fn means_test_only(condition: &str) -> bool {
    let condition = condition.trim();
    condition == "test)" || condition.starts_with("all(test,")
}

#[cfg(test)]
mod tests {
    use super::{test_files, test_ranges};
    use crate::tidy::source::Source;
    use crate::tidy::tree::Tree;

    fn covered(text: &str) -> Vec<String> {
        let source = Source::new(text.to_owned());
        test_ranges(&source).into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn a_test_block_ends_at_its_brace() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests { fn b() { \"}\"; } }\nfn c() {}\n";
        assert_eq!(covered(text), ["#[cfg(test)]\n#[allow(x)]\nmod tests { fn b() { \"}\"; } }"]);
    }

    #[test]
    fn only_what_needs_a_test_build_counts() {
        assert_eq!(covered("#[cfg(all(test, unix))] fn a() {}").len(), 1);
        assert!(covered("#[cfg(not(test))] fn a() {}").is_empty());
        assert!(covered("#[cfg(any(test, unix))] fn a() {}").is_empty());
    }

    #[test]
    fn the_files_of_test_modules_are_test_files() {
        let tree = Tree::planted(&[
            ("c/src/lib.rs", "#[cfg(test)] mod check;\nmod book;"),
            ("c/src/check.rs", ""),
            ("c/src/check/deep.rs", ""),
            ("c/src/checked.rs", ""),
            ("c/src/book.rs", "#[cfg(test)]\nmod naive;"),
            ("c/src/book/naive.rs", ""),
            ("c/src/book/level.rs", ""),
            ("c/src/marked.rs", "//! Only for tests.\n#![cfg(test)]\n"),
        ]);
        let files: Vec<_> = test_files(&tree).into_iter().collect();
        assert_eq!(
            files,
            ["c/src/book/naive.rs", "c/src/check.rs", "c/src/check/deep.rs", "c/src/marked.rs"]
        );
    }
}
