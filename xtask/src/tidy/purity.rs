//! Rule: the same journal gives the same state everywhere, so `crates/exchange/src` uses nothing that could differ
//! between two runs: no floats, clocks, randomness, threads, I/O or randomly seeded collections.
//!
//! `crates/exchange/clippy.toml` refuses much of this by type. This rule also covers imports, tokens and test modules.

use std::collections::BTreeSet;

use super::Violation;
use super::imports::imports;
use super::source::{Source, is_name_byte};
use super::tree::Tree;

const PLACE: &str = "crates/exchange/src/";

const TIME: &str = "time is `at` and comes with the frame";
const ORDER: &str =
    "seeded at random: hashbrown with a fixed hasher for look-ups, BTreeMap where order shows";
const OUTSIDE: &str = "the rules do no I/O and know no machine";

/// Paths refused with everything below them, whether written out or imported.
const PATHS: &[(&str, &str)] = &[
    ("rand", "randomness comes with the command"),
    ("std::collections::HashMap", ORDER),
    ("std::collections::HashSet", ORDER),
    ("std::collections::hash_map", ORDER),
    ("std::collections::hash_set", ORDER),
    ("std::env", OUTSIDE),
    ("std::fs", OUTSIDE),
    ("std::io", OUTSIDE),
    ("std::net", OUTSIDE),
    ("std::process", OUTSIDE),
    ("std::thread", "one writer applies the rules"),
    ("std::time", TIME),
];

/// Refused as words, anywhere.
const WORDS: &[(&str, &str)] =
    &[("Instant", TIME), ("SystemTime", TIME), ("async", "the rules wait for nothing")];

const FLOATS: &[&str] = &["f32", "f64"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, source) in tree.sources().filter(|(path, _)| path.starts_with(PLACE)) {
        // A set: an import is found both as an import and as a written path.
        let mut found = BTreeSet::new();
        find_paths(source, &mut found);
        find_words(source, &mut found);
        violations.extend(found.into_iter().map(|(line, what)| Violation::new(path, line, what)));
    }
    violations
}

fn find_paths(source: &Source, found: &mut BTreeSet<(usize, String)>) {
    let imports = imports(source);
    for (refused, why) in PATHS {
        for at in source.find(refused) {
            found.insert((source.line_of(at), format!("`{refused}`: {why}")));
        }
        for (at, _) in imports.iter().filter(|(_, import)| reaches(import, refused)) {
            found.insert((source.line_of(*at), format!("`{refused}`: {why}")));
        }
    }
}

/// Whether the import is the refused path, is below it, or is a `*` that includes it.
fn reaches(import: &str, refused: &str) -> bool {
    let is_below = import.strip_prefix(refused).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let brings_in =
        import.strip_suffix('*').is_some_and(|stem| stem.ends_with("::") && refused.starts_with(stem));
    is_below || brings_in
}

fn find_words(source: &Source, found: &mut BTreeSet<(usize, String)>) {
    for (word, why) in WORDS {
        for at in source.find(word) {
            found.insert((source.line_of(at), format!("`{word}`: {why}")));
        }
    }
    for float in FLOATS {
        for at in find_float(source.code(), float) {
            found.insert((source.line_of(at), format!("`{float}`: money, shares and prices are integers")));
        }
    }
}

/// Also finds it as a suffix of a number or a method: `1f64`, `1.5_f64`, `as_secs_f64`.
fn find_float(code: &str, float: &str) -> Vec<usize> {
    let bytes = code.as_bytes();
    let is_free = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at + float.len());
        !before.is_some_and(|byte| byte.is_ascii_alphabetic())
            && !after.is_some_and(|byte| is_name_byte(*byte))
    };
    code.match_indices(float).map(|(at, _)| at).filter(|at| is_free(*at)).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(text: &str) -> Vec<(usize, String)> {
        let violations = check(&Tree::planted(&[("crates/exchange/src/a.rs", text)]));
        let name = |what: &str| what.split('`').nth(1).unwrap().to_owned();
        violations.iter().map(|violation| (violation.line, name(&violation.what))).collect()
    }

    fn names(text: &str) -> Vec<String> {
        found(text).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn floats_are_found_in_types_suffixes_and_methods() {
        assert_eq!(names("fn a(x: f64) {}"), ["f64"]);
        assert_eq!(names("let x = 1f32;"), ["f32"]);
        assert_eq!(names("let x = 1.5_f64;"), ["f64"]);
        assert_eq!(names("x.as_secs_f64()"), ["f64"]);
        assert!(names("let buf64 = 1; let f640 = 2;").is_empty());
    }

    #[test]
    fn std_collections_seeded_at_random_are_found() {
        assert_eq!(names("use std::collections::HashMap;"), ["std::collections::HashMap"]);
        assert_eq!(names("use std::collections::{BTreeMap, HashSet};"), ["std::collections::HashSet"]);
        assert_eq!(names("use std::{collections::{HashMap}};"), ["std::collections::HashMap"]);
        assert_eq!(names("fn a() { std::collections::HashMap::new() }"), ["std::collections::HashMap"]);
        assert_eq!(names("use std::collections::*;").len(), 4);
        assert!(names("use std::collections::BTreeMap;\nuse hashbrown::HashMap;").is_empty());
    }

    #[test]
    fn clocks_randomness_threads_and_io_are_found() {
        assert_eq!(names("use std::time::Duration;"), ["std::time"]);
        assert_eq!(names("fn a(at: SystemTime, b: Instant) {}"), ["Instant", "SystemTime"]);
        assert_eq!(names("use rand::Rng;"), ["rand"]);
        assert_eq!(names("use std::{fs::File, net, thread};"), ["std::fs", "std::net", "std::thread"]);
        assert_eq!(names("std::env::var(x)"), ["std::env"]);
        assert_eq!(names("async fn a() {}"), ["async"]);
    }

    #[test]
    fn each_is_named_once_with_its_line() {
        assert_eq!(found("\n\nuse std::fs;\n"), [(3, "std::fs".to_owned())]);
    }

    #[test]
    fn comments_strings_and_other_crates_are_free() {
        assert!(names("// f64 and std::time\nconst A: &str = \"rand\"; fn operand() {}").is_empty());
        assert!(check(&Tree::planted(&[("crates/server/src/a.rs", "use std::time::Instant;")])).is_empty());
    }
}
