//! Notes about news on an event.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::json::WriteJson;
use crate::timestamp::Timestamp;

/// The notes about news on an event, newest first, 50 at most.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct NewsList {
    pub news: Vec<News>,
}

/// A note about news that an operator attached to an event.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct News {
    pub id: Uuid,
    #[schema(example = "Rate decision published")]
    pub title: String,
    #[schema(example = "https://example.org/rates")]
    pub link: String,
    /// When the news came out.
    pub published_at: Timestamp,
}
