//! `cargo xtask web`: builds the pages in `web` into `web/dist`, which is committed, so that building the executable
//! needs no Node. `web check`, part of `lint`, runs the checks of the source and compares the committed build with a
//! fresh one. `web browse [WALK …]`, part of `test`, runs the browser tests against exchanges that it starts; `web firefox`, part of
//! `test --long`, runs them in a second browser. `web pictures` takes pictures of every page, and `web slow-phone` prints
//! how soon a page can be read on a slow phone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::process::{cargo, root, run as execute};
use crate::test::SELECTION;
use crate::{demo, install, node};

/// Relative to the root.
pub(crate) const FOLDER: &str = "web";
const BUILT: &str = "web/dist";
/// The variable with the executable's path for the browser tests. Cargo puts examples into a folder beside it.
pub(crate) const EXECUTABLE: &str = "BELLWETHER";
const WORDS: &str = "`check`, `browse`, `firefox`, `pictures`, `slow-phone`";
/// Writes the past that one of the browser tests needs.
const EXAMPLE: &str = "pushed_series";

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => build(),
        ["check"] => check(),
        ["browse", ref chosen @ ..] => browse(chosen),
        ["firefox"] => firefox(),
        ["pictures"] => pictures(),
        ["slow-phone"] => execute(walks()?.args(["--", "slow-phone"])),
        _ => Err(format!("takes {WORDS} or nothing, but got `{}`", arguments.join(" "))),
    }
}

fn build() -> Result<(), String> {
    install::npm_packages(FOLDER)?;
    execute(npm()?.args(["run", "build"]))
}

/// Checks types and unit tests, and that the committed build matches the source.
pub(crate) fn check() -> Result<(), String> {
    install::npm_packages(FOLDER)?;
    execute(npm()?.args(["run", "check"]))?;
    let fresh = demo::target()?.join("web");
    execute(npm()?.args(["run", "build", "--", "--emptyOutDir", "--outDir"]).arg(&fresh))?;
    let failed = |error: io::Error| format!("the two builds cannot be compared: {error}");
    let committed = contents(&root().join(BUILT)).map_err(failed)?;
    let found = differences(&committed, &contents(&fresh).map_err(failed)?);
    if found.is_empty() {
        return Ok(());
    }
    found.iter().for_each(|difference| println!("    {difference}"));
    Err(format!("{BUILT} is not what its source gives; run `cargo xtask web` and commit what it changes"))
}

/// Runs the browser tests against the executable, or those whose names contain one of the words.
fn browse(chosen: &[&str]) -> Result<(), String> {
    execute(walks()?.arg("--").args(chosen))
}

/// Runs those browser tests in Firefox that it can do over WebDriver BiDi.
pub(crate) fn firefox() -> Result<(), String> {
    install::firefox()?;
    execute(walks()?.env("BROWSER", "firefox"))
}

/// Takes pictures of every page and state, in both themes and three widths.
fn pictures() -> Result<(), String> {
    let folder = demo::target()?.join("pictures");
    execute(walks()?.args(["--", "screenshots"]).env("SCREENSHOTS", &folder))?;
    println!("    pictures in {}", folder.display());
    Ok(())
}

/// The browser tests, with everything that they need.
fn walks() -> Result<Command, String> {
    install::browser()?;
    build_executable()?;
    let mut command = npm()?;
    command.args(["run", "test:browser"]).env(EXECUTABLE, demo::executable()?);
    Ok(command)
}

/// Builds the executable under test with the features of the whole workspace: in `test` it has been built already.
pub(crate) fn build_executable() -> Result<(), String> {
    let chosen = ["--bin", "bellwether", "--example", EXAMPLE];
    execute(&mut cargo(["build", "--locked", "--quiet"].into_iter().chain(SELECTION).chain(chosen)))
}

fn npm() -> Result<Command, String> {
    node::npm(&root().join(FOLDER))
}

type Contents = BTreeMap<PathBuf, Vec<u8>>;

/// Every file of a folder, by relative path.
fn contents(folder: &Path) -> io::Result<Contents> {
    let mut found = Contents::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inside))? {
            let entry = entry?;
            let path = inside.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                found.insert(path, fs::read(entry.path())?);
            }
        }
    }
    Ok(found)
}

/// Files that are in only one of them, and files that differ.
fn differences(committed: &Contents, fresh: &Contents) -> Vec<String> {
    let told = |path: &Path, what: &str| format!("{BUILT}/{}: {what}", path.display());
    let mut found: Vec<String> = committed
        .iter()
        .filter_map(|(path, bytes)| match fresh.get(path) {
            None => Some(told(path, "the source does not give it")),
            Some(other) if other != bytes => Some(told(path, "the source gives another")),
            Some(_) => None,
        })
        .collect();
    let missing = fresh.keys().filter(|path| !committed.contains_key(*path));
    found.extend(missing.map(|path| told(path, "is missing")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Contents {
        files.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_mistyped_word_is_refused_by_name() {
        assert!(run(&["chekc".to_owned()]).unwrap_err().contains("`chekc`"));
        assert!(run(&["check".to_owned(), "now".to_owned()]).unwrap_err().contains("`check now`"));
    }

    #[test]
    fn every_file_that_differs_is_named() {
        let committed = of(&[("index.html", "a"), ("assets/old.js", "b"), ("assets/same.js", "c")]);
        let fresh = of(&[("index.html", "A"), ("assets/new.js", "b"), ("assets/same.js", "c")]);
        assert_eq!(
            differences(&committed, &fresh),
            [
                "web/dist/assets/old.js: the source does not give it",
                "web/dist/index.html: the source gives another",
                "web/dist/assets/new.js: is missing",
            ]
        );
        assert!(differences(&fresh, &fresh).is_empty());
    }

    #[test]
    fn a_folder_is_read_with_all_its_files() {
        let folder = std::env::temp_dir().join(format!("bellwether-web-{}", std::process::id()));
        fs::create_dir_all(folder.join("assets/deep")).unwrap();
        fs::write(folder.join("index.html"), "a").unwrap();
        fs::write(folder.join("assets/deep/b.js"), "b").unwrap();
        assert_eq!(contents(&folder).unwrap(), of(&[("index.html", "a"), ("assets/deep/b.js", "b")]));
        fs::remove_dir_all(&folder).unwrap();
        assert!(contents(&folder).is_err());
    }
}
