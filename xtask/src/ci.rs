//! `cargo xtask ci`: lint, then test. The script `.ci/run` does the same two steps.

use crate::{lint, test};

pub(crate) fn run() -> Result<(), String> {
    lint::run()?;
    test::run(&[])
}
