//! The public data of a user.

use crate::json::WriteJson;
use crate::schema::ToSchema;
use uuid::Uuid;

/// A user as others see them.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserProfile {
    pub id: Uuid,
    #[schema(example = "ada")]
    pub tag: String,
    /// Empty if there is none.
    pub image_url: String,
}
