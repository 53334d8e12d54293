//! Leagues, teams and games from a file, identified by keys and slugs; and the linked events of a game.

use api::admin::request::{CreateSoccerEvents, ImportGame, ImportLeague, ImportSports, ImportTeam};
use api::decimal::PropLine;
use api::error::BadRequest;
use exchange::catalogue::{self, GameStatus, MarketDetails, Sports, Standing};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{GameId, LeagueId, TeamId};
use exchange::text::Text;

use super::{MarketParts, text};
use crate::identifiers::new_id;
use crate::view::words::ToExchange;

/// An import with ids.
#[derive(Debug)]
pub struct Imported {
    pub leagues: Vec<catalogue::League>,
    pub teams: Vec<catalogue::Team>,
    pub games: Vec<catalogue::Game>,
}

/// Known keys and slugs keep their ids; new ones get new ids.
pub fn imported(given: ImportSports, known: &Sports) -> Result<Imported, BadRequest> {
    let leagues: Vec<_> = given.leagues.into_iter().map(|league| new_league(league, known)).collect();
    let league = |path: String, key: &str| {
        let brought = leagues.iter().find(|league| *league.key == *key);
        let found = brought.or_else(|| known.leagues.values().find(|league| *league.key == *key));
        let found = found.map(|league| league.id);
        found.ok_or_else(|| BadRequest::at(path, format!("there is no league {key}")))
    };
    let mut teams = Vec::new();
    for (index, team) in given.teams.into_iter().enumerate() {
        let of = league(format!("teams[{index}].league"), &team.league)?;
        teams.push(new_team(team, known, of));
    }
    let team = |path: String, slug: &str| {
        let brought = teams.iter().find(|team: &&catalogue::Team| *team.slug == *slug);
        let found = brought.or_else(|| known.find_team(slug));
        let found = found.map(|team| team.id);
        found.ok_or_else(|| BadRequest::at(path, format!("there is no team {slug}")))
    };
    let mut games = Vec::new();
    for (index, game) in given.games.into_iter().enumerate() {
        let path = |key: &str| format!("games[{index}].{key}");
        let of = league(path("league"), &game.league)?;
        let sides = (team(path("home"), &game.home)?, team(path("away"), &game.away)?);
        games.push(new_game(game, known, of, sides));
    }
    Ok(Imported { leagues, teams, games })
}

fn new_league(given: ImportLeague, known: &Sports) -> catalogue::League {
    let known = known.leagues.values().find(|league| *league.key == *given.key);
    catalogue::League {
        id: known.map_or_else(|| LeagueId::new(new_id().as_u128()), |league| league.id),
        key: Text::from(given.key),
        name: Text::from(given.name),
        short_name: Text::from(given.short_name),
        sport: Text::from(given.sport),
        image_url: text(given.image_url),
    }
}

fn new_team(given: ImportTeam, known: &Sports, league: LeagueId) -> catalogue::Team {
    let known = known.find_team(&given.slug);
    catalogue::Team {
        id: known.map_or_else(|| TeamId::new(new_id().as_u128()), |team| team.id),
        sport: Text::from(given.sport),
        name: Text::from(given.name),
        slug: Text::from(given.slug),
        short_code: Text::from(given.short_code),
        league,
        image_url: text(given.image_url),
        is_popular: given.is_popular,
    }
}

fn new_game(given: ImportGame, known: &Sports, league: LeagueId, sides: (TeamId, TeamId)) -> catalogue::Game {
    let known = known.find_game(&given.slug);
    catalogue::Game {
        id: known.map_or_else(|| GameId::new(new_id().as_u128()), |game| game.id),
        slug: Text::from(given.slug),
        sport: Text::from(given.sport),
        league,
        home: sides.0,
        away: sides.1,
        start: given.start_date.to_exchange(),
        status: given.status.map_or(GameStatus::Unplayed, ToExchange::to_exchange),
        is_popular: given.is_popular,
        utc_offset_minutes: given.utc_offset_minutes,
        score: None,
        is_unpaid: None,
        standing: given.score.map(|score| Standing {
            score: score.to_exchange(),
            clock: Text::from(given.clock.unwrap_or_default()),
        }),
    }
}

pub fn new_soccer_events(given: CreateSoccerEvents, game: GameId) -> Result<NewSoccerEvents, BadRequest> {
    let mut market = MarketDetails::default();
    let parts = MarketParts {
        rules: given.rules,
        fee_percentage: given.fee_percentage,
        minimum_order_amount: given.minimum_order_amount,
        ..MarketParts::default()
    };
    parts.change("", &mut market)?;
    Ok(NewSoccerEvents {
        game,
        engine: given.engine.to_exchange(),
        currencies: given.currencies.into_iter().map(ToExchange::to_exchange).collect(),
        market,
        spreads: lines("spreads", &given.spreads)?,
        totals: lines("totals", &given.totals)?,
    })
}

fn lines(path: &str, lines: &[PropLine]) -> Result<Vec<i32>, BadRequest> {
    let line =
        |line: &PropLine| i32::try_from(line.units()).map_err(|_| BadRequest::at(path, "is too large"));
    lines.iter().map(line).collect()
}
