//! Leagues, teams and games, with the keys and slugs that an import refers to them by.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::json::WriteJson;
use crate::response::Score;
use crate::terms;

/// How much an import brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct ImportedCounts {
    pub leagues: usize,
    pub teams: usize,
    pub games: usize,
}

/// Everything that was imported.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct SportsData {
    pub leagues: Vec<LeagueState>,
    pub teams: Vec<TeamState>,
    pub games: Vec<GameState>,
}

/// A league.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeagueState {
    pub league_id: Uuid,
    pub key: String,
    pub name: String,
    pub sport: String,
}

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamState {
    pub team_id: Uuid,
    pub slug: String,
    pub name: String,
    pub league: String,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    pub game_id: Uuid,
    pub slug: String,
    pub league: String,
    pub home: String,
    pub away: String,
    pub start_date: Timestamp,
    pub sport: String,
    pub utc_offset_minutes: i16,
    pub is_popular: bool,
    pub status: terms::GameStatus,
    /// The result; while it is live, how it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// While it is live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
}
