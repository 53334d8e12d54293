//! The Rust client library in `crates/client`: its tests against the executable, in `crates/cli/tests/client`.
//!
//! The examples are built too, because a test runs all of them. `cargo xtask test -p client` runs the tests of its parts.

use super::{Cuts, variables};
use crate::process::{cargo, run as execute};

pub(super) fn test(chosen: &Cuts) -> Result<(), String> {
    // The whole workspace, as everywhere: another selection has other features and would build everything again.
    execute(&mut cargo(vec!["build", "--locked", "--workspace", "--examples"]))?;
    execute(cargo(vec!["test", "--locked", "--workspace", "--test", "client"]).envs(variables(chosen)))
}
