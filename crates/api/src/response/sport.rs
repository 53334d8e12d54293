//! Leagues, teams and games.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use super::resolution::Score;
use crate::json::WriteJson;
use crate::terms::GameStatus;
use crate::timestamp::LocalTime;

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    pub id: Uuid,
    #[schema(example = "soccer")]
    pub sport: String,
    #[schema(example = "Seattle Sounders FC")]
    pub name: String,
    #[schema(example = "bm-mls-seattle-sounders-fc")]
    pub slug: String,
    #[schema(example = "SEA")]
    pub short_code: String,
    pub league: String,
    pub image_url: String,
    pub is_popular: bool,
}

/// A page of teams.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Teams {
    pub teams: Vec<Team>,
    pub pagination: Pagination,
}

/// A game of two teams.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    pub id: Uuid,
    #[schema(example = "bm-game-20260524-mci-avl")]
    pub slug: String,
    #[schema(example = "soccer")]
    pub sport: String,
    pub home_team_id: Uuid,
    pub away_team_id: Uuid,
    pub start_date: LocalTime,
    pub status: GameStatus,
    pub is_live: bool,
    pub is_popular: bool,
    pub league: String,
    pub home_team: Team,
    pub away_team: Team,
    /// The result; while it is live, how it stands, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<Score>,
    /// While it is live, as its source writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "63'")]
    pub clock: Option<String>,
}

/// A page of games.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Games {
    pub games: Vec<Game>,
    pub pagination: Pagination,
}

/// A league.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct League {
    #[schema(example = "England - Premier League")]
    pub name: String,
    #[schema(example = "england-premier-league")]
    pub key: String,
    #[schema(example = "EPL")]
    pub short_name: String,
    pub image_url: String,
    #[schema(example = "soccer")]
    pub sport: String,
}

/// All leagues.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Leagues {
    pub leagues: Vec<League>,
}
