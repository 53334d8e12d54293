//! `cargo xtask bench [NAME args…]`: one benchmark of `crates/bench`, in the release profile.

use crate::process::{cargo, run as execute};

/// The benchmarks of `crates/bench`, which refuses other names. `http`, `cluster`, `reads`, `lists`, `years` and
/// `streams` are separate executables.
const BENCHMARKS: &[(&str, &str)] = &[
    ("book", "the order book alone, compared with a baseline and other books"),
    ("exchange", "whole commands through Exchange::apply"),
    ("reads", "write throughput of history, and the cost of its pages when it is short and long"),
    ("lists", "the cost of an event page and a search with a thousand and a million events"),
    ("years", "memory, snapshot size and start time after a year of series"),
    ("streams", "messages to thousands of readers, compared with a simple broadcaster"),
    ("http", "durable signed orders over HTTP, compared with a server that does nothing"),
    (
        "cluster",
        "nodes on one PostgreSQL log, compared with one on a file; `cluster start`: a new node on a long log",
    ),
];

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    if extra.is_empty() {
        println!("cargo xtask bench NAME [args…]\n");
        for (name, purpose) in BENCHMARKS {
            println!("  {name:<10}{purpose}");
        }
        return Ok(());
    }
    execute(&mut cargo(arguments(extra)))
}

fn arguments(extra: &[String]) -> Vec<&str> {
    let mut arguments = vec!["run", "--release", "--locked", "-p", "bench"];
    let mut extra = extra.iter().map(String::as_str).peekable();
    let own = [
        ("http", "bench-http"),
        ("cluster", "bench-cluster"),
        ("reads", "bench-reads"),
        ("streams", "bench-streams"),
        ("years", "bench-years"),
        ("lists", "bench-lists"),
    ];
    for (name, executable) in own {
        if extra.next_if_eq(&name).is_some() {
            arguments.extend(["--bin", executable]);
        }
    }
    arguments.push("--");
    arguments.extend(extra);
    arguments
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_name_and_its_arguments_go_to_the_bench_crate() {
        let extra = ["book".to_owned(), "--orders".to_owned(), "10".to_owned()];
        let expected = ["run", "--release", "--locked", "-p", "bench", "--", "book", "--orders", "10"];
        assert_eq!(super::arguments(&extra), expected);

        let extra = ["http".to_owned(), "--seconds".to_owned(), "10".to_owned()];
        let expected =
            ["run", "--release", "--locked", "-p", "bench", "--bin", "bench-http", "--", "--seconds", "10"];
        assert_eq!(super::arguments(&extra), expected);
    }
}
