//! `bellwether admin`: operators' commands to a running exchange, over the operators' listener.
//!
//! One file per group of commands. `desk.rs` sends, prints and confirms, `client.rs` is the HTTP client, `table.rs`
//! formats, `values.rs` parses flags, `files.rs` reads descriptions. All decisions are made by the exchange.

mod audit;
mod client;
mod description;
mod desk;
mod events;
mod fees;
mod files;
mod markets;
mod news;
mod operators;
pub(crate) mod overview;
mod proposals;
mod rules;
mod series;
mod sports;
mod statistics;
mod table;
mod users;
mod values;
mod verdict;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use api::admin::request::SetCancelOnly;
use clap::{Args, Subcommand, ValueEnum};

use client::{Client, Method};
use desk::{CommandError, Desk};

#[derive(Debug, Args)]
pub struct Options {
    /// Address of the operators' listener
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
    /// Letters, digits, - and _: a repetition of the command with the same key within a day does nothing again
    #[arg(long, global = true, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Print the response as received
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    group: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Show the status of the venue
    Status,
    /// Operators: list, create, role, confirm, suspend, reinstate, revoke
    #[command(subcommand)]
    Operators(operators::Command),
    /// The policy on what operators may do alone: show, set
    #[command(subcommand)]
    Policy(operators::PolicyCommand),
    /// Accounts and their money: list, show, create, suspend, credit and so on
    #[command(subcommand)]
    Users(users::Command),
    /// Collected fees: move
    #[command(subcommand)]
    Fees(fees::Command),
    /// Events from draft to payout; EVENT is a slug or an id
    #[command(subcommand)]
    Events(events::Command),
    /// News on events: list, add, remove
    #[command(subcommand)]
    News(news::Command),
    /// One market alone; MARKET is an id, the slug of an event with one market, or `slug:2`
    #[command(subcommand)]
    Markets(markets::Command),
    /// Proposals that wait for a second person or for their time
    #[command(subcommand)]
    Proposals(proposals::Command),
    /// Recurring events: list, create, pause, resume, finalise
    #[command(subcommand)]
    Series(series::Command),
    /// Prices of assets: list, push
    #[command(subcommand)]
    Feeds(series::FeedCommand),
    /// Leagues, teams, games and their events
    #[command(subcommand)]
    Sports(sports::Command),
    /// Accept cancels only: nothing can be placed, amended or minted; `off` ends this
    CancelOnly { switch: Switch },
    /// The version of the log's rules: show, upgrade
    #[command(subcommand)]
    Rules(rules::Command),
    /// Volume, fees, trades, traders and results of pools over time
    Statistics(statistics::Span),
    /// The audit log: who did what, newest first
    Audit(audit::Filter),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    On,
    Off,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let client = Client::new(&options.url, &options.token_file)?.with_key(options.idempotency_key.clone());
    let desk = Desk { client, json: options.json };
    match options.group.run(&desk) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(trouble) => {
            eprintln!("{trouble}");
            Ok(ExitCode::FAILURE)
        }
    }
}

impl AdminCommand {
    fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            AdminCommand::Status => desk.show("/admin/v1/status", &[]),
            AdminCommand::Operators(command) => command.run(desk),
            AdminCommand::Policy(command) => command.run(desk),
            AdminCommand::Users(command) => command.run(desk),
            AdminCommand::Fees(command) => command.run(desk),
            AdminCommand::Events(command) => command.run(desk),
            AdminCommand::News(command) => command.run(desk),
            AdminCommand::Markets(command) => command.run(desk),
            AdminCommand::Proposals(command) => command.run(desk),
            AdminCommand::Series(command) => command.run(desk),
            AdminCommand::Feeds(command) => command.run(desk),
            AdminCommand::Sports(command) => command.run(desk),
            AdminCommand::CancelOnly { switch } => {
                let body = SetCancelOnly { on: matches!(switch, Switch::On) };
                desk.send(Method::Put, "/admin/v1/cancel-only", &body, &[])
            }
            AdminCommand::Rules(command) => command.run(desk),
            AdminCommand::Statistics(span) => span.run(desk),
            AdminCommand::Audit(filter) => filter.run(desk),
        }
    }
}
