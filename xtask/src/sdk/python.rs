//! The Python client library in `sdk/python`.
//!
//! The tests import the package that was built and installed, never the source folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use super::Cuts;
use crate::process::{root, run as execute};
use crate::web::{EXECUTABLE, build_executable};
use crate::{demo, python};

/// Relative to the root.
const FOLDER: &str = "sdk/python";
/// Versions of everything that the checks and tests need.
const REQUIREMENTS: &str = "requirements-test.txt";

pub(super) fn test(chosen: &Cuts) -> Result<(), String> {
    let source = root().join(FOLDER);
    let target = demo::target()?.join(FOLDER);
    let python = python::environment(&target.join("environment"), &source.join(REQUIREMENTS))?;
    check(&python, &source, &target)?;
    let wheel = build(&python, &source, &target.join("dist"))?;
    let options_of_pip =
        ["install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--force-reinstall"];
    execute(module(&python, "pip", &source).args(options_of_pip).arg(wheel))?;
    build_executable()?;
    execute(module(&python, "pytest", &source).args(options(chosen)).env(EXECUTABLE, demo::executable()?))
}

/// Arguments for pytest.
fn options(chosen: &Cuts) -> Vec<String> {
    let given = [("--cuts", &chosen.cuts), ("--seed", &chosen.seed)];
    given.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?))).collect()
}

/// Style and types of the package, its tests and examples.
fn check(python: &Path, source: &Path, target: &Path) -> Result<(), String> {
    let ruff_cache = target.join("ruff");
    for words in [&["check", "--quiet"][..], &["format", "--quiet", "--check"]] {
        execute(module(python, "ruff", source).args(words).arg("--cache-dir").arg(&ruff_cache))?;
    }
    execute(module(python, "mypy", source).arg("--cache-dir").arg(target.join("mypy")))
}

/// Builds the packages for publishing, and returns the path of the wheel.
fn build(python: &Path, source: &Path, packages: &Path) -> Result<PathBuf, String> {
    let failed = |error: io::Error| format!("{}: {error}", packages.display());
    // Packages of earlier versions would be installed instead.
    if packages.exists() {
        fs::remove_dir_all(packages).map_err(failed)?;
    }
    execute(module(python, "build", source).args(["--no-isolation", "--outdir"]).arg(packages))?;
    let built = fs::read_dir(packages).map_err(failed)?;
    let paths = built.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    wheel_of(&paths.map_err(failed)?).ok_or_else(|| format!("{} has no wheel", packages.display()))
}

/// The wheel among the packages.
fn wheel_of(packages: &[PathBuf]) -> Option<PathBuf> {
    packages.iter().find(|path| path.extension() == Some(OsStr::new("whl"))).cloned()
}

/// A Python module as a command in the package's folder. It writes no bytecode there.
fn module(python: &Path, name: &str, source: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", name]).current_dir(source).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{options, wheel_of};
    use crate::sdk::Cuts;

    #[test]
    fn cuts_and_seed_go_to_the_tests() {
        let chosen = Cuts { cuts: Some("1000".to_owned()), seed: Some("7".to_owned()) };
        assert_eq!(options(&chosen), ["--cuts=1000", "--seed=7"]);
        assert!(options(&Cuts::default()).is_empty());
    }

    #[test]
    fn the_wheel_is_found_among_the_packages() {
        let packages = ["dist/a-1.tar.gz", "dist/a-1-py3-none-any.whl"].map(PathBuf::from);
        assert_eq!(wheel_of(&packages), Some(packages[1].clone()));
        assert_eq!(wheel_of(&packages[..1]), None);
    }
}
