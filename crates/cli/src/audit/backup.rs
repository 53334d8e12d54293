//! `bellwether backup`.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::backup::backup;
use server::audit::{DataFolder, KeyFile};

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    /// The data folder
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// Copy master.key as well: it decrypts the people store, and every API secret is derived from it
    #[arg(long)]
    with_key: bool,
    /// The archive, if it was moved
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
    /// An empty or new folder
    to: PathBuf,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, "info")?;
    let key = if options.with_key { KeyFile::Included } else { KeyFile::NotIncluded };
    let mut progress = Progress::new();
    let source = DataFolder { folder: &options.data, archive: options.archive.as_deref() };
    let manifest = backup(source, &options.to, key, |done, all| progress.report(done, all))?;
    drop(progress);
    say!("{} is a backup of {}.", options.to.display(), options.data.display());
    say!("head          {}:{}", manifest.sequence, manifest.frame_hash);
    say!("state digest  {}", manifest.state_digest);
    if manifest.first_sequence > 1 {
        let last = manifest.first_sequence - 1;
        say!("archive       NOT included: sequences 1 to {last} are there, and a restore needs them");
    }
    say!("people        {} rows, sealed under the master key", manifest.people);
    if manifest.people_missing > 0 {
        say!(
            "              NOT included: the rows of {} persons, missing in the source",
            manifest.people_missing
        );
    }
    say!("pictures      {}", manifest.pictures);
    if manifest.pictures_missing > 0 {
        say!("              NOT included: {}, missing or damaged in the source", manifest.pictures_missing);
    }
    say!("history       not included: a restore rebuilds it");
    match manifest.master_key {
        KeyFile::Included => say!("master.key    included: guard this folder like the key itself"),
        KeyFile::NotIncluded => {
            say!(
                "master.key    NOT included: without it the people store is unreadable, and every API key must be rotated"
            )
        }
    }
    Ok(ExitCode::SUCCESS)
}
