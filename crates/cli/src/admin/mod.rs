//! `bellwether admin`: what an operator asks of a running exchange, over its operators' listener.
//!
//! Each command is one request; `client.rs` sends it, `table.rs` shows the answer.

mod client;
mod table;

use std::error::Error;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use api::Word;
use api::decimal::{Money, Price};
use api::terms::{Currency, OutcomeSide};
use clap::{Args, Subcommand};
use serde::Serialize;
use uuid::Uuid;

use client::{Client, Method};

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
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// How the venue is
    Status,
    /// Make an account
    CreateUser {
        #[arg(long)]
        email: String,
        /// The name that others see: 3 to 30 letters, digits or underscores
        #[arg(long)]
        tag: String,
        /// The file with the password; without it BELLWETHER_PASSWORD, or none at all
        #[arg(long)]
        password_file: Option<PathBuf>,
    },
    /// Put money into a wallet; `--user house` is the house
    Credit(Transfer),
    /// Take money out of a wallet
    Debit(Transfer),
    /// Make a draft event from a JSON description
    CreateEvent {
        /// The description; `-` is standard input
        file: PathBuf,
    },
    /// Let a draft event trade
    OpenEvent { event: Uuid },
    /// Stop trading for now
    PauseEvent { event: Uuid },
    /// Go on trading
    ResumeEvent { event: Uuid },
    /// Stop trading for good; what rests is refunded
    CloseEvent { event: Uuid },
    /// Call everything off and pay each share the same, whatever happened
    CancelEvent {
        event: Uuid,
        /// What a YES share pays; NO pays the rest to 1 [default: 0.5]
        #[arg(long, value_parser = money)]
        yes_price: Option<Money>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Put the house's money into a market's pool
    SeedPool {
        market: Uuid,
        #[arg(long, value_parser = word::<Currency>)]
        currency: Currency,
        #[arg(long, value_parser = money)]
        amount: Money,
        /// The price of YES, 0.01 to 0.99
        #[arg(long, value_parser = price)]
        price: Price,
    },
    /// Say what happened and pay the winners
    ResolveMarket {
        market: Uuid,
        #[arg(long, value_parser = word::<OutcomeSide>)]
        outcome: OutcomeSide,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
struct Transfer {
    /// A user's id, or `house`
    #[arg(long)]
    user: String,
    #[arg(long, value_parser = word::<Currency>)]
    currency: Currency,
    #[arg(long, value_parser = money)]
    amount: Money,
    /// What stands for this payment elsewhere; each is taken once
    #[arg(long)]
    reference: String,
}

#[derive(Serialize)]
struct TransferBody<'a> {
    currency: Currency,
    amount: Money,
    reference: &'a str,
}

#[derive(Serialize)]
struct CreateUserBody<'a> {
    email: &'a str,
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<String>,
}

#[derive(Serialize)]
struct SeedBody {
    currency: Currency,
    amount: Money,
    price: Price,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CancelBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    yes_price: Option<Money>,
}

#[derive(Serialize)]
struct ResolveBody {
    outcome: OutcomeSide,
}

/// One request: where and with what.
struct Asked {
    method: Method,
    path: String,
    body: Vec<u8>,
}

impl Asked {
    fn post(path: String, body: &impl Serialize) -> Result<Asked, serde_json::Error> {
        Ok(Asked { method: Method::Post, path, body: serde_json::to_vec(body)? })
    }

