//! `cargo xtask agents`: `bellwether mcp` in front of a running demo, used by the official Python client of the Model
//! Context Protocol over both transports. The tests are in `scripts/agents`.

use std::process::Command;

use crate::demo::{self, Demo};
use crate::process::{root, run as execute};
use crate::python;
use crate::web::EXECUTABLE;

/// Relative to the root.
const SCRIPTS: &str = "scripts/agents";

pub(crate) fn run() -> Result<(), String> {
    let scripts = root().join(SCRIPTS);
    let folder = demo::target()?.join("agents");
    let python = python::environment(&folder.join("python"), &scripts.join("requirements.txt"))?;
    let demo = Demo::start(&folder.join("data"))?;
    let mut tests = Command::new(python);
    tests
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .current_dir(&scripts)
        .env(EXECUTABLE, demo::executable()?)
        .env("AGENTS_DEMO", demo.record())
        // Write no bytecode into the folder of the scripts.
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let result = execute(&mut tests);
    // Also after a failure: the node may have failed.
    let stopped = demo.stop();
    result.and(stopped)
}
