//! `bellwether archive`: moves frames older than a verified snapshot into an archive.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::archive::{ArchiveReport, ArchiveStage, archive, archive_log};
use server::audit::journal_copy::JournalPlace;

use crate::logging;
use crate::output::say;
use crate::place::Place;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    place: Place,
    /// The archive's folder, created if it is missing; always the same one, or wherever you moved it
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let mut progress = Progress::named("proving the snapshot");
    let mut now = ArchiveStage::Proving;
    let tell = |stage, done, all| {
        if stage != now {
            now = stage;
            progress = Progress::named("moving into the archive");
        }
        progress.report(done, all);
    };
    let report = match options.place.find()? {
        JournalPlace::Folder(folder) => archive(&folder, &options.to, tell)?,
        JournalPlace::Database(url) => archive_log(&url, &options.to, tell)?,
    };
    drop(progress);
    let ArchiveReport {
        place,
        proved,
        frames,
        bytes_before,
        bytes_after,
        pictures,
        first_sequence,
        has_snapshot,
    } = report;
    if frames == 0 {
        let why = match has_snapshot {
            true => "no whole segment lies behind the oldest snapshot",
            false => "there is no snapshot yet",
        };
        say!("Nothing was moved: {why}.");
        return Ok(ExitCode::SUCCESS);
    }
    say!("{place} has {frames} more frames, read back and compared one by one.");
    say!("snapshot      at sequence {proved}, proved by replaying");
    say!("journal       begins with sequence {first_sequence}");
    say!("bytes         {bytes_before} in the journal became {bytes_after} in the archive");
    if pictures > 0 {
        say!("pictures      {pictures} more in the archive");
    }
    Ok(ExitCode::SUCCESS)
}
