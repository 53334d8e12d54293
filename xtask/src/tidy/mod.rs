//! `cargo xtask tidy`: the house rules as code.
//!
//! A rule is a function from the tree to its violations, one file each, tested with a planted violation. The rules read
//! text and have no type information: what needs types is left to the compiler and to clippy.

mod architecture;
mod circles;
mod decisions;
mod dependencies;
mod faults;
mod golden_thread;
mod hash_iteration;
mod headers;
mod imports;
mod layers;
mod leftovers;
mod length;
mod links;
mod lock_files;
mod manifest;
mod openings;
mod own_writes;
mod packages;
mod panics;
mod placeholders;
mod purity;
mod rehearsal;
mod service_fields;
mod sleeps;
mod source;
mod test_code;
mod tree;

pub(crate) use manifest::Manifest;

use std::fmt;

use crate::process::root;
use tree::Tree;

/// One violation of a rule.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    path: String,
    line: usize,
    what: String,
}

impl Violation {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.what)
    }
}

const RULES: &[fn(&Tree) -> Vec<Violation>] = &[
    headers::check,
    length::check,
    leftovers::check,
    lock_files::check,
    purity::check,
    rehearsal::check,
    panics::check,
    hash_iteration::check,
    dependencies::check,
    golden_thread::check,
    architecture::check,
    layers::check,
    circles::check,
    service_fields::check,
    openings::check,
    own_writes::check,
    decisions::check,
    faults::check,
    links::check,
    packages::check,
    placeholders::check,
    sleeps::check,
];

pub(crate) fn run() -> Result<(), String> {
    let violations = check_this_tree()?;
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        count => Err(format!("{count} found, each named above")),
    }
}

fn check_this_tree() -> Result<Vec<Violation>, String> {
    let tree = Tree::read(&root()).map_err(|error| format!("cannot read the tree: {error}"))?;
    let mut violations: Vec<_> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    violations.sort_by(|a, b| (&a.path, a.line, &a.what).cmp(&(&b.path, b.line, &b.what)));
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use super::{Violation, check_this_tree};

    #[test]
    fn tidy_finds_nothing_in_this_tree() {
        let violations = check_this_tree().unwrap();
        let shown: Vec<_> = violations.iter().map(ToString::to_string).collect();
        assert!(shown.is_empty(), "\n{}\n", shown.join("\n"));
    }

    #[test]
    fn a_violation_reads_as_a_place_and_a_reason() {
        assert_eq!(Violation::new("a.rs", 3, "too long").to_string(), "a.rs:3: too long");
    }
}
