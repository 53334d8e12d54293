//! `bellwether restore`: from a backup, an archive, or both, completely or up to a moment.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::KeyFile;
use server::audit::past::Until;
use server::audit::restore::{RestoreReport, Sources, restore_from};

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    /// A folder created by `backup`; optional with --archive
    #[arg(required_unless_present = "archive")]
    from: Option<PathBuf>,
    /// The folder to create; it must be empty or missing
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR")]
    data: PathBuf,
    /// Archive to read: where the backup's archive was moved to, or the only source
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
    /// The last sequence, or the last instant, to restore
    #[arg(long, value_name = "SEQUENCE|TIME")]
    until: Option<Until>,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let mut progress = Progress::new();
    let sources = Sources {
        backup: options.from.as_deref(),
        archive: options.archive.as_deref(),
        until: options.until,
    };
    let restored = restore_from(&sources, &options.data, |done, all| progress.report(done, all))?;
    drop(progress);
    let RestoreReport {
        sequence,
        at,
        digest,
        first_sequence,
        archive,
        manifest,
        is_compared,
        people_missing,
        pictures,
        pictures_missing,
    } = restored;
    let data = options.data.display();
    match is_compared {
        true => {
            say!(
                "{data} is restored up to sequence {sequence}; its state has the digest of the backup, {digest}."
            )
        }
        false => {
            say!("{data} is restored up to sequence {sequence}, of {at}; its state has the digest {digest}.")
        }
    }
    if let Some(archive) = archive {
        let last = first_sequence - 1;
        say!("Sequences 1 to {last} stay in the archive {}: keep it.", archive.display());
    }
    if people_missing > 0 {
        say!(
            "The people store lacks the rows of {people_missing} persons: they cannot log in here. Look for a backup that has them."
        );
    }
    if pictures_missing > 0 {
        say!(
            "{pictures} pictures are restored; {pictures_missing} that events name are in no source, or damaged there."
        );
    }
    if manifest.is_none_or(|manifest| manifest.master_key == KeyFile::NotIncluded) {
        let place = options.data.join("master.key");
        say!("There was no master.key to restore: put it at {} before the first start.", place.display());
    }
    Ok(ExitCode::SUCCESS)
}
