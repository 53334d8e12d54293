//! `bench-streams`: messages to many readers over loopback, compared with a broadcaster that sends each message with a
//! separate call; the delay from an order's response to its message; and the memory cost of stalled readers.
//!
//! The readers are a second process (`readers.rs`), so that the memory here is the server's. `stage.rs` trades,
//! `floor.rs` is the reference, `crowd.rs` controls the readers, `race.rs` and `standing.rs` measure.

mod crowd;
mod floor;
mod race;
mod readers;
mod stage;
mod standing;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use load::rows::Rows;
use mimalloc::MiMalloc;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::runtime::Builder;

use stage::Stage;

/// The allocator of the shipped executable.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

pub(crate) type Problem = Box<dyn Error + Send + Sync>;

const HELP: &str = "\
Messages to many readers, beside a broadcaster that sends each by a call of its own.

Usage: bench-streams [--seconds N] [--readers N] [--only PART]

  --seconds N   about how long each part takes, default 10, at most 60
  --readers N   instead of 1000 and then 5000, at most 8000
  --only PART   race, latency or memory

Build with --profile dist. All of it is on loopback and in a temporary folder, which TMPDIR chooses.
";

struct Options {
    seconds: u32,
    readers: Vec<usize>,
    only: Option<String>,
}

impl Options {
    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Hidden: this process starts itself as the readers.
    let result = match arguments.split_first() {
        Some((first, rest)) if first == "read" => readers::run(rest),
        Some((first, _)) if first == "--help" || first == "-h" => {
            print!("{HELP}");
            Ok(())
        }
        _ => match read(&arguments) {
            Some(options) => run(&options),
            None => {
                eprint!("bench-streams: invalid arguments {arguments:?}\n\n{HELP}");
                return ExitCode::from(2);
            }
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench-streams: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<Options> {
    let mut options = Options { seconds: 10, readers: vec![1_000, 5_000], only: None };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--seconds" => options.seconds = value.parse().ok()?,
            [name, value] if name == "--readers" => options.readers = vec![value.parse().ok()?],
            [name, value] if name == "--only" => options.only = Some(value.clone()),
            _ => return None,
        }
    }
    let is_known = |part: &String| ["race", "latency", "memory"].contains(&part.as_str());
    let is_bounded = (1..=60).contains(&options.seconds)
        && options.readers.iter().all(|readers| (10..=8_000).contains(readers));
    (is_bounded && options.only.as_ref().is_none_or(is_known)).then_some(options)
}

fn run(options: &Options) -> Result<(), Problem> {
    raise_files()?;
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let mut stage = Stage::build(&runtime, &folder.path().join("node"))?;
    println!("{} workers here, readers in a separate process", runtime.metrics().num_workers());
    let time = Duration::from_secs(options.seconds.into());
    let mut rows = Rows::default();
    for readers in &options.readers {
        if options.wants("race") {
            race::measure(&runtime, &mut stage, *readers, time, &mut rows)?;
        }
        if options.wants("latency") {
            standing::latency(&mut stage, *readers, time)?;
        }
    }
    if options.wants("memory") {
        standing::memory(&mut stage, options.readers[0], time * 2)?;
    }
    stage.end(runtime)?;
    rows.print();
    Ok(())
}

/// Raises the limit of open files to its maximum: a reader needs one at each end.
pub(crate) fn raise_files() -> Result<(), Problem> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}
