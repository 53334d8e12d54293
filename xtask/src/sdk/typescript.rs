//! The TypeScript client library in `sdk/typescript`.
//!
//! The committed build in `dist` must be what its source gives: installing the folder needs no compiler. The tests import
//! that build, and pack and install it as a user does.

use super::Cuts;
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

/// The variables that the tests read.
fn variables(chosen: &Cuts) -> Vec<(&'static str, &str)> {
    let given = [("CUTS", &chosen.cuts), ("SEED", &chosen.seed)];
    given.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::{FOLDER, variables};
    use crate::node;
    use crate::process::root;
    use crate::sdk::Cuts;

    #[test]
    fn only_chosen_values_reach_the_tests() {
        assert!(variables(&Cuts::default()).is_empty());
        let chosen = Cuts { cuts: Some("1000".to_owned()), seed: None };
        assert_eq!(variables(&chosen), [("CUTS", "1000")]);
    }

    #[test]
    fn the_package_runs_on_the_node_of_the_pages() {
        let package = std::fs::read_to_string(root().join(FOLDER).join("package.json")).unwrap();
        let (major, minor) = node::NEEDED;
        assert!(package.contains(&format!("\"node\": \">={major}.{minor}\"")), "{package}");
    }
}
