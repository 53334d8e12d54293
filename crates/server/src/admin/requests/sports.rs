//! Leagues, teams and games from a file, identified by keys and slugs; and the linked events of a game.

use api::Timestamp;
use api::decimal::{Percent, PropLine};
use api::error::BadRequest;
use api::terms;
use exchange::catalogue::{self, GameStatus, MarketDetails, Sports};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{GameId, LeagueId, TeamId};
use exchange::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Amounts, MarketParts, text};
use crate::view::words::ToExchange;

/// Leagues, teams and games as the world has them now. What is known by its key or slug is replaced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSports {
    #[serde(default)]
    leagues: Vec<ImportLeague>,
    #[serde(default)]
    teams: Vec<ImportTeam>,
    #[serde(default)]
    games: Vec<ImportGame>,
}

/// A league.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportLeague {
    #[schema(example = "england-premier-league")]
    key: String,
    name: String,
    short_name: String,
    #[schema(example = "soccer")]
    sport: String,
    image_url: Option<String>,
}

/// A team, with the key of its league.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportTeam {
    slug: String,
    name: String,
    short_code: String,
    sport: String,
    league: String,
    image_url: Option<String>,
    #[serde(default)]
    is_popular: bool,
}

/// A game, with the key of its league and the slugs of its teams.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportGame {
    slug: String,
    sport: String,
    league: String,
    home: String,
    away: String,
    start_date: Timestamp,
    /// Of the place where it is played, for showing.
    #[serde(default)]
    utc_offset_minutes: i16,
    status: Option<terms::GameStatus>,
    #[serde(default)]
    is_popular: bool,
}

/// An import with ids.
#[derive(Debug)]
pub struct Imported {
    pub leagues: Vec<catalogue::League>,
    pub teams: Vec<catalogue::Team>,
    pub games: Vec<catalogue::Game>,
}

impl ImportSports {
    /// Known keys and slugs keep their ids; new ones get new ids.
    pub fn into_imported(self, known: &Sports) -> Result<Imported, BadRequest> {
        let leagues: Vec<_> = self.leagues.into_iter().map(|league| league.into_league(known)).collect();
        let league = |path: String, key: &str| {
            let brought = leagues.iter().find(|league| *league.key == *key);
            let found = brought.or_else(|| known.leagues.values().find(|league| *league.key == *key));
            let found = found.map(|league| league.id);
            found.ok_or_else(|| BadRequest::at(path, format!("there is no league {key}")))
        };
        let mut teams = Vec::new();
        for (index, team) in self.teams.into_iter().enumerate() {
            let of = league(format!("teams[{index}].league"), &team.league)?;
            teams.push(team.into_team(known, of));
        }
        let team = |path: String, slug: &str| {
            let brought = teams.iter().find(|team: &&catalogue::Team| *team.slug == *slug);
            let found = brought.or_else(|| known.teams.values().find(|team| *team.slug == *slug));
            let found = found.map(|team| team.id);
            found.ok_or_else(|| BadRequest::at(path, format!("there is no team {slug}")))
        };
        let mut games = Vec::new();
        for (index, game) in self.games.into_iter().enumerate() {
            let path = |key: &str| format!("games[{index}].{key}");
            let of = league(path("league"), &game.league)?;
            let sides = (team(path("home"), &game.home)?, team(path("away"), &game.away)?);
            games.push(game.into_game(known, of, sides));
        }
        Ok(Imported { leagues, teams, games })
    }
}

impl ImportLeague {
    fn into_league(self, known: &Sports) -> catalogue::League {
        let known = known.leagues.values().find(|league| *league.key == *self.key);
        catalogue::League {
            id: known.map_or_else(|| LeagueId::new(Uuid::now_v7().as_u128()), |league| league.id),
            key: Text::from(self.key),
            name: Text::from(self.name),
            short_name: Text::from(self.short_name),
            sport: Text::from(self.sport),
            image_url: text(self.image_url),
        }
    }
}

impl ImportTeam {
    fn into_team(self, known: &Sports, league: LeagueId) -> catalogue::Team {
        let known = known.teams.values().find(|team| *team.slug == *self.slug);
        catalogue::Team {
            id: known.map_or_else(|| TeamId::new(Uuid::now_v7().as_u128()), |team| team.id),
            sport: Text::from(self.sport),
            name: Text::from(self.name),
            slug: Text::from(self.slug),
            short_code: Text::from(self.short_code),
            league,
            image_url: text(self.image_url),
            is_popular: self.is_popular,
        }
    }
}

impl ImportGame {
    fn into_game(self, known: &Sports, league: LeagueId, sides: (TeamId, TeamId)) -> catalogue::Game {
        let known = known.games.values().find(|game| *game.slug == *self.slug);
        catalogue::Game {
            id: known.map_or_else(|| GameId::new(Uuid::now_v7().as_u128()), |game| game.id),
            slug: Text::from(self.slug),
            sport: Text::from(self.sport),
            league,
            home: sides.0,
            away: sides.1,
            start: self.start_date.to_exchange(),
            status: self.status.map_or(GameStatus::Unplayed, ToExchange::to_exchange),
            is_popular: self.is_popular,
            utc_offset_minutes: self.utc_offset_minutes,
            score: None,
        }
    }
}

/// The three linked drafts of a soccer game: who wins, by how much, how many goals.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSoccerEvents {
    engine: terms::Engine,
    currencies: Vec<terms::Currency>,
    rules: Option<String>,
    /// In percent: 2 is 2 %.
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Amounts>,
    /// Margins in goals, a market for either team: 1.5 asks whether it wins by more.
    spreads: Vec<PropLine>,
    /// Goals of the whole game: 2.5 asks whether there are more. Two at least.
    totals: Vec<PropLine>,
}

impl CreateSoccerEvents {
    pub fn into_new(self, game: GameId) -> Result<NewSoccerEvents, BadRequest> {
        let mut market = MarketDetails::default();
        let parts = MarketParts {
            rules: self.rules,
            fee_percentage: self.fee_percentage,
            minimum_order_amount: self.minimum_order_amount,
            ..MarketParts::default()
        };
        parts.change("", &mut market)?;
        Ok(NewSoccerEvents {
            game,
            engine: self.engine.to_exchange(),
            currencies: self.currencies.into_iter().map(ToExchange::to_exchange).collect(),
            market,
            spreads: lines("spreads", &self.spreads)?,
            totals: lines("totals", &self.totals)?,
        })
    }
}

fn lines(path: &str, lines: &[PropLine]) -> Result<Vec<i32>, BadRequest> {
    let line =
        |line: &PropLine| i32::try_from(line.units()).map_err(|_| BadRequest::at(path, "is too large"));
    lines.iter().map(line).collect()
}
