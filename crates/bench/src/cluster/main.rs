//! `bench-cluster`: nodes that share a log in PostgreSQL, compared with a node on a file journal, taking turns in
//! one run; and `bench-cluster start`: how long a node with an empty folder takes to serve a long log.
//!
//! `race.rs` has the turns, `contestant.rs` the contestants, `database.rs` the PostgreSQL server and its floor,
//! `report.rs` the tables. `filling.rs` creates the long log, `start.rs` starts nodes on it.

mod contestant;
mod database;
mod filling;
mod options;
mod race;
mod report;
mod start;

use std::process::ExitCode;

use mimalloc::MiMalloc;

use options::{Benchmark, HELP};

/// The allocator of the shipped executable.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match options::read(&arguments) {
        Some(Benchmark::Race(options)) => race::run(&options),
        Some(Benchmark::Start(options)) => start::run(&options),
        Some(Benchmark::Node { url, folder }) => start::run_node(&url, folder.as_ref()),
        Some(Benchmark::Help) => {
            print!("{HELP}");
            Ok(())
        }
        None => {
            eprint!("bench-cluster: invalid arguments {arguments:?}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench-cluster: {problem}");
            ExitCode::FAILURE
        }
    }
}
