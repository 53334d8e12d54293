//! `bellwether demo`: the exchange with sample events, people and money, and bots that trade.
//!
//! `stage` builds what is missing, so a second start goes on where the first stopped; `linked` has series and sports.
//! `record` is `demo.json`, `guide` what is printed, `bots` and `feed` what moves.

mod bots;
mod feed;
mod guide;
mod linked;
mod people;
mod record;
mod samples;
mod stage;

use std::error::Error;
use std::pin::Pin;
use std::process::ExitCode;

use clap::Args;
use server::admin::access::read_token;

use crate::logging;
use crate::service::Service;
use crate::settings::Given;

#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    given: Given,
    /// Leave the bots out: nothing happens unless you do it
    #[arg(long)]
    no_bots: bool,
}

pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let Options { mut given, no_bots } = options;
    // The demo talks to people: its logs say only what went wrong, unless asked for more.
    given.log = given.log.or_else(|| given.config.is_none().then(|| "warn".to_owned()));
    let settings = given.settle()?;
    logging::start(settings.log_format, &settings.log)?;
    // An old one names old addresses; whoever waits for the file waits for the new one.
    record::remove(&settings.data)?;
    let service = Service::start(&settings)?;
    let people = stage::build(&service.node.app)?;
    let operator_token = read_token(&settings.operator_token_file)?.unwrap_or_default();
    let record = record::Record::new(&service, operator_token, &people);
    record.write(&settings.data)?;
    guide::print(&record, &settings, &service.node.app, no_bots);
    let traders: Vec<_> = people.iter().skip(people::WITHOUT_BOT).cloned().collect();
    Ok(service.run(|app, stopping| {
        let mut tasks: Vec<Pin<Box<dyn Future<Output = ()> + Send>>> = Vec::new();
        if !no_bots {
            tasks.push(Box::pin(feed::quote(app.clone(), stopping.clone())));
            for trader in traders {
                tasks.push(Box::pin(bots::trade(app.clone(), trader, stopping.clone())));
            }
        }
        tasks
    })?)
}
