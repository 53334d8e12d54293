//! `bellwether master-key replace`: replaces a compromised master key.
//!
//! The new key is written beside the old one, its fingerprint goes into the journal, the people store is rewrapped
//! under it, then it replaces the old file. After a crash, a second run finishes the rest.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use api::signing::MasterKey;
use clap::{Args, Subcommand};
use exchange::command::{Command, ReplaceMasterKey};
use server::audit::people::open_rows;
use server::offline::Offline;
use server::people::moving::{is_empty, is_wrapped_under, rewrap};
use server::people::{PeopleError, Rows};
use server::secrets::{fingerprint, make_master_key, master_key};

use crate::logging;
use crate::output::say;
use crate::place::Place;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    /// Create a new master key and record it, while every node is stopped.
    ///
    /// Every API key is refused until its owner rotates it, on the page or with a session. Give every node the new
    /// master.key.
    Replace {
        #[command(flatten)]
        place: Place,
    },
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let Commands::Replace { place } = &options.command;
    logging::start(LogFormat::Text, tracing::Level::WARN)?;
    let (folder, journal) = (&place.data, place.find()?);
    let mut progress = Progress::named("reading the journal");
    let mut offline = Offline::open(&journal, |done, all| progress.report(done, all))?;
    drop(progress);

    let (old, new) = (folder.join("master.key"), folder.join("master.key.new"));
    let master = match master_key(&new)? {
        // Created by an interrupted run.
        Some(master) => master,
        None => make_master_key(&new)?,
    };
    let mut people = open_rows(&journal)?;
    let compromised = check_people(&mut *people, &old, &master)?;
    let recorded = offline.exchange().directory().master_key();
    if recorded != Some(fingerprint(&master)) {
        let sequence = offline
            .give(Command::ReplaceMasterKey(ReplaceMasterKey { fingerprint: fingerprint(&master) }))?;
        say!("The journal records the new master key at sequence {sequence}.");
    }
    if let Some(compromised) = compromised {
        let rows = rewrap(&mut *people, &compromised, &master)?;
        say!("The people store is wrapped under the new master key: {rows} rows.");
    }
    drop(people);
    put_in_place(&new, &old, folder)?;
    let keys: usize = offline.exchange().directory().users().map(|(_, user)| user.keys.len()).sum();
    say!("{} has the new master key. {keys} API keys are refused until they are rotated.", old.display());
    Ok(ExitCode::SUCCESS)
}

/// The master key that the people store is still wrapped under; none if it needs no rewrapping. Fails, before anything is
/// recorded, if rewrapping is impossible.
fn check_people(
    people: &mut dyn Rows,
    old: &Path,
    new: &MasterKey,
) -> Result<Option<MasterKey>, Box<dyn Error>> {
    if is_empty(people)? || is_wrapped_under(people, new)? {
        return Ok(None);
    }
    match master_key(old)? {
        Some(master) if is_wrapped_under(people, &master)? => Ok(Some(master)),
        Some(_) => Err(PeopleError::OtherMasterKey.into()),
        None => {
            Err(format!("{} is missing: without it the people store cannot be opened", old.display()).into())
        }
    }
}

fn put_in_place(new: &Path, old: &Path, folder: &Path) -> io::Result<()> {
    fs::rename(new, old)?;
    File::open(folder)?.sync_all()
}
