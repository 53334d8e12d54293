//! Leagues, teams and games, with their filters.

use api::identifier;
use api::query::{GamesQuery, TeamsQuery};
use api::response::{Game, Games, League, Leagues, Score, Team, Teams};
use api::timestamp::LocalTime;
use exchange::catalogue::{self, GameStatus, Sports};
use exchange::id::{LeagueId, TeamId};
use exchange::text::Text;

use super::pages::page;
use super::words::ToApi;

/// All leagues, by name.
pub fn leagues(sports: &Sports) -> Leagues {
    let mut leagues: Vec<&catalogue::League> = sports.leagues.values().collect();
    leagues.sort_by(|one, other| (&*one.name, one.id).cmp(&(&*other.name, other.id)));
    let league = |league: &&catalogue::League| League {
        name: league.name.to_string(),
        key: league.key.to_string(),
        short_name: league.short_name.to_string(),
        image_url: league.image_url.to_string(),
        sport: league.sport.to_string(),
    };
    Leagues { leagues: leagues.iter().map(league).collect() }
}

/// A page of teams, by name.
pub fn teams(sports: &Sports, query: &TeamsQuery) -> Teams {
    let filter = Filter::new(sports, query.league.as_deref(), query.sport.as_deref());
    let admitted = sports.teams.values().filter(|team| filter.admits(team.league, &team.sport));
    let mut found: Vec<&catalogue::Team> = admitted.collect();
    found.sort_by(|one, other| (&*one.name, one.id).cmp(&(&*other.name, other.id)));
    let (shown, pagination) = page(&found, query.pages());
    Teams { teams: shown.iter().map(|shown| team(sports, shown)).collect(), pagination }
}

/// A page of games, by start time.
pub fn games(sports: &Sports, query: &GamesQuery) -> Games {
    let filter = Filter::new(sports, query.league.as_deref(), query.sport.as_deref());
    let wanted = query.team.as_deref().map(|text| find_team(sports, text));
    let plays = |game: &catalogue::Game| {
        wanted.is_none_or(|team| team.is_some_and(|team| game.home == team || game.away == team))
    };
    let is_wanted = |game: &&catalogue::Game| {
        filter.admits(game.league, &game.sport)
            && plays(game)
            && query.slug.as_deref().is_none_or(|slug| *game.slug == *slug)
            && query.ended.is_none_or(|ended| ended == is_over(game.status))
    };
    let mut found: Vec<&catalogue::Game> = sports.games.values().filter(is_wanted).collect();
    found.sort_by_key(|game| (game.start, game.id));
    let (shown, pagination) = page(&found, query.pages());
    // Every game has its teams: the import requires them. So nothing is filtered out.
    Games { games: shown.iter().filter_map(|shown| game(sports, shown)).collect(), pagination }
}

fn is_over(status: GameStatus) -> bool {
    match status {
        GameStatus::Finished | GameStatus::Cancelled => true,
        GameStatus::Unplayed | GameStatus::Live | GameStatus::Postponed => false,
    }
}

/// A team by its id or its slug.
fn find_team(sports: &Sports, text: &str) -> Option<TeamId> {
    let by_id = identifier::parse(text).ok().map(|id| TeamId::new(id.as_u128()));
    let by_id = by_id.filter(|id| sports.teams.contains_key(id));
    by_id.or_else(|| sports.find_team(text).map(|team| team.id))
}

/// The filter that teams and games share, with the leagues looked up once.
struct Filter<'a> {
    /// Outer: whether there is a league filter. Inner: the leagues that match it.
    leagues: Option<Vec<LeagueId>>,
    sport: Option<&'a str>,
}

impl<'a> Filter<'a> {
    fn new(sports: &Sports, league: Option<&str>, sport: Option<&'a str>) -> Filter<'a> {
        let fitting = |word: &str| {
            let fits = |text: &Text| text.to_lowercase() == word.to_lowercase();
            let leagues = sports.leagues.values();
            let fitting = leagues
                .filter(|league| [&league.name, &league.key, &league.short_name].into_iter().any(fits));
            fitting.map(|league| league.id).collect()
        };
        Filter { leagues: league.map(fitting), sport }
    }

    fn admits(&self, league: LeagueId, sport: &str) -> bool {
        self.leagues.as_ref().is_none_or(|leagues| leagues.contains(&league))
            && self.sport.is_none_or(|wanted| wanted.to_lowercase() == sport.to_lowercase())
    }
}

pub(super) fn league_name(sports: &Sports, id: LeagueId) -> String {
    sports.leagues.get(&id).map_or_else(String::new, |league| league.name.to_string())
}

fn team(sports: &Sports, team: &catalogue::Team) -> Team {
    Team {
        id: team.id.to_api(),
        sport: team.sport.to_string(),
        name: team.name.to_string(),
        slug: team.slug.to_string(),
        short_code: team.short_code.to_string(),
        league: league_name(sports, team.league),
        image_url: team.image_url.to_string(),
        is_popular: team.is_popular,
    }
}

fn game(sports: &Sports, game: &catalogue::Game) -> Option<Game> {
    Some(Game {
        id: game.id.to_api(),
        slug: game.slug.to_string(),
        sport: game.sport.to_string(),
        home_team_id: game.home.to_api(),
        away_team_id: game.away.to_api(),
        start_date: LocalTime { at: game.start.to_api(), utc_offset_minutes: game.utc_offset_minutes },
        status: game.status.to_api(),
        is_live: game.status == GameStatus::Live,
        is_popular: game.is_popular,
        league: league_name(sports, game.league),
        home_team: team(sports, sports.teams.get(&game.home)?),
        away_team: team(sports, sports.teams.get(&game.away)?),
        score: shown_score(game),
        clock: shown_clock(game),
    })
}

/// The result, or how a live game stands.
pub fn shown_score(game: &catalogue::Game) -> Option<Score> {
    game.score.or(game.standing.as_ref().map(|standing| standing.score)).map(ToApi::to_api)
}

pub fn shown_clock(game: &catalogue::Game) -> Option<String> {
    let clock = game.standing.as_ref().map(|standing| standing.clock.to_string());
    clock.filter(|clock| !clock.is_empty())
}
