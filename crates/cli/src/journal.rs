//! `bellwether journal copy`.

use std::error::Error;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use server::audit::hexadecimal;
use server::audit::journal_copy::{JournalPlace, Stage, journal_copy};

use crate::logging;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    /// Copy a journal into a place that has none, between data folders and databases, and prove the copy.
    ///
    /// Frames keep their sequences, times and hashes. Stop the exchange first: what is answered while the copy is being
    /// made is not in it. The master key is not part of a journal: give every node the same master.key.
    Copy {
        /// A data folder, or postgres://…
        from: JournalPlace,
        /// A data folder without a journal, or a database without one
        to: JournalPlace,
    },
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let Commands::Copy { from, to } = &options.command;
    logging::start(LogFormat::Text, "warn")?;
    let mut progress = Progress::named("copying");
    let mut now = Stage::Copying;
    let copied = journal_copy(from, to, |stage, done, all| {
        if stage != now {
            now = stage;
            progress = Progress::named("proving the copy");
        }
        progress.tell(done, all);
    })?;
    drop(progress);
    println!("{to} has the journal of {from}: {} frames, read back and replayed.", copied.frames);
    println!("head          {}:{}", copied.sequence, copied.frame_hash);
    println!("state digest  {}", hexadecimal(&copied.digest));
    println!("master.key    NOT copied: every node needs the one of the source");
    Ok(ExitCode::SUCCESS)
}
