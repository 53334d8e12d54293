//! `ImportSports`: imports leagues, teams and games. Known ids are replaced, new ones added, all or nothing.

use minicbor::{Decode, Encode};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::authority::Caller;
use crate::catalogue::checks::{
    SLUG_CHARACTERS_MAX, check_date, check_name, check_short, check_slug, check_url, check_word, invalid,
    require,
};
use crate::catalogue::{Action, Game, GameStatus, League, Sports, Status, Team};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::governance::check_score;
use crate::id::{GameId, LeagueId, TeamId};
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::Time;

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
        let games = &self.without_retired(games)[..];
        if self.since(4) {
            games.iter().try_for_each(|game| self.check_same_sides(game))?;
        }
        if self.since(5) {
            self.check_same_names(leagues, teams)?;
        }
        // Everything is checked before anything changes: a change copies what readers of the old state hold.
        self.catalogue.sports.check_import(&ImportedItems::of(leagues, teams, games))?;
        if games.iter().any(|game| self.catalogue.find_retired_game(&game.slug).is_some()) {
            return Err(Reject::DuplicateSlug);
        }

        let known: Vec<_> = games.iter().map(|game| self.known_game(game.id)).collect();
        self.replace_sports(command, games);
        self.changes.push(Change::SportsImported);
        if self.since(4) {
            for (game, known) in games.iter().zip(known) {
                self.follow_game(game.id, known.map(|(start, _)| start));
                self.list_ended_game(game.id, known.is_some_and(|(_, is_over)| is_over));
            }
        }
        Ok(Reply::Done)
    }

    /// When a known game was to start, and whether it was over.
    fn known_game(&self, game: GameId) -> Option<(Time, bool)> {
        self.catalogue.sports.games.get(&game).map(|known| (known.start, known.is_over()))
    }

    fn replace_sports(&mut self, command: &ImportSports, games: &[Game]) {
        Arc::make_mut(&mut self.catalogue.sports)
            .leagues
            .extend(command.leagues.iter().map(|league| (league.id, league.clone())));
        let sports = &self.catalogue.sports;
        let imported = games.iter().map(|game| {
            // A result is recorded, never imported: it has paid people.
            let known = sports.games.get(&game.id).filter(|known| known.score.is_some());
            let (status, score) = known.map_or((game.status, None), |known| (known.status, known.score));
            let standing = game.standing.clone().filter(|_| score.is_none());
            let is_unpaid = known.and_then(|known| known.is_unpaid);
            (game.id, Game { status, score, standing, is_unpaid, ..game.clone() })
        });
        let imported = imported.collect();
        let teams = command.teams.iter().map(|team| (team.id, team.clone())).collect();
        let is_unique = self.catalogue.put_sports(teams, imported);
        assert!(is_unique, "the slugs of an import were checked");
    }

    /// The games to import. A retired one stays as it was: its result has paid people, and feeds repeat old games.
    fn without_retired<'a>(&self, games: &'a [Game]) -> Cow<'a, [Game]> {
        let is_retired = |game: &Game| self.catalogue.is_retired_game(game.id);
        match games.iter().any(is_retired) {
            true => games.iter().filter(|game| !is_retired(game)).cloned().collect(),
            false => Cow::Borrowed(games),
        }
    }

    /// People traded on who plays where, and a result names the sides.
    fn check_same_sides(&self, game: &Game) -> Result<(), Reject> {
        let Some(known) = self.catalogue.sports.games.get(&game.id) else { return Ok(()) };
        let sides = |game: &Game| (game.home, game.away, game.league);
        let is_same = sides(known) == sides(game) && known.sport == game.sport;
        let is_fixed = known.score.is_some() || self.catalogue.events_of_game(game.id).next().is_some();
        match is_fixed {
            true if !is_same => Err(Reject::GameFixed),
            true if self.since(5) && known.slug != game.slug => {
                Err(Reject::NameFixed { name: known.slug.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Another name of a side would turn a question round without a change of the game. Pictures are not names.
    fn check_same_names(&self, leagues: &[League], teams: &[Team]) -> Result<(), Reject> {
        let (sports, fixed) = (&self.catalogue.sports, &self.catalogue.fixed_names);
        let known_team =
            |team: &Team| sports.teams.get(&team.id).filter(|known| known.names() != team.names());
        let renamed = teams.iter().filter(|team| fixed.has_team(team.id)).find_map(known_team);
        let known_league =
            |league: &League| sports.leagues.get(&league.id).filter(|known| known.names() != league.names());
        let other = leagues.iter().filter(|league| fixed.has_league(league.id)).find_map(known_league);
        match renamed.map(|team| &team.name).or(other.map(|league| &league.name)) {
            Some(name) => Err(Reject::NameFixed { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// Ends or moves trading on a game as its record says. `start`: when it was to start before this import.
    fn follow_game(&mut self, id: GameId, start: Option<Time>) {
        let Some(game) = self.catalogue.sports.games.get(&id) else { return };
        let (begins, status, has_begun) = (game.start, game.status, game.has_begun());
        if has_begun {
            return self.close_game(id);
        }
        let events: Vec<EventIndex> = self.catalogue.events_of_game(id).collect();
        for event in events {
            if status == GameStatus::Postponed {
                self.pause_event(event);
            }
            if let Some(start) = start.filter(|start| *start != begins) {
                self.move_closing(event, start, begins);
            }
        }
    }

    fn pause_event(&mut self, event: EventIndex) {
        let mut markets = self.catalogue.event(event).markets.clone();
        markets.retain(|market| self.catalogue.market(*market).status == Status::Open);
        self.move_markets(event, &markets, Action::Pause);
    }

    /// Trading that ended when the game was to start ends when it starts now, and never later than that.
    fn move_closing(&mut self, index: EventIndex, start: Time, begins: Time) {
        let event = self.catalogue.event(index);
        if !matches!(event.status, Status::Draft | Status::Open | Status::Paused) {
            return;
        }
        let closes =
            event.details.closing_date.filter(|date| *date != start).map_or(begins, |date| date.min(begins));
        let id = event.id;
        self.clear_event_timers(index);
        self.catalogue.event_mut(index).details.closing_date = Some(closes);
        self.arm_event(index);
        self.changes.push(Change::EventEdited { event: id });
        if closes <= self.now {
            self.close_due_event(id.as_u128());
        }
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

/// What an import contains, by id. Of two with one id the later counts.
struct ImportedItems<'a> {
    leagues: BTreeMap<LeagueId, &'a League>,
    teams: BTreeMap<TeamId, &'a Team>,
    games: BTreeMap<GameId, &'a Game>,
    /// The leagues that its teams and games name, those of replaced ones too.
    named_leagues: BTreeSet<LeagueId>,
    named_teams: BTreeSet<TeamId>,
}

impl<'a> ImportedItems<'a> {
    fn of(leagues: &'a [League], teams: &'a [Team], games: &'a [Game]) -> ImportedItems<'a> {
        let named_leagues = teams.iter().map(|team| team.league).chain(games.iter().map(|game| game.league));
        ImportedItems {
            leagues: leagues.iter().map(|league| (league.id, league)).collect(),
            teams: teams.iter().map(|team| (team.id, team)).collect(),
            games: games.iter().map(|game| (game.id, game)).collect(),
            named_leagues: named_leagues.collect(),
            named_teams: games.iter().flat_map(|game| [game.home, game.away]).collect(),
        }
    }
}

impl Sports {
    /// Checks what an import would make of these, so that it may contain a team with its league, or swap the slugs of two
    /// teams.
    fn check_import(&self, import: &ImportedItems) -> Result<(), Reject> {
        let has_league = |id: &LeagueId| import.leagues.contains_key(id) || self.leagues.contains_key(id);
        if !import.named_leagues.iter().all(has_league) {
            return Err(Reject::LeagueNotFound);
        }
        let has_team = |id: &TeamId| import.teams.contains_key(id) || self.teams.contains_key(id);
        if !import.named_teams.iter().all(has_team) {
            return Err(Reject::TeamNotFound);
        }
        let kept = self.leagues.values().filter(|league| !import.leagues.contains_key(&league.id));
        let keys = kept.chain(import.leagues.values().copied()).map(|league| &league.key);
        if !import.leagues.is_empty() && !all_differ(keys) {
            return Err(invalid("league key", "is used once"));
        }
        let keeps_team =
            |slug: &Text| self.find_team(slug).is_some_and(|team| !import.teams.contains_key(&team.id));
        let keeps_game =
            |slug: &Text| self.find_game(slug).is_some_and(|game| !import.games.contains_key(&game.id));
        let (teams, games) = (import.teams.values(), import.games.values());
        let is_unique = all_differ(teams.clone().map(|team| &team.slug))
            && all_differ(games.clone().map(|game| &game.slug))
            && !teams.clone().any(|team| keeps_team(&team.slug))
            && !games.clone().any(|game| keeps_game(&game.slug));
        if is_unique { Ok(()) } else { Err(Reject::DuplicateSlug) }
    }
}

fn all_differ<'a>(mut words: impl Iterator<Item = &'a Text>) -> bool {
    let mut seen = BTreeSet::new();
    words.all(|word| seen.insert(word))
}
