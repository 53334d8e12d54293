//! `bench book`: the matching core compared with a bare ladder and with its peers.
//!
//! One workload, one process, contestants taking turns. Reading order: `workload.rs` defines the operations,
//! `contestant.rs` the contestants, `race.rs` the timing, `report.rs` the output.

mod bare_ladder;
mod by_id;
mod contestant;
mod generator;
pub(crate) mod instructions;
mod lobster;
mod matchcore;
pub(crate) mod memory;
mod options;
mod orderbook_rs;
mod ours;
mod race;
mod report;
mod rust_ob;
mod valgrind;
mod workload;

use std::io;
use std::process::ExitCode;

use options::Options;
use ours::OursDistinctUsers;
use race::{ENTRIES, Entry, Outcome};
use report::Line;
use workload::Workload;

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let options = match Options::parse(arguments) {
        Ok(options) => options,
        Err(options::Stop::Help) => {
            print!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(options::Stop::Mistake(mistake)) => {
            eprintln!("bench book: {mistake}\n\n{}", options::HELP);
            return ExitCode::from(2);
        }
    };
    match compare(&options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench book: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(options: &Options) -> io::Result<ExitCode> {
    let workload = match &options.operations_file {
        Some(path) => Workload::read(path)?,
        None => generator::generate(options.operations),
    };
    if let Some(path) = &options.operations_written {
        workload.write(path, workload.records.len())?;
    }
    let outcomes: Vec<Outcome> = ENTRIES.iter().map(|entry| (entry.check)(&workload)).collect();
    report::workload(&workload, &outcomes[0]);

    let mut lines: Vec<Line> = ENTRIES.iter().zip(outcomes).map(Line::new).collect();
    for (line, times) in lines.iter_mut().zip(race::rounds(&workload, options.rounds)) {
        line.times = times;
    }
    if options.valgrind {
        count(&workload, &mut lines)?;
    }
    report::table(&lines, workload.measured().len(), options);
    Ok(verdict(&workload, &lines))
}

/// Adds the numbers from valgrind: instructions, and bytes held.
fn count(workload: &Workload, lines: &mut [Line]) -> io::Result<()> {
    if !valgrind::is_installed() {
        return Ok(());
    }
    let folder = valgrind::Folder::create()?;
    let measured = instructions::write_workload(workload, &folder)?;
    for line in lines {
        line.instructions = Some(instructions::per_operation(line.entry, measured, &folder)?);
        line.bytes = Some(memory::per_resting_order(line.entry)?);
    }
    Ok(())
}

/// Our book must trade exactly like the bare ladder if no two orders share a user.
fn verdict(workload: &Workload, lines: &[Line]) -> ExitCode {
    let ours = race::check::<OursDistinctUsers>(workload);
    let floor = &lines[0].outcome;
    if ours == *floor {
        println!("Ours with all users distinct equals the bare ladder: every fill, and what rests.");
        return ExitCode::SUCCESS;
    }
    println!("OURS DIFFERS from the bare ladder with all users distinct:\n  {ours:?}\n  {floor:?}");
    ExitCode::FAILURE
}

/// The contestant of that name.
fn entry_named(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}
