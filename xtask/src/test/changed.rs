//! `cargo xtask test --changed`: the tests that depend on the files that differ from `main`, and those of the rules.
//!
//! A package's tests depend on its files and on those of every package that it depends on. What uses the executable from
//! outside, such as the browser tests, runs only when its own files differ: `cargo xtask test` runs the rest.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use super::report::Report;
use super::{Work, all, prepared, side_by_side};
use crate::parallel::Task;
use crate::process::{output, root};
use crate::tidy::Manifest;

/// They run always: every other test leans on the rules.
const RULES: [&str; 2] = ["crates/exchange", "crates/exchange/tests"];

/// Files on which everything depends.
const OF_EVERYTHING: &[&str] = &["Cargo.toml", "Cargo.lock", ".cargo/"];

/// Files of no package: the folders of the packages whose tests read them, and the task of this program that tests them.
const OUTSIDE: &[(&str, &[&str], Option<&str>)] = &[
    ("web/", &["crates/server", "crates/server/tests"], Some("web browse")),
    ("sdk/python/", &["crates/cli"], Some("sdk python")),
    ("sdk/typescript/", &["crates/cli"], Some("sdk typescript")),
    ("", &["crates/api/tests", "crates/guide", "crates/cli", "crates/server/tests", "xtask"], None),
];

/// A package of the workspace.
struct Package {
    folder: String,
    name: String,
    dependencies: Vec<String>,
}

