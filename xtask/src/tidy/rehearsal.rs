//! Rule: only `crates/sandbox` rehearses. A venue that draws its secrets from a seed, runs on a clock that a program moves,
//! accepts test keys or does not sync its journal protects no one, so nothing else uses the words that make one.

use super::Violation;
use super::tree::Tree;

const SANDBOX: &str = "crates/sandbox/";
/// The reserved words, each with the files that may have it.
const RESERVED: &[(&str, &[&str])] = &[
    ("without_first_commands", &["crates/server/src/node/builder.rs"]),
    ("rehearsal(", &["crates/server/src/node/builder.rs"]),
    ("lock_rehearsal", &["crates/server/src/folder.rs"]),
    ("seed_process", &["crates/server/src/randomness.rs"]),
    ("KeyKind::Test", &["crates/api/src/signing/key.rs", "crates/server/src/node/builder.rs"]),
    // A demo that is being created is not synced either.
    ("unsynced::Unsynced", &["crates/journal/src/unsynced.rs", "crates/cli/src/demo/making.rs"]),
];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, source) in tree.sources().filter(|(path, _)| !path.starts_with(SANDBOX)) {
        for (name, homes) in RESERVED.iter().filter(|(_, homes)| !homes.contains(&path)) {
            let found = source.find(name).into_iter().map(|at| source.line_of(at));
            let what = || format!("`{name}` of {}: only {SANDBOX} rehearses", homes[0]);
            violations.extend(found.map(|line| Violation::new(path, line, what())));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Tree::planted(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_venue_does_not_rehearse() {
        let planted = found("crates/cli/src/service.rs", "fn a() {\n    builder.rehearsal(clock);\n}\n");
        assert_eq!(planted.len(), 1, "{planted:?}");
        assert!(planted[0].starts_with("crates/cli/src/service.rs:2:"), "{planted:?}");
        assert_eq!(found("crates/cli/src/serve.rs", "use server::folder::lock_rehearsal;").len(), 1);
        for text in
            ["use randomness::seed_process;", "Keyring::new(m, KeyKind::Test)", "journal::unsynced::Unsynced"]
        {
            assert_eq!(found("crates/server/src/app.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn the_sandbox_and_the_homes_of_the_functions_may() {
        assert!(found("crates/sandbox/src/venue.rs", "builder.rehearsal(clock)").is_empty());
        assert!(
            found("crates/server/src/node/builder.rs", "pub fn rehearsal(self) { KeyKind::Test }").is_empty()
        );
        assert!(found("crates/cli/src/demo/making.rs", "use journal::unsynced::Unsynced;").is_empty());
    }
}
