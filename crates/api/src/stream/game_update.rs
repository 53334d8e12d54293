//! `game_update`: the state of a game.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::json::WriteJson;
use crate::response::Score;
use crate::terms::GameStatus;

/// The state, score and clock of a game.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameUpdateData {
    pub id: Uuid,
    pub slug: String,
    pub status: GameStatus,
    pub is_live: bool,
    /// The result; while it is live, how it stands, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<Score>,
    /// While it is live, as its source writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "63'")]
    pub clock: Option<String>,
}
