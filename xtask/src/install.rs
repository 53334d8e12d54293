//! Installs what the tests need besides the Rust toolchain.
//!
//! `cargo xtask test` installs the Debian packages in the lists below, most of them while the tests are built; `cargo xtask lint`
//! those of the build, because it compiles the tests. npm packages come from a `package-lock.json`; Python packages are
//! installed by `python.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::node::npm;
use crate::process::{output, root, run as execute, succeeds};
use crate::{python, web};

/// Debian packages that compiling the tests needs: a third-party client among them has a TLS client of its own.
const BUILD_PACKAGES: &[&str] = &["libssl-dev", "pkg-config"];

/// Debian packages that running the tests needs: programs for the signing examples, the database whose servers the tests start,
/// Patroni with the store of its leader key, the checker of the units in `deploy`, Prometheus with the checker of its rules, the
/// proxy of an example, and what plants a slow disk and a wrong clock.
const TEST_PACKAGES: &[&str] = &[
    "curl",
    "nodejs",
    "openssl",
    "python3",
    "postgresql",
    "patroni",
    "etcd-server",
    "prometheus",
    "systemd",
    "nginx",
    "strace",
    "libfaketime",
];

const LOCK_FILE: &str = "package-lock.json";

/// For the browser tests.
const BROWSER_PACKAGES: &[&str] = &["chromium-headless-shell"];

/// For the browser tests with `--long`.
const FIREFOX_PACKAGES: &[&str] = &["firefox-esr"];

/// For the trial of the packages.
const TRIAL_PACKAGES: &[&str] = &["debootstrap", "curl", "openssl"];

/// Installs what compiling the tests needs. Says at once if it, or what running them needs, can't be installed.
pub(crate) fn for_build() -> Result<(), String> {
    let wanted = [BUILD_PACKAGES, TEST_PACKAGES, BROWSER_PACKAGES].concat();
    let packages = missing(&wanted, is_debian_package_installed);
    if !packages.is_empty() && Privilege::of_this_process() == Privilege::None {
        return Err(needs_root(&packages));
    }
    debian_packages(BUILD_PACKAGES)
}

/// Installs what the tests of Rust need.
pub(crate) fn run() -> Result<(), String> {
    debian_packages(&[BUILD_PACKAGES, TEST_PACKAGES].concat())
}

/// Installs everything that a whole run needs, also what tasks that run side by side would install at the same time.
pub(crate) fn all() -> Result<(), String> {
    debian_packages(&[BUILD_PACKAGES, TEST_PACKAGES, BROWSER_PACKAGES].concat())?;
    python::install()?;
    npm_packages(web::FOLDER)
}

/// Installs the program that makes a clean Debian in a folder, and those that trade in it.
pub(crate) fn debootstrap() -> Result<(), String> {
    debian_packages(TRIAL_PACKAGES)
}

/// Installs a browser and its driver.
pub(crate) fn browser() -> Result<(), String> {
    chromium()?;
    npm_packages(web::FOLDER)
}

/// Installs the second browser.
pub(crate) fn firefox() -> Result<(), String> {
    debian_packages(FIREFOX_PACKAGES)
}

/// Installs a browser only.
pub(crate) fn chromium() -> Result<(), String> {
    debian_packages(BROWSER_PACKAGES)
}

fn debian_packages(wanted: &[&str]) -> Result<(), String> {
    let packages = missing(wanted, is_debian_package_installed);
    if packages.is_empty() { Ok(()) } else { install_debian_packages(&packages) }
}

/// Installs the packages of a folder's `package-lock.json` if they are missing or the file has changed since. `folder` is
/// relative to the root.
pub(crate) fn npm_packages(folder: &str) -> Result<(), String> {
    npm_packages_with(folder, npm)
}

/// Like `npm_packages`, with the npm that the caller chooses.
pub(crate) fn npm_packages_with(
    folder: &str,
    npm: impl Fn(&Path) -> Result<Command, String>,
) -> Result<(), String> {
    let folder = root().join(folder);
    let unread = |error| format!("{}: {error}", folder.join(LOCK_FILE).display());
    let wanted = fs::read_to_string(folder.join(LOCK_FILE)).map_err(unread)?;
    if is_npm_folder_installed(&folder, &wanted) {
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock file written against a registry that has only the builds for one platform. This
    // installs the same versions with the same hashes, and changes neither file.
    let install = ["install", "--no-save", "--no-audit", "--no-fund"];
    execute(npm(&folder)?.args(install))?;
    fs::write(installed(&folder), wanted)
        .map_err(|error| format!("{} cannot be written: {error}", installed(&folder).display()))
}

/// How this process can become root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Privilege {
    Root,
    Sudo,
    None,
}

