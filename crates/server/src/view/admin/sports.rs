//! Leagues, teams and games.

use api::admin::response::{GameState, LeagueState, SportsData, TeamState};
use exchange::catalogue::{self, Sports};

use crate::view::sport::{shown_clock, shown_score};
use crate::view::words::ToApi;

pub fn sports_data(sports: &Sports) -> SportsData {
    let league = |league: &catalogue::League| LeagueState {
        league_id: league.id.to_api(),
        key: league.key.to_string(),
        name: league.name.to_string(),
        sport: league.sport.to_string(),
    };
    SportsData {
        leagues: sports.leagues.values().map(league).collect(),
        teams: sports.teams.values().map(|team| team_state(sports, team)).collect(),
        games: sports.games.values().map(|game| game_state(sports, game)).collect(),
    }
}

fn league_key(sports: &Sports, league: exchange::id::LeagueId) -> String {
    sports.leagues.get(&league).map_or_else(String::new, |league| league.key.to_string())
}

fn team_state(sports: &Sports, team: &catalogue::Team) -> TeamState {
    TeamState {
        team_id: team.id.to_api(),
        slug: team.slug.to_string(),
        name: team.name.to_string(),
        league: league_key(sports, team.league),
    }
}

fn game_state(sports: &Sports, game: &catalogue::Game) -> GameState {
    let slug = |team| sports.teams.get(&team).map_or_else(String::new, |team| team.slug.to_string());
    GameState {
        game_id: game.id.to_api(),
        slug: game.slug.to_string(),
        league: league_key(sports, game.league),
        home: slug(game.home),
        away: slug(game.away),
        start_date: game.start.to_api(),
        status: game.status.to_api(),
        sport: game.sport.to_string(),
        utc_offset_minutes: game.utc_offset_minutes,
        is_popular: game.is_popular,
        score: shown_score(game),
        clock: shown_clock(game),
    }
}