    fn act(path: String) -> Asked {
        Asked { method: Method::Post, path, body: Vec::new() }
    }
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(question) = options.command.question()
        && !confirm(&question)?
    {
        eprintln!("Nothing was done.");
        return Ok(ExitCode::FAILURE);
    }
    let client = Client::new(&options.url, &options.token_file)?;
    let asked = options.command.asked()?;
    let answer = client.send(asked.method, &asked.path, asked.body)?;
    let shown = if options.json { answer.body.clone() } else { table::show(&answer.body) };
    if answer.is_success {
        println!("{shown}");
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{shown}");
    Ok(ExitCode::FAILURE)
}

impl Command {
    fn asked(&self) -> Result<Asked, Box<dyn Error>> {
        let event = |event: &Uuid, action: &str| format!("/admin/v1/events/{event}/{action}");
        Ok(match self {
            Command::Status => {
                Asked { method: Method::Get, path: "/admin/v1/status".to_owned(), body: Vec::new() }
            }
            Command::CreateUser { email, tag, password_file } => {
                let password = new_password(password_file.as_deref())?;
                Asked::post("/admin/v1/users".to_owned(), &CreateUserBody { email, tag, password })?
            }
            Command::Credit(transfer) => transfer.asked("credit")?,
            Command::Debit(transfer) => transfer.asked("debit")?,
            Command::CreateEvent { file } => {
                let body = read_description(file)?;
                Asked { method: Method::Post, path: "/admin/v1/events".to_owned(), body }
            }
            Command::OpenEvent { event: id } => Asked::act(event(id, "open")),
            Command::PauseEvent { event: id } => Asked::act(event(id, "pause")),
            Command::ResumeEvent { event: id } => Asked::act(event(id, "resume")),
            Command::CloseEvent { event: id } => Asked::act(event(id, "close")),
            Command::CancelEvent { event: id, yes_price, .. } => {
                Asked::post(event(id, "cancel"), &CancelBody { yes_price: *yes_price })?
            }
            Command::SeedPool { market, currency, amount, price } => {
                let body = SeedBody { currency: *currency, amount: *amount, price: *price };
                Asked::post(format!("/admin/v1/markets/{market}/seed"), &body)?
            }
            Command::ResolveMarket { market, outcome, .. } => Asked::post(
                format!("/admin/v1/markets/{market}/resolve"),
                &ResolveBody { outcome: *outcome },
            )?,
        })
    }

    /// What cannot be taken back is asked about.
    fn question(&self) -> Option<String> {
        match self {
            Command::ResolveMarket { market, outcome, yes: false } => {
                Some(format!("Resolve market {market} {outcome} and pay its holders?"))
            }
            Command::CancelEvent { event, yes: false, .. } => {
                Some(format!("Cancel event {event} with all its markets?"))
            }
            _ => None,
        }
    }
}

impl Transfer {
    fn asked(&self, action: &str) -> Result<Asked, serde_json::Error> {
        let path = match self.user.as_str() {
            "house" => format!("/admin/v1/house/{action}"),
            user => format!("/admin/v1/users/{user}/{action}"),
        };
        let Transfer { currency, amount, reference, .. } = self;
        Asked::post(path, &TransferBody { currency: *currency, amount: *amount, reference })
    }
}

fn confirm(question: &str) -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        eprintln!("{question} Nobody can answer here: say --yes if you mean it.");
        return Ok(false);
    }
    eprint!("{question} It cannot be taken back. Type yes: ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer.trim() == "yes")
}

/// Never on the command line, where everyone on the machine can read it.
fn new_password(file: Option<&Path>) -> io::Result<Option<String>> {
    match file {
        Some(file) => {
            fs::read_to_string(file).map(|text| Some(text.trim_end_matches(['\r', '\n']).to_owned()))
        }
        None => Ok(env::var("BELLWETHER_PASSWORD").ok()),
    }
}

fn read_description(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return fs::read(file);
    }
    let mut description = Vec::new();
    io::stdin().read_to_end(&mut description)?;
    Ok(description)
}

fn word<T: Word>(text: &str) -> Result<T, String> {
    T::find_in_any_case(text).ok_or_else(|| format!("must be {}", T::choices()))
}

fn money(text: &str) -> Result<Money, String> {
    Money::parse(text).map_err(|fault| fault.to_string())
}

fn price(text: &str) -> Result<Price, String> {
    Price::parse(text).map_err(|fault| fault.to_string())
}
