//! A Python with the packages of one requirements file, in a virtual environment under the target folder.
//!
//! It is created when it is missing, and again when the file names other versions. pip's configuration decides where
//! packages come from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install;
use crate::process::{run as execute, succeeds};

/// Debian packages with Python and virtual environments.
const DEBIAN_PACKAGES: &[&str] = &["python3", "python3-venv"];

/// The interpreter of the environment in `folder`, with everything in `requirements` installed.
pub(crate) fn environment(folder: &Path, requirements: &Path) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    let wanted = fs::read_to_string(requirements)
        .map_err(|error| format!("{} cannot be read: {error}", requirements.display()))?;
    if is_complete(folder, &wanted) && succeeds(Command::new(&python).arg("--version")) {
        return Ok(python);
    }
    install()?;
    execute(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    // Python compiles what it imports; pip would compile everything.
    let options = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--no-compile",
        "-r",
    ];
    execute(Command::new(&python).args(options).arg(requirements))?;
    fs::write(installed(folder), wanted)
        .map_err(|error| format!("{} cannot be written: {error}", folder.display()))?;
    Ok(python)
}

/// Installs Python with the modules for virtual environments, if they are missing.
pub(crate) fn install() -> Result<(), String> {
    // Debian has these modules in separate packages; other Python installations include them.
    match succeeds(Command::new("python3").args(["-c", "import ensurepip, venv"])) {
        true => Ok(()),
        false => install::install_debian_packages(DEBIAN_PACKAGES),
    }
}

/// The copy of the requirements is written last, so an interrupted installation does not count.
fn is_complete(folder: &Path, wanted: &str) -> bool {
    fs::read_to_string(installed(folder)).is_ok_and(|installed| installed == wanted)
}

fn installed(folder: &Path) -> PathBuf {
    folder.join("installed.txt")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{environment, installed, is_complete};

    /// A separate folder for each test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("bellwether-python-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn an_environment_counts_only_with_exactly_the_wanted_packages() {
        let folder = folder("complete");
        assert!(!is_complete(&folder, "a==1\n"));
        fs::write(installed(&folder), "a==1\n").unwrap();
        assert!(is_complete(&folder, "a==1\n"));
        assert!(!is_complete(&folder, "a==2\n"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_missing_list_of_packages_is_an_error_that_names_it() {
        let folder = folder("missing");
        let error = environment(&folder, &folder.join("requirements.txt")).unwrap_err();
        assert!(error.contains("requirements.txt"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
