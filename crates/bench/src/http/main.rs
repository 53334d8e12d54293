//! `bench-http`: durable signed orders and hot reads over loopback HTTP, compared with a server that does nothing, and
//! response times compared with the bare disk. All take turns in one run, on one runtime, with the load in the same
//! process; with two cores they compete for them.
//!
//! `race.rs` measures throughput, `waiting.rs` response times, `readers.rs` the effect of heavy reads on them. The
//! servers are the stage of `load` and `floor.rs`.

mod floor;
mod race;
mod readers;
mod waiting;

use std::process::ExitCode;
use std::time::Duration;

use mimalloc::MiMalloc;
use tokio::runtime::Builder;

use load::Problem;
use load::disk::Raw;
use load::stage::{Served, Stage};
use race::Race;

/// The allocator of the shipped executable.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Persistent connections.
pub(crate) const CONNECTIONS: usize = 64;
const SECONDS: u32 = 40;
const SECONDS_MAX: u32 = 200;

const HELP: &str = "\
Compare durable signed orders and hot reads over HTTP with a server that does nothing.

Usage: bench-http [--seconds N] [--only PART] [--side SIDE]

  --seconds N   approximate duration, default 40, at most 200
  --only PART   single, batch, read, waiting or readers
  --side SIDE   run only ours or floor, for profiling; no ratios

Build with --release. Uses only loopback and a temporary folder (see TMPDIR).
";

struct Options {
    seconds: u32,
    only: Option<String>,
    side: Option<String>,
}

impl Options {
    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }

    /// This many hundredths of the total time.
    fn share(&self, hundredths: u32) -> Duration {
        Duration::from_secs(u64::from(self.seconds)) * hundredths / 100
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let Some(options) = read(&arguments) else {
        eprint!("bench-http: invalid arguments {arguments:?}\n\n{HELP}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench-http: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<Options> {
    let mut options = Options { seconds: SECONDS, only: None, side: None };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--seconds" => options.seconds = value.parse().ok()?,
            [name, value] if name == "--only" => options.only = Some(value.clone()),
            [name, value] if name == "--side" => options.side = Some(value.clone()),
            _ => return None,
        }
    }
    let is_side = |side: &String| side == "ours" || side == "floor";
    let is_known = |part: &String| ["single", "batch", "read", "waiting", "readers"].contains(&part.as_str());
    // Signatures are valid for 300 seconds.
    let is_bounded = (1..=SECONDS_MAX).contains(&options.seconds);
    let is_understood = is_bounded && options.only.as_ref().is_none_or(is_known);
    (is_understood && options.side.as_ref().is_none_or(is_side)).then_some(options)
}

fn run(options: &Options) -> Result<(), Problem> {
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let stage = Stage::build(&folder.path().join("node"))?;
    let ours = Served::start(&runtime, server::routes::router(stage.node.app.clone()))?;
    let mut race = Race::new(&runtime, &stage, ours, options.side.as_deref())?;
    println!(
        "{CONNECTIONS} connections, {} workers, load in the same process",
        runtime.metrics().num_workers()
    );

    let mut single = None;
    if ["single", "waiting", "readers"].iter().any(|part| options.wants(part)) {
        single = Some(race.singles(options.share(30))?);
    }
    if options.wants("batch") {
        race.batches(options.share(20))?;
    }
    if options.wants("read") {
        race.reads(options.share(12))?;
    }
    if let Some(single) = single.filter(|_| options.wants("readers")) {
        readers::measure(&mut race, options.share(12), single / 4.0)?;
    }
    if let Some(single) = single.filter(|_| options.wants("waiting")) {
        let raw = Raw::new(&folder.path().join("raw"))?;
        waiting::measure(&mut race, raw, options.share(30), single / 2.0)?;
    }
    race.end()?;
    runtime.shutdown_timeout(Duration::from_secs(5));
    let stopped = stage.node.stop()?;
    if stopped.live != stopped.replayed {
        return Err("the journal does not give the state that was served".into());
    }
    println!("\nStopped at sequence {}: the journal gives the same state.", stopped.seq);
    Ok(())
}
