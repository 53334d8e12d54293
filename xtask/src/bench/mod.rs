//! `cargo xtask bench [NAME args…]`: one benchmark of `crates/bench`, in the dist profile, which packages have too.
//!
//! `build` measures the build itself (`build.rs`), `table` runs all of it and rewrites docs/performance.md (`table.rs`).

mod build;
mod machine;
mod table;

use std::process::Command;

use crate::process::{cargo, run as execute};

/// The executable of the benchmarks that are not named in `OWN`.
const SHARED: &str = "bench";
/// An executable that others run to count allocations.
const COUNTED: &str = "bench-counted";

/// A benchmark: its name and its purpose.
const BENCHMARKS: &[(&str, &str)] = &[
    ("book", "the order book alone, compared with a baseline and other books"),
    ("exchange", "whole commands through Exchange::apply"),
    ("replay", "processor time of a replay, with and without history"),
    ("scale", "cost, memory, snapshot and start as people, events and orders grow; --small: within a minute"),
    ("start", "a start from a snapshot behind five million commands; --small: behind fifty thousand"),
    ("reads", "write throughput of history, and the cost of its pages when it is short and long"),
    ("lists", "the cost of an event page and a search with a thousand and a million events"),
    ("looks", "how long each read holds the state's lock at the largest sizes; --small: a tenth of them"),
    (
        "commands",
        "every command in its dearest forms, and the longest reads, in the world of the goals; --small: a trial",
    ),
    ("years", "memory, snapshot size and start time after a year of series"),
    ("streams", "messages to thousands of readers, compared with a simple broadcaster"),
    ("http", "durable signed orders over HTTP, compared with a server that does nothing"),
    ("signals", "processor time that metrics, the access log and traces add to a request; --pairs N"),
    (
        "cluster",
        "nodes on one PostgreSQL log, compared with one on a file; `cluster start`: a new node on a long log",
    ),
    ("build", "from a fresh clone to the first page, and again after touching a file of the server"),
    ("table", "all rows of docs/performance.md; --write: rewrite them there; --small: a quick trial"),
];

/// Benchmarks with their own executable, and the arguments that come first.
const OWN: &[(&str, &str, &[&str])] = &[
    ("http", "bench-http", &[]),
    ("signals", "bench-http", &["signals"]),
    ("cluster", "bench-cluster", &[]),
    ("reads", "bench-reads", &[]),
    ("streams", "bench-streams", &[]),
    ("years", "bench-years", &[]),
    ("lists", "bench-lists", &[]),
    ("looks", "bench-looks", &[]),
    ("commands", "bench-commands", &[]),
    ("replay", "bench-scale", &["replay"]),
    ("scale", "bench-scale", &["scale"]),
    ("start", "bench-scale", &["start"]),
];

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    let words: Vec<&str> = extra.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            println!("cargo xtask bench NAME [args…]\n");
            for (name, purpose) in BENCHMARKS {
                println!("  {name:<10}{purpose}");
            }
            Ok(())
        }
        ["build"] => build::run().map(|_| ()),
        ["build", extra, ..] => Err(format!("build takes no arguments, but got `{extra}`")),
        ["table", options @ ..] => table::run(options),
        words => execute(&mut command(words)?),
    }
}

/// Builds what a benchmark needs beside it, and returns the command that runs it.
fn command(words: &[&str]) -> Result<Command, String> {
    let (_, executable, _) = own(words[0]);
    if ["bench-http", "bench-scale"].contains(&executable) && words[0] != "signals" {
        execute(&mut cargo(["build", "--profile", "dist", "--locked", "-p", "bench", "--bin", COUNTED]))?;
    }
    Ok(cargo(arguments(words)))
}

/// The arguments of cargo that run a benchmark.
fn arguments<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let (is_own, executable, first) = own(words[0]);
    let mut arguments =
        vec!["run", "--profile", "dist", "--locked", "-p", "bench", "--bin", executable, "--"];
    arguments.extend(first);
    arguments.extend(&words[usize::from(is_own)..]);
    arguments
}

fn own(name: &str) -> (bool, &'static str, &'static [&'static str]) {
    let found = OWN.iter().find(|(own, ..)| *own == name);
    // The shared executable refuses names that it does not know.
    found.map_or((false, SHARED, &[]), |(_, executable, first)| (true, executable, first))
}

#[cfg(test)]
mod tests {
    use super::{BENCHMARKS, OWN, arguments};

    #[test]
    fn the_name_and_its_arguments_go_to_the_bench_crate() {
        let run = "run --profile dist --locked -p bench --bin";
        let shown = |words: &[&str]| arguments(words).join(" ");
        assert_eq!(shown(&["book", "--orders", "10"]), format!("{run} bench -- book --orders 10"));
        assert_eq!(shown(&["http", "--seconds", "10"]), format!("{run} bench-http -- --seconds 10"));
        assert_eq!(shown(&["signals", "--pairs", "5"]), format!("{run} bench-http -- signals --pairs 5"));
        assert_eq!(shown(&["commands", "--all"]), format!("{run} bench-commands -- --all"));
        assert_eq!(shown(&["replay", "--rounds", "1"]), format!("{run} bench-scale -- replay --rounds 1"));
    }

    #[test]
    fn every_benchmark_with_its_own_executable_is_listed() {
        for (own, ..) in OWN {
            assert!(BENCHMARKS.iter().any(|(name, _)| name == own), "{own}");
        }
    }

    #[test]
    fn the_build_refuses_options() {
        let message = super::run(&["build".to_owned(), "--quick".to_owned()]).unwrap_err();
        assert!(message.contains("`--quick`"), "{message}");
    }
}
