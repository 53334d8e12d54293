//! Rule: the modules of the server are in layers, and imports between layers go down only.
//!
//! ARCHITECTURE.md has the table, in a fenced block named `layers`: a line for each layer from top to bottom, a name
//! and its top-level modules. The rule reads that block, so the picture and the check cannot differ. Modules of one
//! layer may import each other, but not in a circle (`circles.rs`).

use std::collections::BTreeMap;

use super::Violation;
use super::imports::imports;
use super::source::{Source, leading_name};
use super::test_code::test_ranges;
use super::tree::Tree;

const MAP: &str = "ARCHITECTURE.md";
const FENCE: &str = "```layers";
pub(super) const SERVER: &str = "crates/server/src/";

/// A module's layer: its place from the top, its name, and the line of the table.
struct Layer<'a> {
    place: usize,
    name: &'a str,
    line: usize,
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    if tree.source(&format!("{SERVER}lib.rs")).is_none() {
        return Vec::new();
    }
    let rows = tree.text(MAP).map(rows).unwrap_or_default();
    if rows.is_empty() {
        return vec![Violation::new(
            MAP,
            1,
            format!("layers: a block `{FENCE}` must list the server's layers"),
        )];
    }
    let mut violations = Vec::new();
    let layers = layers(&rows, &mut violations);
    for (module, layer) in &layers {
        let is_there = [format!("{SERVER}{module}.rs"), format!("{SERVER}{module}/mod.rs")];
        if !is_there.iter().any(|path| tree.source(path).is_some()) {
            violations.push(Violation::new(
                MAP,
                layer.line,
                format!("layers: no module `{module}` in {SERVER}"),
            ));
        }
    }
    for (path, source) in tree.sources() {
        let Some(module) = path.strip_prefix(SERVER).and_then(module_of) else { continue };
        let Some(layer) = layers.get(module) else {
            violations.push(Violation::new(path, 1, format!("layers: `{module}` is in no layer of {MAP}")));
            continue;
        };
        for (line, used) in used_modules(path, source) {
            if let Some(above) = layers.get(used).filter(|used| used.place < layer.place) {
                let what = format!(
                    "layers: `{}` must not use `crate::{used}` of `{}`, which is above it",
                    layer.name, above.name
                );
                violations.push(Violation::new(path, line, what));
            }
        }
    }
    violations
}

/// The lines of the block with their numbers.
fn rows(text: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(text.lines());
    let block = lines.skip_while(|(_, line)| line.trim() != FENCE).skip(1);
    block.take_while(|(_, line)| line.trim() != "```").filter(|(_, line)| !line.trim().is_empty()).collect()
}

/// The layer of each module. A module in two layers is a violation.
fn layers<'a>(rows: &[(usize, &'a str)], violations: &mut Vec<Violation>) -> BTreeMap<&'a str, Layer<'a>> {
    let mut layers = BTreeMap::new();
    for (place, (line, row)) in rows.iter().enumerate() {
        let mut words = row.split([' ', ',']).filter(|word| !word.is_empty());
        let name = words.next().unwrap_or_default();
        for module in words {
            if layers.insert(module, Layer { place, name, line: *line }).is_some() {
                violations.push(Violation::new(MAP, *line, format!("layers: `{module}` is in two layers")));
            }
        }
    }
    layers
}

/// The top-level module of a file, by its path inside `src/`.
pub(super) fn module_of(path: &str) -> Option<&str> {
    let module = path.split_once('/').map_or_else(|| path.trim_end_matches(".rs"), |(folder, _)| folder);
    (module != "lib").then_some(module)
}

