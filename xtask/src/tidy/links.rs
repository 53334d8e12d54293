//! Rule: a relative link of a Markdown document leads to a file or folder that exists, and its fragment to a heading.

use super::Violation;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, text) in tree.documents() {
        for (line, target) in links(text) {
            if let Some(fault) = fault(tree, path, target) {
                violations.push(Violation::new(path, line, fault));
            }
        }
    }
    violations
}

/// The fault of a link, if it has one. Only relative links are checked.
fn fault(tree: &Tree, path: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let file = if file.is_empty() { path.to_owned() } else { resolve(path, file) };
    if !tree.exists(&file) {
        return Some(format!("no file for the link {target}"));
    }
    let is_heading = |line: &str| line.starts_with('#') && slug(line) == fragment;
    let has_heading = |text: &str| plain_lines(text).any(|(_, line)| is_heading(line));
    let is_broken = !fragment.is_empty() && tree.text(&file).is_some_and(|text| !has_heading(text));
    is_broken.then(|| format!("no heading for the link {target}"))
}

/// The target of every link with its line: `](target)`, or a definition `[label]: target`.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    plain_lines(text).flat_map(|(number, line)| {
        let inline = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        let defined = line.strip_prefix('[').and_then(|rest| Some(rest.split_once("]: ")?.1));
        inline.chain(defined).map(move |target| (number, target))
    })
}

/// The lines outside of fenced code, numbered from 1.
pub(super) fn plain_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// A path that is relative to a document's folder, from the root.
fn resolve(document: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in relative.trim_end_matches('/').split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// The fragment of a heading: lower case, hyphens for spaces, no other punctuation.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    const OTHER: &str = "# A title\n\n```sh\n# a comment\n```\n\n## What `it` costs, in all\n";

    fn found(text: &str) -> Vec<String> {
        let files = [("docs/a.md", text), ("docs/more/b.md", OTHER), ("crates/a/src/lib.rs", "")];
        check(&Tree::planted(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_to_files_folders_and_headings_are_right() {
        let text = "# Here\n[b](more/b.md) [b](more/b.md#what-it-costs-in-all) [here](#here) [code](../crates/a/)\n\
                    [out](https://example.org/#x)\n\n[`name`]: ../crates/a/src/lib.rs\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn a_link_to_a_file_that_is_gone_is_found() {
        assert_eq!(found("one\n[b](b.md)\n"), ["docs/a.md:2: no file for the link b.md"]);
        assert_eq!(found("[`b`]: ../b.rs\n"), ["docs/a.md:1: no file for the link ../b.rs"]);
    }

    #[test]
    fn a_link_to_a_heading_that_is_gone_is_found() {
        let broken = found("[b](more/b.md#a-comment) [here](#here)\n");
        let expected = [
            "docs/a.md:1: no heading for the link more/b.md#a-comment",
            "docs/a.md:1: no heading for the link #here",
        ];
        assert_eq!(broken, expected);
    }

    #[test]
    fn code_is_not_read() {
        assert!(found("```\n[b](b.md)\n```\n").is_empty());
    }
}
