//! `bellwether check`: whether the settings are valid. With `--production`, also a checklist before real money is traded:
//! each line is green, or says what to do.
//!
//! One file per group of lines; a line is a function of facts, so that a test can plant a fault. Nothing is changed, except
//! that a small file is written to the data folder and removed, to measure the disk.

mod backups;
mod files;
mod machine;
mod network;
mod venue;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::output::say;
use crate::settings::{Given, Settings};

/// What was found, or what is wrong and what to do about it.
type Finding = Result<String, String>;

#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    given: Given,
    /// Go through the checklist before real money is traded; the exchange must be running
    #[arg(long)]
    production: bool,
    /// The folder that `backup --every` writes to
    #[arg(long, env = "BELLWETHER_BACKUPS", value_name = "DIR")]
    backups: Option<PathBuf>,
    /// Lines that you accept as they are; separate several with commas
    #[arg(long, value_name = "LINE", value_delimiter = ',', requires = "production")]
    accept: Vec<Line>,
}

/// The lines of the checklist, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Line {
    Caps,
    SecondApprover,
    TokenFiles,
    Permissions,
    Tls,
    Proxies,
    Metrics,
    Backups,
    Clock,
    Descriptors,
    DiskSync,
    Standby,
}

pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let settings = options.given.settle()?;
    if !options.production {
        say!(
            "The settings are valid. `--production` goes through the checklist before real money is traded."
        );
        return Ok(ExitCode::SUCCESS);
    }
    let mut reds = 0;
    for (line, finding) in go_through(&settings, options.backups.as_deref()) {
        let name = line.name();
        match finding {
            Ok(found) => say!("green     {name:<16} {found}"),
            Err(wrong) if options.accept.contains(&line) => say!("accepted  {name:<16} {wrong}"),
            Err(wrong) => {
                reds += 1;
                say!("RED       {name:<16} {wrong}");
            }
        }
    }
    if reds == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let lines = if reds == 1 { "line is" } else { "lines are" };
    say!("{reds} {lines} red. Do what it says, or accept a line as it is with --accept LINE.");
    Ok(ExitCode::FAILURE)
}

fn go_through(settings: &Settings, backups: Option<&std::path::Path>) -> Vec<(Line, Finding)> {
    let venue = venue::Venue::fetch(settings);
    let of_venue = |look: fn(&venue::Venue) -> Finding| venue.as_ref().map_err(Clone::clone).and_then(look);
    Line::value_variants()
        .iter()
        .map(|line| {
            let finding = match line {
                Line::Caps => of_venue(|venue| venue::caps(&venue.policy)),
                Line::SecondApprover => {
                    of_venue(|venue| venue::second_approver(&venue.policy, &venue.operators))
                }
                Line::TokenFiles => files::token_files(settings),
                Line::Permissions => files::permissions(&settings.data),
                Line::Tls => network::tls(settings),
                Line::Proxies => network::proxies(settings),
                Line::Metrics => network::metrics(&network::public_url(settings)),
                Line::Backups => backups::backups(settings, backups),
                Line::Clock => machine::clock(machine::is_synchronised()),
                Line::Descriptors => machine::descriptors(
                    machine::descriptor_limit(settings),
                    settings.streams.connections_max,
                ),
                Line::DiskSync => {
                    machine::look_at_disk(&settings.data).and_then(|disk| machine::disk_sync(&disk))
                }
                Line::Standby => machine::standby(settings.shared_log.as_ref().map(|log| log.replicas_min)),
            };
            (*line, finding)
        })
        .collect()
}

impl Line {
    /// The name, as `--accept` takes it.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
