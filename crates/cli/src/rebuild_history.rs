//! `bellwether rebuild-history`: rebuilds the history of a folder from its journal.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::DataFolder;
use server::node;

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    /// The data folder
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// The archive, if it was moved
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
}

/// Refuses, without changes, a folder that is in use or has no journal.
pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let mut progress = Progress::new();
    let source = DataFolder { folder: &options.data, archive: options.archive.as_deref() };
    let last = node::rebuild_history(source, |done, all| progress.report(done, all))?;
    drop(progress);
    say!("The history of {} is rebuilt up to sequence {last}.", options.data.display());
    Ok(ExitCode::SUCCESS)
}