impl Privilege {
    fn of_this_process() -> Self {
        let is_root = output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
        // -n: a password prompt in the middle of a test run would look like a hang.
        let has_sudo = || succeeds(Command::new("sudo").args(["-n", "true"]));
        match () {
            () if is_root => Self::Root,
            () if has_sudo() => Self::Sudo,
            () => Self::None,
        }
    }
}

fn missing<'a>(wanted: &[&'a str], is_installed: impl Fn(&str) -> bool) -> Vec<&'a str> {
    wanted.iter().copied().filter(|name| !is_installed(name)).collect()
}

fn is_debian_package_installed(package: &str) -> bool {
    let status = output(Command::new("dpkg-query").args(["-W", "-f", "${db:Status-Abbrev}", package]));
    status.is_some_and(|status| means_installed(&status))
}

/// First letter: wanted. Second: state. `rc` is a removed package whose configuration is left.
fn means_installed(status: &str) -> bool {
    status.as_bytes().get(1) == Some(&b'i')
}

/// The copy of the lock file is written last, so an interrupted installation does not count.
fn is_npm_folder_installed(folder: &Path, wanted: &str) -> bool {
    fs::read_to_string(installed(folder)).is_ok_and(|installed| installed == wanted)
}

fn installed(folder: &Path) -> PathBuf {
    folder.join("node_modules/.installed-package-lock.json")
}

pub(crate) fn install_debian_packages(packages: &[&str]) -> Result<(), String> {
    println!("    missing: {}", packages.join(" "));
    let privilege = Privilege::of_this_process();
    let install = install_words(packages);
    let Some(mut command) = with_privilege(privilege, &install) else {
        return Err(needs_root(packages));
    };
    if execute(&mut command).is_ok() {
        return Ok(());
    }
    // On a fresh machine the list of packages is probably empty or old.
    for words in [vec!["apt-get", "update"], install] {
        let mut command = with_privilege(privilege, &words).ok_or_else(|| needs_root(packages))?;
        execute(&mut command)?;
    }
    Ok(())
}

fn install_words<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["apt-get", "install", "-y", "--no-install-recommends"];
    words.extend(packages);
    words
}

/// The command as root; none if this process cannot become root.
fn with_privilege(privilege: Privilege, words: &[&str]) -> Option<Command> {
    // `env` and not Command::env: sudo does not pass on environment variables by default.
    let prefix: &[&str] = match privilege {
        Privilege::Root => &["env", "DEBIAN_FRONTEND=noninteractive"],
        Privilege::Sudo => &["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive"],
        Privilege::None => return None,
    };
    let mut command = Command::new(prefix[0]);
    command.args(&prefix[1..]).args(words);
    Some(command)
}

fn needs_root(packages: &[&str]) -> String {
    format!(
        "the tests need {} and this user is neither root nor may use sudo without a password; run: sudo {}",
        packages.join(" "),
        install_words(packages).join(" ")
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{
        Privilege, installed, is_debian_package_installed, is_npm_folder_installed, means_installed, missing,
        needs_root, with_privilege,
    };

    fn shown(privilege: Privilege) -> Option<String> {
        let command = with_privilege(privilege, &["apt-get", "update"])?;
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        Some(words.map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn only_what_is_missing_is_installed() {
        assert_eq!(missing(&["a", "b", "c"], |name| name == "b"), ["a", "c"]);
        assert!(missing(&[], |_| false).is_empty());
    }

    #[test]
    fn a_removed_package_is_missing() {
        assert!(means_installed("ii "));
        assert!(means_installed("hi "), "a package held at its version is there");
        assert!(!means_installed("rc "));
        assert!(!means_installed("un "));
        assert!(!means_installed(""));
    }

    #[test]
    fn an_unknown_package_is_missing() {
        assert!(!is_debian_package_installed("bellwether-no-such-package"));
    }

    #[test]
    fn packages_of_npm_count_only_as_the_lock_file_has_them_now() {
        let folder = std::env::temp_dir().join(format!("bellwether-npm-{}", std::process::id()));
        fs::create_dir_all(folder.join("node_modules")).unwrap();
        assert!(!is_npm_folder_installed(&folder, "{}"));
        fs::write(installed(&folder), "{}").unwrap();
        assert!(is_npm_folder_installed(&folder, "{}"));
        assert!(!is_npm_folder_installed(&folder, "{\"a\": 1}"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn root_and_sudo_run_the_same_command() {
        let root = shown(Privilege::Root).unwrap();
        assert_eq!(root, "env DEBIAN_FRONTEND=noninteractive apt-get update");
        assert_eq!(shown(Privilege::Sudo).unwrap(), format!("sudo -n {root}"));
    }

    #[test]
    fn without_root_the_message_names_the_command_to_run() {
        assert_eq!(shown(Privilege::None), None);
        let message = needs_root(&["chromium"]);
        assert!(message.ends_with("sudo apt-get install -y --no-install-recommends chromium"), "{message}");
    }
}
