//! `bellwether backup`: one copy in an empty folder, or with `--to` dated and verified copies, one or at intervals.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use server::audit::backup::backup;
use server::audit::{DataFolder, KeyFile, Manifest};

use super::rounds::{Rounds, parse_interval};
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
    /// A folder of dated backups: adds one and verifies it
    #[arg(long = "to", value_name = "DIR", conflicts_with = "to")]
    into: Option<PathBuf>,
    /// Repeat for ever, with this time from the start of one backup to the next, as 15m, 1h or 1d
    #[arg(long, value_name = "TIME", value_parser = parse_interval, requires = "into")]
    every: Option<Duration>,
    /// Keep this many backups and remove older ones [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "into")]
    keep: Option<u32>,
    /// An empty or new folder
    #[arg(required_unless_present = "into")]
    to: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let key = if options.with_key { KeyFile::Included } else { KeyFile::NotIncluded };
    let source = DataFolder { folder: &options.data, archive: options.archive.as_deref() };
    if let Some(folder) = &options.into {
        let keep = options.keep.map(|keep| keep as usize);
        let rounds = Rounds { source, key, folder, keep };
        if let Some(every) = options.every {
            rounds.run_every(every);
        }
        let (place, manifest) = rounds.run_once()?;
        show(&place, &options.data, &manifest);
        say!("verified      every frame, the state and its digest, read back from the disk");
        return Ok(ExitCode::SUCCESS);
    }
    let to = options.to.as_deref().ok_or("name a folder to copy to")?;
    let mut progress = Progress::new();
    let manifest = backup(source, to, key, |done, all| progress.report(done, all))?;
    drop(progress);
    show(to, &options.data, &manifest);
    Ok(ExitCode::SUCCESS)
}

fn show(place: &Path, data: &Path, manifest: &Manifest) {
    say!("{} is a backup of {}.", place.display(), data.display());
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
}
