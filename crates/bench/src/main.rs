//! `bench`: our components compared with a floor and with peers, measured in one run.
//!
//! Every subcommand prints ratios from alternating turns, because the speed of a shared machine drifts by a third.
//! Start reading at `book/mod.rs`.

mod book;
mod exchange;

use std::process::ExitCode;

const HELP: &str = "\
Benchmarks of Bellwether.

Usage: bench <SUBCOMMAND> [OPTIONS]

Subcommands:
  book        the matching core: ours, a bare ladder and the peers from crates.io
  exchange    the whole exchange, command by command

Separate executables measure orders over HTTP (bench-http), reads, lists, years, streams
and the cluster.
`bench <SUBCOMMAND> --help` lists the options. Build with --profile dist: anything else
measures the arithmetic checks of the development profile.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((subcommand, arguments)) = arguments.split_first() else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match subcommand.as_str() {
        "book" => book::run(arguments),
        "exchange" => exchange::run(arguments),
        // Hidden: `bench book` runs itself with these two under valgrind.
        "book-once" => book::instructions::run_once(arguments),
        "book-hold" => book::memory::run_hold(arguments),
        "--help" | "-h" | "help" => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        unknown => {
            eprintln!("bench: unknown subcommand {unknown:?}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}