/// The tests and tasks to run.
#[derive(Debug, PartialEq, Eq)]
enum Choice {
    Everything,
    Of { folders: BTreeSet<String>, tasks: BTreeSet<&'static str> },
}

pub(super) fn run() -> Result<(), String> {
    let packages = packages().map_err(|error| format!("the packages cannot be read: {error}"))?;
    let Choice::Of { folders, tasks } = choose(&differing()?, &packages) else { return all(false) };
    let mut report = Report::new();
    let executables = prepared(&mut report)?;
    let chosen = executables.iter().filter(|executable| folders.contains(&executable.package()));
    let mut work: Vec<Work> = chosen.map(|executable| Work::tests(executable, false)).collect();
    for task in &tasks {
        let words: Vec<String> = task.split(' ').map(str::to_owned).collect();
        work.push(Work::other(Task::of_this_program(&words)?));
    }
    side_by_side(&mut report, work)?;
    let shown: Vec<&str> = folders.iter().map(String::as_str).chain(tasks).collect();
    println!("==> chosen: {}; `cargo xtask test` runs everything", shown.join(", "));
    report.end(None, super::ONLY_LONG)
}

/// Paths that differ from `main`, also new ones, relative to the root.
fn differing() -> Result<Vec<String>, String> {
    let git = |words: &[&str]| {
        let said = output(Command::new("git").args(words).current_dir(root()));
        said.ok_or_else(|| format!("`git {}` failed: is there a branch `main`?", words.join(" ")))
    };
    let changed = git(&["diff", "--name-only", "main"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(changed.lines().chain(new.lines()).map(str::to_owned).collect())
}

fn packages() -> io::Result<Vec<Package>> {
    let mut folders = vec!["xtask".to_owned()];
    for entry in fs::read_dir(root().join("crates"))? {
        let folder = format!("crates/{}", entry?.file_name().to_string_lossy());
        let tests = format!("{folder}/tests");
        let has_package = root().join(&tests).join("Cargo.toml").exists();
        folders.extend(has_package.then_some(tests));
        folders.push(folder);
    }
    folders.into_iter().map(|folder| read(&root(), folder)).collect()
}

fn read(root: &Path, folder: String) -> io::Result<Package> {
    let manifest = Manifest::parse(&fs::read_to_string(root.join(&folder).join("Cargo.toml"))?);
    let dependencies = manifest.dependencies.into_iter().map(|dependency| dependency.package).collect();
    Ok(Package { folder, name: manifest.package, dependencies })
}

fn choose(paths: &[String], packages: &[Package]) -> Choice {
    if paths.iter().any(|path| OF_EVERYTHING.iter().any(|of| path.starts_with(of))) {
        return Choice::Everything;
    }
    let (mut folders, mut tasks) = (BTreeSet::from(RULES.map(str::to_owned)), BTreeSet::new());
    for path in paths {
        let owners = packages.iter().filter(|package| is_in(path, &package.folder));
        if let Some(owner) = owners.max_by_key(|package| package.folder.len()) {
            folders.extend(dependents(owner, packages));
            continue;
        }
        let (_, readers, task) =
            OUTSIDE.iter().find(|(of, ..)| path.starts_with(of)).expect("the last is for all");
        folders.extend(readers.iter().map(|folder| (*folder).to_owned()));
        tasks.extend(*task);
    }
    Choice::Of { folders, tasks }
}

fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The folders of a package and of all that depend on it.
fn dependents(package: &Package, packages: &[Package]) -> BTreeSet<String> {
    let mut found = BTreeSet::from([package.folder.clone()]);
    let mut names = vec![package.name.as_str()];
    while let Some(name) = names.pop() {
        for other in packages.iter().filter(|other| other.dependencies.iter().any(|on| on == name)) {
            if found.insert(other.folder.clone()) {
                names.push(&other.name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Choice, Package, RULES, choose, packages};

    fn workspace() -> Vec<Package> {
        let package = |folder: &str, name: &str, on: &[&str]| Package {
            folder: folder.to_owned(),
            name: name.to_owned(),
            dependencies: on.iter().map(|name| (*name).to_owned()).collect(),
        };
        vec![
            package("crates/exchange", "exchange", &[]),
            package("crates/exchange/tests", "exchange-tests", &["exchange"]),
            package("crates/server", "server", &["exchange"]),
            package("crates/server/tests", "server-tests", &["server"]),
            package("crates/lane", "lane", &[]),
        ]
    }

    fn chosen(paths: &[&str]) -> (Vec<String>, Vec<&'static str>) {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        match choose(&paths, &workspace()) {
            Choice::Everything => panic!("not everything depends on {paths:?}"),
            Choice::Of { folders, tasks } => (folders.into_iter().collect(), tasks.into_iter().collect()),
        }
    }

    #[test]
    fn a_file_of_a_package_chooses_all_that_depend_on_it() {
        let all = [&RULES[..], &["crates/server", "crates/server/tests"]].concat();
        assert_eq!(chosen(&["crates/exchange/src/lib.rs"]).0, all);
        assert_eq!(chosen(&["crates/server/src/lib.rs"]).0, all);
        assert_eq!(
            chosen(&["crates/server/tests/http/main.rs"]).0,
            [&RULES[..], &["crates/server/tests"]].concat()
        );
    }

    #[test]
    fn the_rules_are_always_chosen() {
        assert_eq!(chosen(&[]).0, RULES);
        assert_eq!(chosen(&["crates/lane/src/lib.rs"]).0, [&RULES[..], &["crates/lane"]].concat());
    }

    #[test]
    fn a_page_chooses_the_browser_and_a_document_its_readers() {
        assert_eq!(chosen(&["web/src/a.ts"]).1, ["web browse"]);
        assert!(chosen(&["docs/history.md"]).0.contains(&"crates/guide".to_owned()));
    }

    #[test]
    fn everything_depends_on_the_list_of_dependencies() {
        assert_eq!(choose(&["Cargo.lock".to_owned()], &workspace()), Choice::Everything);
    }

    #[test]
    fn every_package_of_the_workspace_is_known() {
        let names: Vec<String> =
            packages().expect("manifests").into_iter().map(|package| package.name).collect();
        for name in ["exchange", "exchange-tests", "server", "cli", "xtask"] {
            assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
        }
    }
}
