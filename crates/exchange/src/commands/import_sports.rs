//! `ImportSports`: imports leagues, teams and games. Known ids are replaced, new ones added, all or nothing.

use minicbor::{Decode, Encode};

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::authority::Caller;
use crate::catalogue::checks::{
    SLUG_CHARACTERS_MAX, check_date, check_name, check_short, check_slug, check_url, check_word, invalid,
    require,
};
use crate::catalogue::{Game, GameStatus, League, Sports, Team};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::governance::check_score;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

/// Items per import.
const IMPORT_ITEMS_MAX: usize = 1_000;
/// Shorter than an event's: the slug of a game's event is the game's slug followed by the kind.
const GAME_SLUG_CHARACTERS_MAX: usize = 100;
/// No time zone is further from UTC.
const UTC_OFFSET_MINUTES_MAX: i16 = 14 * 60;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ImportSports {
    #[n(0)]
    pub leagues: Vec<League>,
    #[n(1)]
    pub teams: Vec<Team>,
    #[n(2)]
    pub games: Vec<Game>,
}

impl Exchange {
    pub(crate) fn import_sports(&mut self, _: Caller, command: &ImportSports) -> Result<Reply, Reject> {
        let ImportSports { leagues, teams, games } = command;
        if leagues.len() + teams.len() + games.len() > IMPORT_ITEMS_MAX {
            return Err(Reject::BatchSize { max: IMPORT_ITEMS_MAX });
        }
        leagues.iter().try_for_each(check_league)?;
        teams.iter().try_for_each(check_team)?;
        games.iter().try_for_each(check_game)?;
        // Checks run on the result of the import, so that an import may contain a team with its league, or swap the
        // slugs of two teams.
        let mut sports = Sports::clone(&self.catalogue.sports);
        sports.leagues.extend(leagues.iter().map(|league| (league.id, league.clone())));
        sports.teams.extend(teams.iter().map(|team| (team.id, team.clone())));
        for game in games {
            // A result is recorded, never imported: it has paid people.
            let known = sports.games.get(&game.id).filter(|known| known.score.is_some());
            let (status, score) = known.map_or((game.status, None), |known| (known.status, known.score));
            let standing = game.standing.clone().filter(|_| score.is_none());
            sports.games.insert(game.id, Game { status, score, standing, ..game.clone() });
        }
        check_references(&sports, teams, games)?;
        check_slugs(&sports)?;

        self.catalogue.sports = Arc::new(sports);
        self.changes.push(Change::SportsImported);
        Ok(Reply::Done)
    }
}

fn check_league(league: &League) -> Result<(), Reject> {
    check_word("league key", &league.key)?;
    check_name("league name", &league.name)?;
    check_short("short_name", &league.short_name)?;
    check_word("sport", &league.sport)?;
    check_url("image_url", &league.image_url)
}

fn check_team(team: &Team) -> Result<(), Reject> {
    check_slug(&team.slug, SLUG_CHARACTERS_MAX)?;
    check_name("team name", &team.name)?;
    check_short("short_code", &team.short_code)?;
    check_word("sport", &team.sport)?;
    check_url("image_url", &team.image_url)
}

fn check_game(game: &Game) -> Result<(), Reject> {
    check_slug(&game.slug, GAME_SLUG_CHARACTERS_MAX)?;
    check_word("sport", &game.sport)?;
    check_date("start", game.start)?;
    let offset = -UTC_OFFSET_MINUTES_MAX..=UTC_OFFSET_MINUTES_MAX;
    require(offset.contains(&game.utc_offset_minutes), "utc_offset_minutes", "is at most 14 hours")?;
    require(game.home != game.away, "away", "differs from home")?;
    let Some(standing) = &game.standing else { return Ok(()) };
    require(game.status == GameStatus::Live, "score", "is of a game that is live")?;
    check_score(standing.score)?;
    check_short("clock", &standing.clock)
}

fn check_references(sports: &Sports, teams: &[Team], games: &[Game]) -> Result<(), Reject> {
    let leagues = teams.iter().map(|team| team.league).chain(games.iter().map(|game| game.league));
    if leagues.into_iter().any(|league| !sports.leagues.contains_key(&league)) {
        return Err(Reject::LeagueNotFound);
    }
    if games.iter().flat_map(|game| [game.home, game.away]).any(|team| !sports.teams.contains_key(&team)) {
        return Err(Reject::TeamNotFound);
    }
    Ok(())
}

fn check_slugs(sports: &Sports) -> Result<(), Reject> {
    if !all_differ(sports.leagues.values().map(|league| &league.key)) {
        return Err(invalid("league key", "is used once"));
    }
    let differ = all_differ(sports.teams.values().map(|team| &team.slug))
        && all_differ(sports.games.values().map(|game| &game.slug));
    if differ { Ok(()) } else { Err(Reject::DuplicateSlug) }
}

fn all_differ<'a>(mut words: impl Iterator<Item = &'a Text>) -> bool {
    let mut seen = BTreeSet::new();
    words.all(|word| seen.insert(word))
}
