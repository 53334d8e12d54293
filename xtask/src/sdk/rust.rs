//! The Rust client library in `crates/client`: its tests against the executable, in `crates/cli/tests/client`.
//!
//! The examples are built too, because a test runs all of them. `cargo xtask test -p client` runs the tests of its parts.

use super::{Cuts, variables};
use crate::process::{cargo, run as execute};
use crate::test::SELECTION;

pub(super) fn test(chosen: &Cuts) -> Result<(), String> {
    let with = |command: &'static str, chosen: [&'static str; 2]| {
        cargo([command, "--locked"].into_iter().chain(SELECTION).chain(chosen))
    };
    execute(&mut with("build", ["--examples", "--quiet"]))?;
    execute(with("test", ["--test", "client"]).envs(variables(chosen)))
}
