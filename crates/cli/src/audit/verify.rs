//! `bellwether verify`. Exit codes: 0 valid, 1 broken, 2 a crash and damage cannot be distinguished.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::DataFolder;
use server::audit::verify::{PublishedHead, TrustedSnapshot, verify, verify_from};

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

const IN_DOUBT: u8 = 2;

#[derive(Debug, Args)]
pub struct Options {
    /// The data folder, or a backup
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// A published head, `sequence:frameHash`, that the journal must contain
    #[arg(long, value_name = "SEQUENCE:HASH")]
    head: Option<PublishedHead>,
    /// Trust a snapshot and check only what follows it: by name or sequence; without a value, the newest of the
    /// archive, which was verified when it was written, or the oldest of the folder
    #[arg(long, value_name = "NAME|SEQUENCE", num_args = 0..=1, default_missing_value = "")]
    from_snapshot: Option<TrustedSnapshot>,
    /// The archive, if it was moved
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let mut progress = Progress::new();
    let source = DataFolder { folder: &options.data, archive: options.archive.as_deref() };
    let tell = |done, all| progress.report(done, all);
    let verdict = match &options.from_snapshot {
        Some(trusted) => verify_from(source, trusted, options.head, tell)?,
        None => verify(source, options.head, tell)?,
    };
    drop(progress);
    say!("{verdict}");
    for problem in &verdict.problems {
        say!("BROKEN        {problem}");
    }
    for doubt in &verdict.doubts {
        say!("IN DOUBT      {doubt}");
    }
    if !verdict.problems.is_empty() {
        say!("{} does not hold.", options.data.display());
        return Ok(ExitCode::FAILURE);
    }
    if !verdict.doubts.is_empty() {
        say!("{} holds up to its unfinished end; compare with a published head.", options.data.display());
        return Ok(ExitCode::from(IN_DOUBT));
    }
    say!("{} holds.", options.data.display());
    Ok(ExitCode::SUCCESS)
}
