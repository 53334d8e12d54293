//! `bellwether replay`: a past state, as tables or as JSON.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use api::json;
use clap::Args;
use server::audit::DataFolder;
use server::audit::past::{Until, replay_until};
use uuid::Uuid;

use super::detail::{find_user, show_market, show_user};
use super::state;
use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    /// The data folder
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// The last sequence, or the last instant, to include
    #[arg(long, value_name = "SEQUENCE|TIME")]
    until: Until,
    /// The archive, if it was moved
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
    /// One user in detail, by id or tag
    #[arg(long, value_name = "ID|TAG")]
    user: Option<String>,
    /// One market in detail
    #[arg(long, value_name = "ID")]
    market: Option<Uuid>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let mut progress = Progress::new();
    let source = DataFolder { folder: &options.data, archive: options.archive.as_deref() };
    let past = replay_until(source, options.until, |done, all| progress.report(done, all))?;
    drop(progress);
    let exchange = &past.exchange;
    let mut shown = state::State::of(&past);
    if let Some(wanted) = &options.user {
        let user = find_user(exchange, wanted).ok_or_else(|| format!("there was no user {wanted}"))?;
        shown.user = Some(show_user(exchange, user));
    }
    if let Some(wanted) = options.market {
        let market = show_market(exchange, wanted).ok_or_else(|| format!("there was no market {wanted}"))?;
        shown.market = Some(market);
    }
    if options.json {
        say!("{}", json::pretty(&json::to_vec(&shown)));
    } else {
        shown.print();
    }
    Ok(ExitCode::SUCCESS)
}
