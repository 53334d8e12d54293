//! Rule: dependencies between crates point one way.

use std::collections::BTreeSet;

use super::Violation;
use super::manifest::{Dependency, Kind, Manifest};
use super::tree::Tree;

/// Crates that depend on no other crate of the workspace.
const ALONE: &[(&str, &str)] = &[
    ("crates/exchange", "the rules know nothing around them"),
    ("crates/journal", "a journal does not know what its frames mean"),
    ("crates/segments", "a store does not know what its records mean"),
    ("crates/api", "the contract has neither rules nor I/O"),
    ("crates/guide", "the documents do not depend on the service"),
    ("crates/lane", "a transport does not know what it serves"),
    ("xtask", "automation must build when nothing else does"),
];

/// A crate of derives: a crate that depends on it alone is still alone.
const DERIVES: &str = "api-derives";

/// Crates that no crate depends on. The second field: tests may.
const LEAVES: &[(&str, bool)] = &[
    ("crates/bench", false),
    ("crates/fuzz", false),
    ("crates/patience", true),
    ("crates/pgtest", true),
    ("crates/sim", true),
    ("crates/stage", true),
    ("xtask", false),
];

/// Crates that the tests of any crate may use.
const FOR_TESTS: &[&str] = &["patience", "pgtest", "sim", "stage"];
/// Crates that are not shipped: benchmarks, fuzz targets, what tests share. They may use test crates as ordinary dependencies.
const NOT_SHIPPED: &[&str] = &["crates/bench", "crates/fuzz", "crates/pgtest", "crates/stage"];

/// Dependencies refused in `crates/exchange`, except in its tests.
const REFUSED_IN_EXCHANGE: &[(&str, &str)] = &[
    ("rand", "randomness comes with the command"),
    ("serde_json", "JSON belongs to crates/api"),
    ("tokio", "the rules are synchronous"),
];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let members = members(tree);
    let ours: BTreeSet<&str> = members.iter().map(|(_, manifest)| manifest.package.as_str()).collect();
    let mut violations = Vec::new();
    for (folder, manifest) in &members {
        let found = manifest.dependencies.iter().flat_map(|dependency| {
            let depended_on = members.iter().find(|(_, other)| other.package == dependency.package);
            let leaf = depended_on.and_then(|(target, _)| check_leaf(folder, target, dependency));
            let alone = check_alone(folder, dependency, &ours);
            let refused = check_exchange(folder, dependency);
            [leaf, alone, refused].into_iter().flatten().map(|what| (dependency.line, what))
        });
        let path = format!("{folder}/Cargo.toml");
        violations.extend(found.map(|(line, what)| Violation::new(&path, line, what)));
    }
    violations
}

/// Every workspace member: its folder and its manifest.
fn members(tree: &Tree) -> Vec<(&str, Manifest)> {
    let folders = tree.paths().filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let ours = folders.filter(|folder| {
        *folder == "xtask" || folder.strip_prefix("crates/").is_some_and(|name| !name.contains('/'))
    });
    ours.map(|folder| {
        let text = tree.text(&format!("{folder}/Cargo.toml")).unwrap_or_default();
        (folder, Manifest::parse(text))
    })
    .collect()
}

fn check_leaf(folder: &str, target: &str, dependency: &Dependency) -> Option<String> {
    let (_, tests_may) = LEAVES.iter().find(|(folder, _)| *folder == target)?;
    let allowed = *tests_may && (dependency.kind == Kind::Dev || NOT_SHIPPED.contains(&folder));
    let unless =
        if *tests_may { " except benchmarks and fuzz targets, or under [dev-dependencies]" } else { "" };
    (!allowed).then(|| format!("`{}`: nothing depends on {target}{unless}", dependency.package))
}

fn check_alone(folder: &str, dependency: &Dependency, ours: &BTreeSet<&str>) -> Option<String> {
    let (_, why) = ALONE.iter().find(|(alone, _)| *alone == folder)?;
    let package = dependency.package.as_str();
    // Tests of a crate may use test crates, and the crate itself with its feature `testing`; `check_leaf` refuses other
    // uses.
    let is_itself = folder.strip_prefix("crates/") == Some(package);
    let is_for_tests =
        dependency.kind == Kind::Dev && (is_itself || FOR_TESTS.contains(&package)) && folder != "xtask";
    let broken = ours.contains(package) && package != DERIVES && !is_for_tests;
    broken.then(|| format!("`{package}`: {folder} depends on no crate of ours: {why}"))
}

