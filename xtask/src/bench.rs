//! `cargo xtask bench [NAME args…]`: one benchmark of `crates/bench`, in the release profile.

use crate::process::{cargo, run as execute};

/// What `crates/bench` knows. The crate itself refuses a name that is not among them. `http`, `cluster`,
/// `reads`, `lists`, `years` and `streams` are executables of their own.
const BENCHMARKS: &[(&str, &str)] = &[
    ("book", "the order book alone, beside its floor and its peers"),
    ("exchange", "whole commands through Exchange::apply"),
    ("reads", "what history takes in, and what its pages cost when it is short and when it is long"),
    ("lists", "what a page of events and a search cost with a thousand events and with a million"),
    ("years", "what a year of series leaves in memory, in a snapshot, and to a start"),
    ("streams", "messages to thousands of readers, beside a broadcaster that sends one at a time"),
    ("http", "durable signed orders over HTTP, beside a server that does nothing"),
    (
        "cluster",
        "nodes on one log in PostgreSQL, beside one with a file; `cluster start`: a new node on a long log",
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
