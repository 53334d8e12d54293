//! `bellwether journal copy`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use data_encoding::HEXLOWER;
use server::audit::journal_copy::{CopyStage, JournalPlace, journal_copy_with};

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::{LogFormat, SettingsError};
use crate::shared_log::with_password;

#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    /// Copy a journal, its people and its pictures between data folders and databases, to a place without a journal, and
    /// verify it.
    ///
    /// Frames keep their sequences, times and hashes. Stop the exchange first: requests that it accepts during the copy are
    /// not copied. The master key is not part of a journal: give every node the same master.key.
    Copy {
        /// A data folder, or postgres://…
        from: JournalPlace,
        /// A data folder without a journal, or a database without one
        to: JournalPlace,
        /// A file with the password for the database, so that no URL contains it
        #[arg(long, env = "BELLWETHER_JOURNAL_PASSWORD_FILE", value_name = "FILE")]
        journal_password_file: Option<PathBuf>,
        /// The archive of the source, if it was moved; the copy has all frames and no archive
        #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
        archive: Option<PathBuf>,
    },
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let Commands::Copy { from, to, journal_password_file, archive } = &options.command;
    logging::start(LogFormat::Text, tracing::Level::WARN)?;
    let password = journal_password_file.as_deref();
    let (from, to) = (&with_password_from(password, from)?, &with_password_from(password, to)?);
    let mut progress = Progress::named("copying");
    let mut now = CopyStage::Copying;
    let copied = journal_copy_with(from, archive.as_deref(), to, |stage, done, all| {
        if stage != now {
            now = stage;
            progress = Progress::named("proving the copy");
        }
        progress.report(done, all);
    })?;
    drop(progress);
    say!("{to} has the journal of {from}: {} frames, read back and replayed.", copied.frames);
    say!("head          {}:{}", copied.sequence, copied.frame_hash);
    say!("state digest  {}", HEXLOWER.encode(&copied.digest));
    say!("people        {} rows", copied.people);
    if copied.people_missing > 0 {
        say!(
            "              NOT copied: the rows of {} persons, missing in the source",
            copied.people_missing
        );
    }
    say!("pictures      {}", copied.pictures);
    if copied.pictures_missing > 0 {
        say!("              NOT copied: {}, missing or damaged in the source", copied.pictures_missing);
    }
    say!("master.key    NOT copied: every node needs the source's");
    Ok(ExitCode::SUCCESS)
}

/// Adds the password to a database URL; a folder needs none.
fn with_password_from(file: Option<&Path>, place: &JournalPlace) -> Result<JournalPlace, SettingsError> {
    match (place, file) {
        (JournalPlace::Database(url), Some(file)) => Ok(JournalPlace::Database(with_password(url, file)?)),
        _ => Ok(place.clone()),
    }
}
