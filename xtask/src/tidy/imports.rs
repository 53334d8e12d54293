//! The full paths that the `use` items of a file import, with groups expanded.

use super::source::Source;

/// Each path with the offset of its `use`.
pub(super) fn imports(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for at in source.find("use") {
        let Some(end) = source.code()[at..].find(';').map(|length| at + length) else { continue };
        let tree: String = source.code()[at + 3..end].split_whitespace().collect::<Vec<_>>().join(" ");
        // `use<'a>` is a list of captured lifetimes.
        if !tree.starts_with('<') {
            let mut paths = Vec::new();
            flatten("", &tree, &mut paths);
            found.extend(paths.into_iter().map(|path| (at, path)));
        }
    }
    found
}

fn flatten(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    for branch in split_outside_braces(tree) {
        let branch = branch.trim().trim_start_matches("::");
        match branch.split_once('{') {
            Some((stem, group)) => {
                let group = group.trim_end().strip_suffix('}').unwrap_or(group);
                flatten(&format!("{prefix}{stem}"), group, paths);
            }
            None if branch.is_empty() => {}
            None => {
                let path = branch.split(" as ").next().unwrap_or(branch).trim();
                paths.push(format!("{prefix}{path}").trim_end_matches("::self").to_owned());
            }
        }
    }
}

fn split_outside_braces(tree: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in tree.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::imports;
    use crate::tidy::source::Source;

    fn paths(text: &str) -> Vec<String> {
        imports(&Source::new(text.to_owned())).into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn groups_are_taken_apart() {
        let text = "use std::{\n    collections::{BTreeMap, HashMap as Map},\n    fs::{self, File},\n    time::*,\n};\n";
        let expected = [
            "std::collections::BTreeMap",
            "std::collections::HashMap",
            "std::fs",
            "std::fs::File",
            "std::time::*",
        ];
        assert_eq!(paths(text), expected);
    }

    #[test]
    fn plain_and_rooted_paths_are_themselves() {
        assert_eq!(paths("pub(crate) use a::b;\nuse ::c::d as e;\nuse f;"), ["a::b", "c::d", "f"]);
    }

    #[test]
    fn captured_lifetimes_are_no_import() {
        assert!(paths("fn a<'x>() -> impl T + use<'x> { b(); }").is_empty());
    }
}
