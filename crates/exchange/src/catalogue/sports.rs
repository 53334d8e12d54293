//! Leagues, teams and games. They are imported, and events may link to a game.

use std::collections::BTreeMap;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use crate::branches::Branches;
use crate::governance::Score;
use crate::id::{GameId, LeagueId, TeamId};
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct League {
    #[n(0)]
    pub id: LeagueId,
    #[n(1)]
    pub key: Text,
    #[n(2)]
    pub name: Text,
    #[n(3)]
    pub short_name: Text,
    #[n(4)]
    pub sport: Text,
    #[n(5)]
    pub image_url: Text,
}

impl League {
    /// All by which people know it.
    pub(crate) fn names(&self) -> [&Text; 4] {
        [&self.key, &self.name, &self.short_name, &self.sport]
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Team {
    #[n(0)]
    pub id: TeamId,
    #[n(1)]
    pub sport: Text,
    #[n(2)]
    pub name: Text,
    #[n(3)]
    pub slug: Text,
    #[n(4)]
    pub short_code: Text,
    #[n(5)]
    pub league: LeagueId,
    #[n(6)]
    pub image_url: Text,
    #[n(7)]
    pub is_popular: bool,
}

impl Team {
    /// All by which people know it.
    pub(crate) fn names(&self) -> ([&Text; 4], LeagueId) {
        ([&self.name, &self.slug, &self.short_code, &self.sport], self.league)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum GameStatus {
    #[n(0)]
    Unplayed,
    #[n(1)]
    Live,
    #[n(2)]
    Finished,
    #[n(3)]
    Postponed,
    #[n(4)]
    Cancelled,
}

/// The score and the clock of a game that is played; only for display, no rule uses it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Standing {
    #[n(0)]
    pub score: Score,
    /// As the source writes it: "63'", "half time".
    #[n(1)]
    pub clock: Text,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Game {
    #[n(0)]
    pub id: GameId,
    #[n(1)]
    pub slug: Text,
    #[n(2)]
    pub sport: Text,
    #[n(3)]
    pub league: LeagueId,
    #[n(4)]
    pub home: TeamId,
    #[n(5)]
    pub away: TeamId,
    #[n(6)]
    pub start: Time,
    #[n(7)]
    pub status: GameStatus,
    #[n(8)]
    pub is_popular: bool,
    /// The UTC offset at the venue, in minutes; only for display.
    #[n(9)]
    pub utc_offset_minutes: i16,
    /// Set once the game is over. Imports neither set nor remove it.
    #[n(10)]
    pub score: Option<Score>,
    /// Set by imports while the game is live.
    #[n(11)]
    pub standing: Option<Standing>,
    /// The score was recorded and no market was paid by it, so it may still be corrected. Only under rules 4.
    #[n(12)]
    pub is_unpaid: Option<bool>,
}

impl Game {
    /// Whether people were paid by its score.
    pub fn is_paid(&self) -> bool {
        self.score.is_some() && self.is_unpaid != Some(true)
    }

    /// Whether nothing more will happen in it, except that its score may be recorded.
    pub fn is_over(&self) -> bool {
        matches!(self.status, GameStatus::Finished | GameStatus::Cancelled) || self.score.is_some()
    }

    /// Whether trading on it must have ended: it is played, over or called off, or its result is known.
    pub fn has_begun(&self) -> bool {
        let begun = matches!(self.status, GameStatus::Live | GameStatus::Finished | GameStatus::Cancelled);
        begun || self.score.is_some()
    }
}

/// Copies share what they have in common, so that a score costs the writer little while readers list a hundred thousand
/// games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sports {
    pub leagues: BTreeMap<LeagueId, League>,
    pub teams: Branches<TeamId, Team>,
    pub games: Branches<GameId, Game>,
    team_slugs: Branches<Text, TeamId>,
    game_slugs: Branches<Text, GameId>,
}

impl Sports {
    pub fn find_team(&self, slug: &str) -> Option<&Team> {
        self.teams.get(self.team_slugs.get(slug)?)
    }

    pub fn find_game(&self, slug: &str) -> Option<&Game> {
        self.games.get(self.game_slugs.get(slug)?)
    }

    /// Adds or replaces teams and games. False if two teams or two games of the result have one slug.
    pub(crate) fn put(&mut self, teams: BTreeMap<TeamId, Team>, games: BTreeMap<GameId, Game>) -> bool {
        // First without the slugs that change: an import may swap two.
        for (id, team) in &teams {
            if let Some(known) = self.teams.get(id).filter(|known| known.slug != team.slug) {
                self.team_slugs.remove(&known.slug);
            }
        }
        for (id, game) in &games {
            if let Some(known) = self.games.get(id).filter(|known| known.slug != game.slug) {
                self.game_slugs.remove(&known.slug);
            }
        }
        let mut is_unique = true;
        for (id, team) in teams {
            is_unique &= take_slug(&mut self.team_slugs, &team.slug, id);
            self.teams.insert(id, team);
        }
        for (id, game) in games {
            is_unique &= take_slug(&mut self.game_slugs, &game.slug, id);
            self.games.insert(id, game);
        }
        is_unique
    }

    /// Removes a game that leaves memory.
    pub(crate) fn remove_game(&mut self, game: GameId) -> Option<Game> {
        let game = self.games.remove(&game)?;
        self.game_slugs.remove(&game.slug);
        Some(game)
    }

    /// Adds a game that has left memory, unless it is known.
    pub(crate) fn restore_game(&mut self, game: &Game) {
        if !self.games.contains_key(&game.id) {
            self.game_slugs.insert(game.slug.clone(), game.id);
            self.games.insert(game.id, game.clone());
        }
    }
}

/// Gives a slug to a team or a game that may have it already. False if another one has it.
fn take_slug<I: Copy + PartialEq>(slugs: &mut Branches<Text, I>, slug: &Text, id: I) -> bool {
    match slugs.get(slug) {
        Some(owner) => *owner == id,
        None => slugs.insert(slug.clone(), id).is_none(),
    }
}

/// Three values in a row: the caller writes the array that they begin.
impl<C> Encode<C> for Sports {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.encode_with(&self.leagues, context)?;
        e.encode_with(&self.teams, context)?.encode_with(&self.games, context)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Sports {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Sports, Error> {
        let leagues = Decode::decode(d, context)?;
        let (teams, games) = (Decode::decode(d, context)?, Decode::decode(d, context)?);
        let mut sports = Sports { leagues, ..Sports::default() };
        match sports.put(teams, games) {
            true => Ok(sports),
            false => Err(Error::message("a slug is unique")),
        }
    }
}
