//! `cargo xtask conformance [--seed S] [--examples N]`: the running service against its own OpenAPI document, which two
//! linters check first (`scripts/openapi`).
//!
//! schemathesis generates valid and invalid requests from the document and checks every response against it. Signing and
//! existing ids come from `scripts/conformance`. The same seed sends the same requests.

use std::path::Path;
use std::process::Command;

use crate::demo::{self, Demo};
use crate::process::{root, run as execute};
use crate::{install, node, python};

/// Fixed, so that failures are reproducible.
const SEED: &str = "20260728";
/// Generated cases per operation, in addition to those that cover its schema: about half a minute in total.
const EXAMPLES: &str = "20";
/// The linters' folder, relative to the root.
const LINTERS: &str = "scripts/openapi";

#[derive(Debug, PartialEq, Eq)]
struct Options {
    seed: String,
    examples: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let options = read(arguments)?;
    let scripts = root().join("scripts/conformance");
    let folder = demo::target()?.join("conformance");
    let python = python::environment(&folder.join("python"), &scripts.join("requirements.txt"))?;
    install::npm_packages(LINTERS)?;
    let demo = Demo::start(&folder.join("data"))?;
    let result = check(&options, &demo, &python, &folder);
    // Also after a failure: the node may have failed.
    let stopped = demo.stop();
    result.and(stopped)
}

fn check(options: &Options, demo: &Demo, python: &Path, folder: &Path) -> Result<(), String> {
    let address = base_url(demo)?;
    let mut linters = node::npm(&root().join(LINTERS))?;
    execute(linters.args(["start", "--silent", "--"]).arg(&address))?;
    let scripts = root().join("scripts/conformance");
    println!("    seed {}, {} examples for each operation", options.seed, options.examples);
    let mut schemathesis = Command::new(python);
    schemathesis
        .args(["-m", "schemathesis.cli", "--config-file"])
        .arg(scripts.join("schemathesis.toml"))
        .args(["run", &format!("{address}/openapi.json"), "--seed", &options.seed, "--max-examples", &options.examples])
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", &scripts)
        // Write no bytecode into the folder of the scripts.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("CONFORMANCE_DEMO", demo.record())
        .current_dir(folder);
    execute(&mut schemathesis)
}

fn read(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { seed: SEED.to_owned(), examples: EXAMPLES.to_owned() };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--seed" => options.seed.clone_from(value),
            [name, value] if name == "--examples" => options.examples.clone_from(value),
            _ => return Err(format!("takes --seed S and --examples N, but got `{}`", pair.join(" "))),
        }
    }
    Ok(options)
}

/// Extracts the address from `demo.json` without a JSON parser, which would be a dependency.
fn base_url(demo: &Demo) -> Result<String, String> {
    let record = std::fs::read_to_string(demo.record()).map_err(|error| format!("demo.json: {error}"))?;
    find_base_url(&record).map(str::to_owned).ok_or("demo.json has no address".to_owned())
}

fn find_base_url(record: &str) -> Option<&str> {
    record.split("\"baseUrl\"").nth(1)?.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::{Options, find_base_url, read};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn seed_and_examples_can_be_chosen() {
        let chosen = Options { seed: "7".to_owned(), examples: "500".to_owned() };
        assert_eq!(read(&words("--examples 500 --seed 7")), Ok(chosen));
        assert_eq!(read(&[]).unwrap().seed, super::SEED);
    }

    #[test]
    fn an_option_without_a_value_is_refused_by_name() {
        assert!(read(&words("--seed")).unwrap_err().contains("`--seed`"));
        assert!(read(&words("--sede 7")).unwrap_err().contains("`--sede 7`"));
    }

    #[test]
    fn the_address_is_found_in_the_record() {
        let record = "{\n  \"baseUrl\": \"http://127.0.0.1:1\",\n  \"adminUrl\": \"http://127.0.0.1:2\"\n}";
        assert_eq!(find_base_url(record), Some("http://127.0.0.1:1"));
        assert_eq!(find_base_url("{}"), None);
    }
}