fn check_exchange(folder: &str, dependency: &Dependency) -> Option<String> {
    if folder != "crates/exchange" || dependency.kind == Kind::Dev {
        return None;
    }
    let (name, why) = REFUSED_IN_EXCHANGE.iter().find(|(name, _)| *name == dependency.package)?;
    Some(format!("`{name}`: {why}"))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(folder: &str, dependencies: &str) -> Vec<String> {
        let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}\n");
        let mut files: Vec<(String, String)> = [
            "exchange", "journal", "segments", "api", "guide", "lane", "server", "sim", "bench", "fuzz",
            "pgtest", "stage", "patience",
        ]
        .iter()
        .map(|name| (format!("crates/{name}/Cargo.toml"), manifest(name, "")))
        .collect();
        files.push(("xtask/Cargo.toml".to_owned(), manifest("xtask", "")));
        let path = format!("{folder}/Cargo.toml");
        let planted = files.iter_mut().find(|(other, _)| *other == path).unwrap();
        planted.1 = manifest(folder.rsplit('/').next().unwrap(), dependencies);
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        check(&Tree::planted(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_lowest_crates_depend_on_none_of_ours() {
        for folder in
            ["crates/exchange", "crates/journal", "crates/api", "crates/guide", "crates/lane", "xtask"]
        {
            let broken = found(folder, "[dependencies]\nserver.workspace = true");
            assert_eq!(broken.len(), 1, "{folder}");
            assert!(broken[0].starts_with(&format!("{folder}/Cargo.toml:4: `server`")), "{broken:?}");
        }
        assert!(
            found("crates/server", "[dependencies]\nexchange.workspace = true\napi.workspace = true")
                .is_empty()
        );
    }

    #[test]
    fn the_rules_cannot_name_a_runtime_json_or_randomness() {
        for package in ["tokio", "serde_json", "rand"] {
            assert_eq!(
                found("crates/exchange", &format!("[dependencies]\n{package} = \"1\"")).len(),
                1,
                "{package}"
            );
        }
        assert_eq!(
            found("crates/exchange", "[dependencies]\nx = { package = \"tokio\", version = \"1\" }").len(),
            1
        );
        assert!(found("crates/server", "[dependencies]\ntokio = \"1\"").is_empty());
    }

    #[test]
    fn no_crate_depends_on_a_leaf() {
        assert_eq!(found("crates/server", "[dependencies]\nbench.workspace = true").len(), 1);
        assert_eq!(found("crates/server", "[dev-dependencies]\nbench.workspace = true").len(), 1);
        assert_eq!(found("crates/server", "[dev-dependencies]\nfuzz.workspace = true").len(), 1);
        assert_eq!(found("crates/server", "[dependencies]\nsim.workspace = true").len(), 1);
        assert_eq!(found("crates/server", "[dev-dependencies]\nxtask.workspace = true").len(), 1);
    }

    #[test]
    fn a_test_may_use_the_simulator_and_a_database_of_its_own() {
        assert!(found("crates/journal", "[dev-dependencies]\npgtest.workspace = true").is_empty());
        assert!(found("crates/journal", "[dev-dependencies]\njournal = { path = \".\" }").is_empty());
        assert!(found("crates/bench", "[dependencies]\npgtest.workspace = true").is_empty());
        assert!(found("crates/fuzz", "[dependencies]\nsim.workspace = true").is_empty());
        assert!(found("crates/stage", "[dependencies]\npatience.workspace = true").is_empty());
        assert_eq!(found("crates/server", "[dependencies]\nstage.workspace = true").len(), 1);
        assert_eq!(found("crates/bench", "[dependencies]\nxtask.workspace = true").len(), 1);
        assert_eq!(found("crates/server", "[dependencies]\npgtest.workspace = true").len(), 1);
        assert!(found("crates/server", "[dev-dependencies]\nsim.workspace = true").is_empty());
        assert!(found("crates/exchange", "[dev-dependencies]\nsim.workspace = true").is_empty());
        assert_eq!(found("xtask", "[dev-dependencies]\nsim.workspace = true").len(), 1);
    }
}
