//! `bellwether demo`: the exchange with sample events, people and money, and bots that trade.
//!
//! `stage` creates what is missing, so a second start continues where the first stopped; `linked` adds series and sports.
//! `making` is the first start, `past` simulates days of trading in it. `record` is `demo.json`, `guide` the printed text.
//! `bots` trade, and `feed` simulates prices.

mod bots;
mod feed;
mod guide;
mod linked;
pub(crate) mod making;
mod past;
mod people;
mod record;
mod samples;
mod stage;
#[cfg(test)]
mod watched;

use std::error::Error;
use std::pin::Pin;
use std::process::ExitCode;

use clap::Args;
use server::admin::access::read_token;
use server::folder;
use tracing::Level;

use crate::logging;
use crate::service::{Hangup, Service};
use crate::settings::{Given, SettingsError};

/// A week and a day, so that a chart of a week is full from the start.
const PAST_DAYS: i64 = 8;

#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    given: Given,
    /// Start without bots: nothing happens unless you do it
    #[arg(long)]
    no_bots: bool,
    /// Days of simulated trading before the first start; 0 for none [default: 8, with --no-bots 0]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(0..=60))]
    past_days: Option<i64>,
}

pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let Options { mut given, no_bots, past_days } = options;
    // The demo's output is for people: by default only problems are logged.
    given.log = given.log.or_else(|| given.config.is_none().then(|| Level::WARN.into()));
    // Nothing routes requests to a demo, so nothing has to notice that it stops.
    given.drain_seconds = given.drain_seconds.or_else(|| given.config.is_none().then_some(0));
    let mut settings = given.settle()?;
    if settings.tls.is_some() {
        return Err(SettingsError::TlsOfDemo.into());
    }
    // A wrong clock cannot do lasting harm to a demo: warn only.
    settings.accept_clock = true;
    if !no_bots {
        feed::add_simulated(&mut settings.feeds);
    }
    let log = logging::start_for_node(&settings)?;
    // Lock the folder before anything in it is touched.
    let folder_lock = folder::lock(&settings.data)?;
    // An old file has old addresses; a script that waits for the file must not read it.
    folder::remove_if_exists(&record::path(&settings.data))?;
    let past_days = past_days.unwrap_or(if no_bots { 0 } else { PAST_DAYS });
    // A shared log keeps the past that it has.
    if settings.shared_log.is_none() {
        making::make_if_new(&settings, &folder_lock, past_days)?;
    }
    let service = Service::start_on(&settings, folder_lock, Hangup::of_terminal())?;
    service.node.app.signals().log_accesses(log.access_lines());
    let people = stage::build(&service.node.app)?;
    let operator_token = read_token(&settings.operator_token_file)?.unwrap_or_default();
    let record = record::Record::new(&service, operator_token, &people);
    record.write(&settings.data)?;
    guide::print(&record, &settings, &service.node.app, no_bots);
    let traders: Vec<_> = people.iter().skip(people::WITHOUT_BOT).cloned().collect();
    Ok(service.run(|app, stopping| {
        let mut tasks: Vec<Pin<Box<dyn Future<Output = ()> + Send>>> = Vec::new();
        if !no_bots {
            for trader in traders {
                tasks.push(Box::pin(bots::trade(app.clone(), trader, stopping.clone())));
            }
        }
        tasks
    })?)
}
