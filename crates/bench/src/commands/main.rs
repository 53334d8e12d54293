//! `bench commands`: how long each command holds the writer in its dearest forms, and how long public reads hold the lock of
//! the state, in a world of the largest sizes that the goals name.
//!
//! `world` creates it, `forms` has the commands, `measuring.rs` measures them and `report.rs` compares them with their bounds.
//! `lookups.rs` measures reads as the rules perform them, `asking.rs` requests to a node.

mod asking;
mod forms;
mod ids;
mod lookups;
mod measuring;
mod options;
mod report;
mod world;

use std::process::ExitCode;
use std::time::Instant;

use load::Problem;
use mimalloc::MiMalloc;

use crate::options::{HELP, Options};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(options) = Options::read(arguments.iter().map(String::as_str)) else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench commands: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Problem> {
    let sizes = &options.sizes;
    let forms = forms::all(sizes);
    let missing = measuring::missing(&forms);
    if !missing.is_empty() {
        return Err(format!("commands without a form: {}", missing.join(", ")).into());
    }
    let begun = Instant::now();
    let stage = world::stage(sizes);
    eprintln!("{} commands, {:.0} s", stage.exchange.seq(), begun.elapsed().as_secs_f64());
    println!("{}. Processor time of one command.", sizes.describe());
    let chosen = forms.into_iter().filter(|form| format!("{form:?}").contains(&options.only));
    let measured =
        chosen.map(|form| report::Row::of(&measuring::measure(&stage, sizes, form, options.times)));
    let rows = report::print(measured.collect(), options.all);
    let mut looked = lookups::measure(&stage, sizes, &options.only);
    drop(stage);
    looked.extend(asking::measure(sizes, &options.only)?);
    let looked = report::print_looks(looked, options.all);
    if options.worst {
        report::worst(&rows, &looked).print();
    }
    Ok(())
}
