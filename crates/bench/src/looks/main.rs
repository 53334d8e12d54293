//! `bench looks`: how long each read holds the lock of the state, at the largest sizes that are allowed.
//!
//! A long look delays the writer, and so every order behind it. `crowded.rs` creates a venue of 100,000 events in memory
//! with one trader who has 5,000 open orders and 5,000 positions; `requests.rs` has the reads. Each is sent many times,
//! and the longest look of each time is kept.

#[path = "crowded.rs"]
mod crowded;
#[path = "requests.rs"]
mod requests;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use crowded::{Sizes, TOKEN, TRADER};
use load::Problem;
use load::looking::{Callers, Looker};
use load::rows::{Goal, Rows};
use load::stage::{rates, settle};
use load::times::Times;
use load::venue::{START, public_key};
use mimalloc::MiMalloc;
use requests::questions;
use server::node::Node;
use server::pipeline::clock::ManualClock;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const HELP: &str = "\
Usage: bench looks [--small] [--worst] [--only TEXT]

  --small       a tenth of the sizes
  --worst       one row for the worst read, instead of one for each
  --only TEXT   reads whose name contains the text
";

const GOAL: Goal = Goal::AtMost(200.0);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(options) = Options::read(arguments.iter().map(String::as_str)) else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench looks: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    sizes: Sizes,
    worst: bool,
    only: String,
}

impl Options {
    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Options> {
        let mut options = Options { sizes: Sizes::LARGEST, worst: false, only: String::new() };
        while let Some(word) = words.next() {
            match word {
                "--small" => options.sizes = Sizes::SMALL,
                "--worst" => options.worst = true,
                "--only" => words.next()?.clone_into(&mut options.only),
                _ => return None,
            }
        }
        Some(options)
    }
}

fn run(options: &Options) -> Result<(), Problem> {
    let sizes = &options.sizes;
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(START.micros()));
    let builder = Node::builder(folder.path()).rates(rates());
    let node = builder.clock(clock.clone()).journal_clock(clock.clone()).start()?;
    let callers = Callers { public_key: public_key(TRADER), token: TOKEN };
    let looker = Looker::new(&node, clock, callers)?;
    let began = Instant::now();
    crowded::create(&node.app, sizes)?;
    let seq = node.app.reading().state().seq();
    settle(&node, seq)?;
    eprintln!("{seq} commands, {:.0} s", began.elapsed().as_secs_f64());
    println!("{}. The longest look of a request.\n", sizes.describe());

    let mut rows = Rows::default();
    let mut worst = (0.0, String::new());
    let asked = questions(sizes);
    for question in asked.iter().filter(|question| question.name.contains(&options.only)) {
        let Times { p50, p99, longest, .. } = Times::of(looker.looks(question)?);
        println!("  {:<34} p50 {p50:7.0}  p99 {p99:7.0}  longest {longest:7.0} us", question.name);
        if !options.worst {
            rows.add(&format!("longest look, {}", question.name), p50, " µs", GOAL);
        } else if p50 > worst.0 {
            worst = (p50, question.name.clone());
        }
    }
    if options.worst {
        let (p50, name) = worst;
        rows.add(&format!("longest look of {} reads: {name}", asked.len()), p50, " µs", GOAL);
    }
    rows.print();
    drop(looker);
    node.stop()?;
    Ok(())
}
