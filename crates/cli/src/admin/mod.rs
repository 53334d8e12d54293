//! `bellwether admin`: what an operator asks of a running exchange, over its operators' listener.
//!
//! A file for each group of commands. `desk.rs` asks, shows and confirms, `client.rs` sends, `table.rs` prints,
//! `values.rs` reads flags, `files.rs` descriptions. Nothing here decides anything: the exchange does.

mod audit;
mod client;
mod description;
mod desk;
mod events;
mod fees;
mod files;
mod markets;
mod operators;
mod proposals;
mod rules;
mod series;
mod sports;
mod table;
mod users;
mod values;
mod verdict;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use client::{Client, Method};
use desk::{Body, Desk, Trouble};

#[derive(Debug, Args)]
pub struct Options {
    /// The operators' listener
    #[arg(long, env = "BELLWETHER_ADMIN_URL", default_value = "http://127.0.0.1:8081", global = true)]
    url: String,
    /// The file with the operator's token
    #[arg(
        long,
        env = "BELLWETHER_OPERATOR_TOKEN_FILE",
        default_value = "data/operator.token",
        global = true
    )]
    token_file: PathBuf,
    /// Print the answer as it came
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    group: Group,
}

#[derive(Debug, Subcommand)]
enum Group {
    /// How the venue is
    Status,
    /// Who runs the venue: list, create, role, confirm, suspend, reinstate, revoke
    #[command(subcommand)]
    Operators(operators::Command),
    /// What operators may do alone: show, set
    #[command(subcommand)]
    Policy(operators::PolicyCommand),
    /// Accounts and their money: list, show, create, suspend, credit and so on
    #[command(subcommand)]
    Users(users::Command),
    /// Fees that were collected: move
    #[command(subcommand)]
    Fees(fees::Command),
    /// Events from draft to payout; EVENT is a slug or an id
    #[command(subcommand)]
    Events(events::Command),
    /// One market alone; MARKET is an id, the slug of an event with one market, or `slug:2`
    #[command(subcommand)]
    Markets(markets::Command),
    /// What waits for a second person or for its time
    #[command(subcommand)]
    Proposals(proposals::Command),
    /// One question again and again: list, create, pause, resume, finalise
    #[command(subcommand)]
    Series(series::Command),
    /// Prices of assets: list, push
    #[command(subcommand)]
    Feeds(series::FeedCommand),
    /// Leagues, teams, games, and what is bet on them
    #[command(subcommand)]
    Sports(sports::Command),
    /// Let nothing be placed, amended or minted; `off` ends it
    CancelOnly { switch: Switch },
    /// The rules that the log is decided by: show, upgrade
    #[command(subcommand)]
    Rules(rules::Command),
    /// Who did what, the newest first
    Audit(audit::Filter),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    On,
    Off,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let client = Client::new(&options.url, &options.token_file)?;
    let desk = Desk { client, json: options.json };
    match options.group.run(&desk) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(trouble) => {
            eprintln!("{trouble}");
            Ok(ExitCode::FAILURE)
        }
    }
}

impl Group {
    fn run(&self, desk: &Desk) -> Result<(), Trouble> {
        match self {
            Group::Status => desk.show("/admin/v1/status", &[]),
            Group::Operators(command) => command.run(desk),
            Group::Policy(command) => command.run(desk),
            Group::Users(command) => command.run(desk),
            Group::Fees(command) => command.run(desk),
            Group::Events(command) => command.run(desk),
            Group::Markets(command) => command.run(desk),
            Group::Proposals(command) => command.run(desk),
            Group::Series(command) => command.run(desk),
            Group::Feeds(command) => command.run(desk),
            Group::Sports(command) => command.run(desk),
            Group::CancelOnly { switch } => {
                let body = Body::new().with("on", &matches!(switch, Switch::On));
                desk.send(Method::Put, "/admin/v1/cancel-only", &body, &[])
            }
            Group::Rules(command) => command.run(desk),
            Group::Audit(filter) => filter.run(desk),
        }
    }
}
