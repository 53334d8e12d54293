//! Leagues, teams and games. They are imported, and events may link to a game.

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

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
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Sports {
    #[n(0)]
    pub leagues: BTreeMap<LeagueId, League>,
    #[n(1)]
    pub teams: BTreeMap<TeamId, Team>,
    #[n(2)]
    pub games: BTreeMap<GameId, Game>,
}
