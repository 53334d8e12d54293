//! Leagues, teams and games from a file, identified by keys and slugs; and the linked events of a game.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::Timestamp;
use crate::admin::Amounts;
use crate::decimal::{Percent, PropLine};
use crate::json::WriteJson;
use crate::response::Score;
use crate::terms;

/// Leagues, teams and games as the world has them now. What is known by its key or slug is replaced.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSports {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leagues: Vec<ImportLeague>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<ImportTeam>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<ImportGame>,
}

/// A league.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportLeague {
    #[schema(example = "england-premier-league")]
    pub key: String,
    pub name: String,
    pub short_name: String,
    #[schema(example = "soccer")]
    pub sport: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
}

/// A team, with the key of its league.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportTeam {
    pub slug: String,
    pub name: String,
    pub short_code: String,
    pub sport: String,
    pub league: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(default)]
    pub is_popular: bool,
}

/// A game, with the key of its league and the slugs of its teams.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportGame {
    pub slug: String,
    pub sport: String,
    pub league: String,
    pub home: String,
    pub away: String,
    pub start_date: Timestamp,
    /// Of the place where it is played, for showing.
    #[serde(default)]
    pub utc_offset_minutes: i16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<terms::GameStatus>,
    /// How it stands while it is `LIVE`; only for showing. A result is recorded, never imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// As people read it, with a score; at most 60 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "63'")]
    pub clock: Option<String>,
    #[serde(default)]
    pub is_popular: bool,
}

/// The three linked drafts of a soccer game: who wins, by how much, how many goals.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSoccerEvents {
    pub engine: terms::Engine,
    pub currencies: Vec<terms::Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// In percent: 2 is 2 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_percentage: Option<Percent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_order_amount: Option<Amounts>,
    /// Margins in goals, a market for either team: 1.5 asks whether it wins by more.
    pub spreads: Vec<PropLine>,
    /// Goals of the whole game: 2.5 asks whether there are more. Two at least.
    pub totals: Vec<PropLine>,
}
