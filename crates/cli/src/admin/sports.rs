//! `admin sports`: leagues, teams and games from a file, the linked events of a game, its result. GAME is a slug or an id.

use std::path::{Path, PathBuf};

use api::admin::request::{CreateSoccerEvents, ProposeResult};
use api::admin::response::ImportedCounts;
use api::decimal::PropLine;
use api::response::Score;
use api::terms::{Currency, Engine};
use clap::Subcommand;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::client::Method;
use super::description::{Terms, or_usd};
use super::desk::{CommandError, Desk, PAYOUT_COLUMNS, segment, text};
use super::files;
use super::values::{Evidence, goals, score, word};

/// Items per request: the size of a body is limited, that of a file is not.
const ITEMS_AT_ONCE: usize = 100;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List leagues, teams and games
    List,
    /// Import leagues, teams and games from a TOML or JSON file
    Import {
        /// `-` is JSON on standard input
        file: PathBuf,
    },
    /// Create the three linked drafts of a soccer game: winner, margin, number of goals
    CreateEvents {
        game: String,
        /// CLOB: an order book; AMM: a pool
        #[arg(long, value_parser = word::<Engine>, default_value = "CLOB")]
        engine: Engine,
        /// A currency to trade in; repeatable [default: USD]
        #[arg(long = "currency", value_parser = word::<Currency>)]
        currencies: Vec<Currency>,
        /// A margin in goals; repeatable
        #[arg(long = "spread", value_name = "GOALS", value_parser = goals, default_value = "1.5")]
        spreads: Vec<PropLine>,
        /// Goals in the whole game; at least two values
        #[arg(long = "total", value_name = "GOALS", value_parser = goals, default_values = ["1.5", "2.5"])]
        totals: Vec<PropLine>,
        #[command(flatten)]
        terms: Terms,
    },
    /// Preview the payout of a score; changes nothing
    Preview {
        game: String,
        /// Home and away, such as 2:1
        #[arg(long, value_parser = score)]
        score: Score,
    },
    /// End the game and pay all its events at once, where one person may
    Result {
        game: String,
        /// Home and away, such as 2:1
        #[arg(long, value_parser = score)]
        score: Score,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Propose a result with evidence, which becomes public; `admin proposals finalise` pays
    Propose {
        game: String,
        /// Home and away, such as 2:1
        #[arg(long, value_parser = score)]
        score: Score,
        #[command(flatten)]
        evidence: Evidence,
    },
}

fn path(game: &str, action: &str) -> String {
    format!("/admin/v1/sports/games/{}/{action}", segment(game))
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            Command::List => desk.show("/admin/v1/sports", &[]),
            Command::Import { file } => import(desk, file),
            Command::CreateEvents { game, engine, currencies, spreads, totals, terms } => {
                let body = CreateSoccerEvents {
                    engine: *engine,
                    currencies: or_usd(currencies),
                    rules: terms.rules.clone(),
                    fee_percentage: terms.fee,
                    minimum_order_amount: terms.minimum_order_amount()?,
                    spreads: spreads.clone(),
                    totals: totals.clone(),
                };
                desk.send(Method::Post, &path(game, "events"), &body, &["eventId", "slug", "status"])
            }
            Command::Preview { game, score } => {
                desk.send(Method::Post, &path(game, "preview"), score, PAYOUT_COLUMNS)
            }
            Command::Result { game, score, yes } => {
                let preview = desk.preview(&path(game, "preview"), score, *yes)?;
                let question = format!("End {game} {}:{} and pay this?", score.home, score.away);
                desk.confirm(preview.as_deref(), &question, *yes)?;
                desk.send(Method::Post, &path(game, "result"), score, &["eventId", "slug", "status"])
            }
            Command::Propose { game, score, evidence } => {
                let body = ProposeResult { score: *score, evidence: evidence.given() };
                desk.send(Method::Post, &path(game, "propose"), &body, &[])
            }
        }
    }
}

/// The contents of a file. Items are passed on as written.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    leagues: Vec<Box<RawValue>>,
    #[serde(default)]
    teams: Vec<Box<RawValue>>,
    #[serde(default)]
    games: Vec<Box<RawValue>>,
}

/// Leagues before their teams, teams before their games.
fn import(desk: &Desk, file: &Path) -> Result<(), CommandError> {
    let written = files::description(file)?;
    let given: File = serde_json::from_str(&written)
        .map_err(|error| CommandError::input(format!("{}: {error}", file.display())))?;
    for (name, things) in [("leagues", &given.leagues), ("teams", &given.teams), ("games", &given.games)] {
        for some in things.chunks(ITEMS_AT_ONCE) {
            let items: Vec<&str> = some.iter().map(|item| item.get()).collect();
            let body = format!("{{\"{name}\":[{}]}}", items.join(","));
            desk.request(Method::Post, "/admin/v1/sports/import", &body)?;
        }
    }
    let counts =
        ImportedCounts { leagues: given.leagues.len(), teams: given.teams.len(), games: given.games.len() };
    desk.print(&text(&counts), &[]);
    Ok(())
}
