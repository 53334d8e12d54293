//! The TypeScript client library in `sdk/typescript`.
//!
//! The committed build in `dist` must be what its source gives: installing the folder needs no compiler. The tests import
//! that build, and pack and install it as a user does.

use super::{Cuts, variables};
use crate::process::{root, run as execute};
use crate::web::{EXECUTABLE, build_executable};
use crate::{demo, install, node};

/// Relative to the root.
const FOLDER: &str = "sdk/typescript";
/// The compiler and the driver of the browser. They are one folder above the package: npm would install them with it.
const TOOLS: &str = "sdk";

pub(super) fn test(chosen: &Cuts) -> Result<(), String> {
    install::npm_packages(TOOLS)?;
    install::chromium()?;
    let npm = || node::npm(&root().join(FOLDER));
    execute(npm()?.args(["run", "--silent", "check"]))?;
    build_executable()?;
    let mut command = npm()?;
    command.args(["run", "--silent", "test"]).env(EXECUTABLE, demo::executable()?);
    command.envs(variables(chosen));
    execute(&mut command)
}

#[cfg(test)]
mod tests {
    use super::FOLDER;
    use crate::node;
    use crate::process::root;

    #[test]
    fn the_package_runs_on_the_node_of_the_pages() {
        let package = std::fs::read_to_string(root().join(FOLDER).join("package.json")).unwrap();
        let (major, minor) = node::NEEDED;
        assert!(package.contains(&format!("\"node\": \">={major}.{minor}\"")), "{package}");
    }
}
