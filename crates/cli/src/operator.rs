//! `bellwether operator`: an operator's own token, and recovery when no approver can act.

use std::error::Error;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use data_encoding::HEXLOWER;
use exchange::command::{BreakGlass, Command};
use exchange::id::OperatorId;
use exchange::text::Text;
use server::offline::Offline;
use server::secrets::{random_token, read_hash, token_hash};
use uuid::Uuid;

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
    /// Create a token on your own machine, and its hash for the approver who creates you.
    ///
    /// Keep the token in a file that only you can read. Hand over only the hash, which grants no access.
    Token,
    /// Break-glass: write a new approver into the journal while the exchange is stopped.
    ///
    /// For 24 hours this approver finalises proposals about operators alone, and no others. Every operator sees it in the
    /// console and in the audit log.
    Reset {
        #[command(flatten)]
        place: Place,
        #[arg(long, default_value = "rescue")]
        name: String,
        /// The hash printed by `bellwether operator token`; without it a token is created and printed
        #[arg(long, value_parser = hash)]
        token_hash: Option<exchange::id::Hash32>,
    },
}

fn hash(text: &str) -> Result<exchange::id::Hash32, String> {
    read_hash(text).ok_or_else(|| "64 hexadecimal digits are a hash".to_owned())
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    match &options.command {
        Commands::Token => {
            let token = new_token();
            say!("token  {token}");
            say!("hash   {}", HEXLOWER.encode(token_hash(token.as_bytes()).as_bytes()));
            Ok(ExitCode::SUCCESS)
        }
        Commands::Reset { place, name, token_hash } => reset(place, name, *token_hash),
    }
}

fn new_token() -> String {
    format!("op_{}", random_token())
}

fn reset(place: &Place, name: &str, given: Option<exchange::id::Hash32>) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::WARN)?;
    let place = place.find()?;
    let token = given.is_none().then(new_token);
    let token_hash = match (&token, given) {
        (Some(token), _) => token_hash(token.as_bytes()),
        (None, Some(given)) => given,
        (None, None) => return Err("a token or its hash is needed".into()),
    };
    let mut progress = Progress::named("reading the journal");
    let mut offline = Offline::open(&place, |done, all| progress.report(done, all))?;
    drop(progress);
    let id = OperatorId::new(Uuid::now_v7().as_u128());
    let sequence =
        offline.give(Command::BreakGlass(BreakGlass { id, name: Text::from(name), token_hash }))?;
    say!("Approver {name} is in the journal of {place}, at sequence {sequence}.");
    if let Some(token) = token {
        say!("token  {token}");
    }
    say!("For 24 hours this approver finalises proposals about operators alone, and no others.");
    Ok(ExitCode::SUCCESS)
}
