//! `admin sports`: leagues, teams and games from a file, the linked events of a game, its result. GAME is a slug or an id.

use std::path::{Path, PathBuf};

use api::decimal::PropLine;
use api::response::Score;
use api::terms::{Currency, Engine};
use clap::Subcommand;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::client::Method;
use super::description::Terms;
use super::desk::{Body, Desk, PAYOUT_COLUMNS, Trouble, segment};
use super::files;
use super::values::{Evidence, goals, score, word};

/// Things that one request brings: a body has a bound, a file has none.
const ITEMS_AT_ONCE: usize = 100;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Leagues, teams and games
    List,
    /// Take leagues, teams and games over as a TOML or JSON file has them
    Import {
        /// `-` is JSON on standard input
        file: PathBuf,
    },
    /// Make the three linked drafts of a soccer game: who wins, by how much, how many goals
    CreateEvents {
        game: String,
        /// CLOB is an order book, AMM a pool
        #[arg(long, value_parser = word::<Engine>, default_value = "CLOB")]
        engine: Engine,
        /// What they trade in; once for each currency [default: USD]
        #[arg(long = "currency", value_parser = word::<Currency>)]
        currencies: Vec<Currency>,
        /// A margin in goals; once for each
        #[arg(long = "spread", value_name = "GOALS", value_parser = goals, default_value = "1.5")]
        spreads: Vec<PropLine>,
        /// Goals of the whole game; twice at least
        #[arg(long = "total", value_name = "GOALS", value_parser = goals, default_values = ["1.5", "2.5"])]
        totals: Vec<PropLine>,
        #[command(flatten)]
        terms: Terms,
    },
    /// What a score would pay; changes nothing
    Preview {
        game: String,
        /// Home and away, such as 2:1
        #[arg(long, value_parser = score)]
        score: Score,
    },
    /// End the game and pay by all its events at once, where one person may
    Result {
        game: String,
        /// Home and away, such as 2:1
        #[arg(long, value_parser = score)]
        score: Score,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Say how it ended, with evidence, for everyone to see; `admin proposals finalise` pays
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

fn goals_of(score: &Score) -> Body {
    Body::new().with("home", &score.home).with("away", &score.away)
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), Trouble> {
        match self {
            Command::List => desk.show("/admin/v1/sports", &[]),
            Command::Import { file } => import(desk, file),
            Command::CreateEvents { game, engine, currencies, spreads, totals, terms } => {
                let currencies = if currencies.is_empty() { &[Currency::Usd] } else { &**currencies };
                let body = Body::new()
                    .with("engine", engine)
                    .with("currencies", currencies)
                    .with("spreads", spreads)
                    .with("totals", totals);
                let columns = ["eventId", "slug", "status"];
                desk.send(Method::Post, &path(game, "events"), &terms.add_to(body), &columns)
            }
            Command::Preview { game, score } => {
                desk.send(Method::Post, &path(game, "preview"), &goals_of(score), PAYOUT_COLUMNS)
            }
            Command::Result { game, score, yes } => {
                let body = goals_of(score);
                let preview = desk.preview(&path(game, "preview"), &body, *yes)?;
                let question = format!("End {game} {}:{} and pay this?", score.home, score.away);
                desk.confirm(preview.as_deref(), &question, *yes)?;
                desk.send(Method::Post, &path(game, "result"), &body, &["eventId", "slug", "status"])
            }
            Command::Propose { game, score, evidence } => {
                let body = Body::new().maybe("score", goals_of(score).raw().as_ref());
                let body = body.maybe("evidence", evidence.body().as_ref());
                desk.send(Method::Post, &path(game, "propose"), &body, &[])
            }
        }
    }
}

/// What a file has. Each thing is handed on as it is written.
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
fn import(desk: &Desk, file: &Path) -> Result<(), Trouble> {
    let text = files::description(file)?;
    let given: File = serde_json::from_str(&text)
        .map_err(|error| Trouble::input(format!("{}: {error}", file.display())))?;
    for (name, things) in [("leagues", &given.leagues), ("teams", &given.teams), ("games", &given.games)] {
        for some in things.chunks(ITEMS_AT_ONCE) {
            desk.ask(Method::Post, "/admin/v1/sports/import", &Body::new().with(name, some).text())?;
        }
    }
    let body = Body::new()
        .with("leagues", &given.leagues.len())
        .with("teams", &given.teams.len())
        .with("games", &given.games.len());
    desk.tell(&body.text(), &[]);
    Ok(())
}
