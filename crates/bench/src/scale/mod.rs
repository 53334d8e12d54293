//! `bench scale` and `bench replay`: how costs grow with the size of a venue, and how fast a journal is replayed.
//!
//! `sizes.rs` has the sizes and `page.rs` prints them side by side. Each size runs in processes of its own, so that the
//! memory of one does not count for the next: `making.rs` makes a data folder and measures orders, `state.rs` measures
//! the state alone, `starting.rs` a node. `replay.rs` rebuilds history.

mod child;
mod making;
mod page;
mod replay;
mod sizes;
mod starting;
mod state;

use std::path::Path;
use std::process::ExitCode;

use crate::Problem;
use crate::rows::{Goal, Rows};
use child::Figures;
use sizes::Dimensions;

const HELP: &str = "\
How costs, memory, snapshots and starts grow with people, events and resting orders.

Usage: bench-scale scale [--small]   all sizes on one page; --small ends within a minute
       bench-scale start [--small]   a start from a snapshot behind 5 million commands
       bench-scale replay [--commands N] [--rounds N]
                                     rebuild history from a journal, default 500000 commands, 3 rounds

Build with --profile dist. Uses a temporary folder (see TMPDIR). Sizes that do not fit are skipped.
";

const START_GOAL: Goal = Goal::AtMost(5.0);

pub fn main(arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["scale"] => page::run(&sizes::FULL),
        ["scale", "--small"] => page::run(&sizes::SMALL),
        ["start"] => start(sizes::START, START_GOAL),
        // The goal is for the full size.
        ["start", "--small"] => start(sizes::START_SMALL, Goal::Unset),
        ["replay", options @ ..] => match replay::Options::read(options) {
            Some(options) => replay::run(&options),
            None => return usage(),
        },
        // Hidden: the processes of one size.
        ["make", folder, dimensions @ ..] => match Dimensions::read(dimensions) {
            Some(dimensions) => making::run(Path::new(folder), dimensions),
            None => return usage(),
        },
        ["state", folder] => state::run(Path::new(folder)),
        ["node", folder] => starting::run(Path::new(folder)),
        ["--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => return usage(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench-scale: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprint!("{HELP}");
    ExitCode::from(2)
}

fn start(dimensions: Dimensions, goal: Goal) -> Result<(), Problem> {
    if let Some(why) = dimensions.does_not_fit()? {
        println!("Skipped: {why}.");
        return Ok(());
    }
    let figures = Figures::measure(dimensions)?;
    println!("{}", dimensions.describe());
    println!(
        "Made {:.0} commands with {:.0} resting orders; snapshot {:.1} MB, {:.1} MB on disk; encoded in {:.0} ms.",
        figures.get("commands"),
        figures.get("orders"),
        figures.get("snapshot_mb"),
        figures.get("stored_mb"),
        figures.get("encode_ms")
    );
    println!(
        "The state is decoded in {:.0} ms; a node with history starts in {:.2} s and then has {:.0} MiB.",
        figures.get("decode_ms"),
        figures.get("start_s"),
        figures.get("node_mib")
    );
    let mut rows = Rows::default();
    let name = format!("start from snapshot: {}", dimensions.describe());
    rows.add(&name, figures.get("start_s"), " s", goal);
    rows.print();
    Ok(())
}
