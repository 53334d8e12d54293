//! npm with a Node version that can build the pages. If the machine's Node is too old, a newer one is fetched as an npm
//! package, at a fixed version, into the target folder.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{output, root, run as execute, succeeds};
use crate::{demo, install};

/// Major and minor.
pub(crate) type Version = (u32, u32);

/// Equal to `engines` in `web/package.json` and `sdk/typescript/package.json`.
pub(crate) const NEEDED: Version = (20, 19);
const FETCHED: &str = "22.23.3";

/// npm, started in `folder`, with a Node that can build the pages.
pub(crate) fn npm(folder: &Path) -> Result<Command, String> {
    npm_with(NEEDED, folder)
}

/// npm, started in `folder`, with a Node of at least this version.
pub(crate) fn npm_with(needed: Version, folder: &Path) -> Result<Command, String> {
    // Node may not come from Debian, and then npm came with it.
    if !succeeds(Command::new("npm").arg("--version")) {
        install::install_debian_packages(&["npm"])?;
    }
    let mut command = Command::new("npm");
    command.current_dir(folder);
    if !is_new_enough(&mut Command::new("node"), needed) {
        command.env("PATH", before_others(&fetched()?)?);
    }
    Ok(command)
}

/// The folder of the fetched Node.
fn fetched() -> Result<PathBuf, String> {
    let machine = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => {
            return Err(format!(
                "Node {}.{} or newer is needed, and none is known for {other}",
                NEEDED.0, NEEDED.1
            ));
        }
    };
    let (place, package) = (demo::target()?.join("node"), format!("node-linux-{machine}"));
    let folder = place.join("node_modules").join(&package).join("bin");
    let version = parsed(&format!("v{FETCHED}")).unwrap_or(NEEDED);
    if !is_new_enough(&mut Command::new(folder.join("node")), version) {
        let install = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix"];
        let wanted = format!("{package}@{FETCHED}");
        execute(Command::new("npm").args(install).arg(&place).arg(wanted).current_dir(root()))?;
    }
    Ok(folder)
}

fn before_others(folder: &Path) -> Result<std::ffi::OsString, String> {
    let others = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(env::split_paths(&others));
    env::join_paths(all).map_err(|error| format!("{} cannot be searched: {error}", folder.display()))
}

fn is_new_enough(node: &mut Command, needed: Version) -> bool {
    output(node.arg("--version"))
        .and_then(|version| parsed(&version))
        .is_some_and(|version| version >= needed)
}

/// Major and minor of `v20.19.0`.
fn parsed(version: &str) -> Option<Version> {
    let mut numbers = version.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lighthouse, web};

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(parsed("v20.19.2\n"), Some((20, 19)));
        assert!(parsed("v18.20.4") < Some(NEEDED) && parsed("v20.9.0") < Some(NEEDED));
        assert!(parsed("v22.1.0") > Some(NEEDED));
        assert_eq!((parsed("20.19.2"), parsed("v20"), parsed("vx.y")), (None, None, None));
    }

    #[test]
    fn a_program_that_is_not_there_is_not_new_enough() {
        assert!(!is_new_enough(&mut Command::new("/nowhere/node"), NEEDED));
    }

    #[test]
    fn the_fetched_node_is_new_enough_for_the_pages() {
        assert!(parsed(&format!("v{FETCHED}")) >= Some(NEEDED));
        let package = std::fs::read_to_string(root().join(web::FOLDER).join("package.json")).unwrap();
        assert!(package.contains(&format!("\"node\": \">={}.{}\"", NEEDED.0, NEEDED.1)), "{package}");
    }

    #[test]
    fn the_fetched_node_is_new_enough_for_lighthouse() {
        let needed = lighthouse::NODE;
        assert!(parsed(&format!("v{FETCHED}")) >= Some(needed));
        let package = std::fs::read_to_string(root().join(lighthouse::FOLDER).join("package.json")).unwrap();
        assert!(package.contains(&format!("\"node\": \">={}.{}\"", needed.0, needed.1)), "{package}");
    }

    #[test]
    fn the_fetched_one_is_found_first() {
        let all = before_others(Path::new("/fetched/bin")).unwrap();
        assert_eq!(env::split_paths(&all).next(), Some(PathBuf::from("/fetched/bin")));
    }
}