/// The top-level modules that a file names, with the lines: by `crate::`, in `use` groups too, and by `super::` where
/// that leads to the root of the crate.
pub(super) fn used_modules<'a>(path: &str, source: &'a Source) -> Vec<(usize, &'a str)> {
    let code = source.code();
    let mut used = Vec::new();
    for at in source.find("crate::") {
        let rest = &code[at + "crate::".len()..];
        let name = leading_name(rest);
        if !name.is_empty() {
            used.push((source.line_of(at), name));
        }
    }
    for (at, imported) in imports(source) {
        // A group: `use crate::{a::b, c}`. The other form was found above.
        let is_group = code[at..].split([';', '{']).next().is_some_and(|stem| stem.ends_with("crate::"));
        let name = imported.strip_prefix("crate::").map(leading_name).filter(|_| is_group);
        // The name as it is in the source, which lives as long as the source.
        let found =
            name.and_then(|name| code[at..].find(name).map(|offset| &code[at + offset..][..name.len()]));
        used.extend(found.map(|name| (source.line_of(at), name)));
    }
    let depth = depth_of(path);
    let tests = test_ranges(source);
    for at in source.find("super::") {
        let is_first = !code[..at].ends_with("super::");
        let (mut rest, mut steps) = (&code[at..], 0);
        while let Some(above) = rest.strip_prefix("super::") {
            (rest, steps) = (above, steps + 1);
        }
        // A test module inside the file is one step deeper, so there the same path leads to the file itself.
        let in_test = tests.iter().any(|range| range.contains(&at));
        if is_first && steps == depth && !in_test {
            used.push((source.line_of(at), leading_name(rest)));
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}

/// How many steps of `super` lead from a file's module to the root of the crate.
fn depth_of(path: &str) -> usize {
    let inside = path.strip_prefix(SERVER).unwrap_or(path);
    inside.split('/').filter(|part| *part != "mod.rs").count()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    const TABLE: &str = "# Map\n```layers\nedge     http\nservice  reading\nstorage  history\n```\n";

    fn found(table: &str, files: &[(&str, &str)]) -> Vec<String> {
        let plain = [
            ("ARCHITECTURE.md", table),
            ("crates/server/src/lib.rs", "pub mod http;"),
            ("crates/server/src/http/mod.rs", "use crate::reading::Reading;"),
            ("crates/server/src/reading/mod.rs", "use crate::history::History;"),
            ("crates/server/src/history/mod.rs", ""),
        ];
        let kept = plain.iter().filter(|(path, _)| files.iter().all(|(other, _)| other != path));
        let all: Vec<_> = kept.chain(files).copied().collect();
        check(&Tree::planted(&all)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn imports_that_go_down_pass() {
        assert!(found(TABLE, &[]).is_empty());
    }

    #[test]
    fn an_upward_import_is_refused_on_its_line() {
        let upward = "//! Rows.\n\nuse crate::reading::Reading;\nfn a(b: &crate::http::Failure) {}\n";
        let expected = [
            "crates/server/src/history/rows.rs:3: layers: `storage` must not use `crate::reading` of `service`, which is above it",
            "crates/server/src/history/rows.rs:4: layers: `storage` must not use `crate::http` of `edge`, which is above it",
        ];
        assert_eq!(found(TABLE, &[("crates/server/src/history/rows.rs", upward)]), expected);
    }

    #[test]
    fn groups_and_super_hide_nothing() {
        let group = "use crate::{\n    history::{self, History},\n    http::{Failure, json},\n};\n";
        let refused = found(TABLE, &[("crates/server/src/reading/mod.rs", group)]);
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].contains("`crate::http` of `edge`"), "{refused:?}");
        let climbing = "use super::super::http::Failure;\nuse super::lists::List;\n";
        let refused = found(TABLE, &[("crates/server/src/reading/live_and_retired.rs", climbing)]);
        assert_eq!(refused.len(), 1, "{refused:?}");
        let in_root = "use super::http::Failure;\n";
        assert_eq!(found(TABLE, &[("crates/server/src/reading/mod.rs", in_root)]).len(), 1);
    }

    #[test]
    fn comments_strings_and_own_tests_are_no_imports() {
        let text = "// crate::http\nconst A: &str = \"crate::http\";\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n";
        assert!(found(TABLE, &[("crates/server/src/history/mod.rs", text)]).is_empty());
    }

    #[test]
    fn table_and_modules_must_agree() {
        let unlisted = found(TABLE, &[("crates/server/src/feeds.rs", "")]);
        assert_eq!(
            unlisted,
            ["crates/server/src/feeds.rs:1: layers: `feeds` is in no layer of ARCHITECTURE.md"]
        );
        let gone = found("```layers\nedge http, reading, web\nstorage history http\n```\n", &[]);
        let expected = [
            "ARCHITECTURE.md:3: layers: `http` is in two layers",
            "ARCHITECTURE.md:2: layers: no module `web` in crates/server/src/",
        ];
        assert!(expected.iter().all(|line| gone.iter().any(|found| found == line)), "{gone:?}");
        let none = found("# Map\n", &[]);
        assert_eq!(none, ["ARCHITECTURE.md:1: layers: a block ````layers` must list the server's layers"]);
    }
}
