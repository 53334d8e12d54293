//! `bench http`: durable signed orders and hot reads over loopback HTTP, compared with a server that does nothing, and
//! response times compared with the bare disk. All take turns in one run, on one runtime, with the load in the same
//! process; with two cores they compete for them.
//!
//! `race.rs` measures throughput, `usage.rs` what each request uses, `waiting.rs` response times, `readers.rs` the
//! effect of heavy reads on them, `history.rs` the bytes that history stores. The servers are the stage of `load` and `floor.rs`.
//! `signals.rs` is `bench signals`: what metrics, logs and traces cost.

mod floor;
mod history;
mod looks;
mod options;
mod race;
mod readers;
mod signals;
mod usage;
mod waiting;

use std::process::ExitCode;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::Problem;
use crate::allocations::run_counting;
use crate::disk::Raw;
use crate::folders::bytes_of;
use crate::rows::Rows;
use crate::stage::{Served, Stage};
use options::{HELP, Options};
use race::Race;

/// Persistent connections.
pub(crate) const CONNECTIONS: usize = 64;

/// `is_counting`: the allocator counts, so allocations are printed and times are not.
pub fn main(arguments: &[String], is_counting: bool) -> ExitCode {
    let is_for_signals = arguments.first().is_some_and(|name| name == "signals");
    let help = if is_for_signals { signals::HELP } else { HELP };
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{help}");
        return ExitCode::SUCCESS;
    }
    let measured = match is_for_signals {
        true => signals::run(&arguments[1..]),
        false => {
            Options::read(arguments).map(|options| if is_counting { count(&options) } else { run(&options) })
        }
    };
    let Some(result) = measured else {
        eprint!("bench-http: invalid arguments {arguments:?}\n\n{help}");
        return ExitCode::from(2);
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench-http: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Problem> {
    let mut rows = Rows::default();
    with_race(options, |race, folder| {
        println!("{CONNECTIONS} connections, load in the same process");
        let mut single = None;
        if ["single", "waiting", "readers"].iter().any(|part| options.wants(part)) {
            single = Some(race.singles(options.share(30), &mut rows)?);
        }
        if options.wants("batch") {
            race.batches(options.share(20), &mut rows)?;
        }
        if options.wants("read") {
            race.reads(options.share(12), &mut rows)?;
        }
        if let Some(single) = single.filter(|_| options.wants("readers")) {
            readers::measure(race, options.share(12), single / 4.0, &mut rows)?;
        }
        if let Some(single) = single.filter(|_| options.wants("waiting")) {
            let raw = Raw::new(&folder.join("raw"))?;
            waiting::measure(race, raw, options.share(30), single / 2.0, &mut rows)?;
        }
        looks::report(&race.stage.node.app, &mut rows);
        Ok(())
    })?;
    if options.wants("single") && options.side.is_none() {
        history::measure(options, &mut rows)?;
    }
    let parts = ["single", "batch", "read"].into_iter().filter(|part| options.wants(part));
    for part in parts {
        let seconds = options.counted_seconds().to_string();
        let mut arguments = vec!["http", "--only", part, "--seconds", &seconds];
        arguments.extend(options.side.iter().flat_map(|side| ["--side", side]));
        if !run_counting(&arguments)? {
            println!("\nAllocations were not counted: bench-counted is not built beside this executable.");
            break;
        }
    }
    rows.print();
    Ok(())
}

/// Counts the allocations of the wanted parts.
fn count(options: &Options) -> Result<(), Problem> {
    with_race(options, |race, _| {
        for part in ["single", "batch", "read"].into_iter().filter(|part| options.wants(part)) {
            race.count(part, Duration::from_secs(options.seconds.into()))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// A node after its stop.
struct Ended {
    seq: u64,
    /// The size of its history, which is complete and closed.
    history_bytes: u64,
}

/// Starts both servers, runs `work` and stops them in order. `work` may put further files into the folder.
fn with_race(
    options: &Options,
    work: impl FnOnce(&mut Race<'_>, &std::path::Path) -> Result<(), Problem>,
) -> Result<Ended, Problem> {
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let node = folder.path().join("node");
    let stage = Stage::build(&node)?;
    let app = &stage.node.app;
    let ours = match options.fast_lane {
        true => Served::start_node(&runtime, app)?,
        false => Served::start(&runtime, server::routes::router(app.clone()))?,
    };
    let mut race = Race::new(&runtime, &stage, &node, ours, options.side.as_deref())?;
    work(&mut race, folder.path())?;
    race.end()?;
    runtime.shutdown_timeout(Duration::from_secs(5));
    let stopped = stage.node.stop()?;
    if stopped.live != stopped.replayed {
        return Err("the journal does not give the state that was served".into());
    }
    println!("\nStopped at sequence {}: the journal gives the same state.", stopped.seq);
    Ok(Ended { seq: stopped.seq, history_bytes: bytes_of(&node.join("history"))? })
}
