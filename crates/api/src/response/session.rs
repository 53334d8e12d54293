//! A session after login.

use std::fmt;

use crate::json::WriteJson;
use crate::schema::ToSchema;
use uuid::Uuid;

/// A session. Send `token` as `x-auth-token` and `deviceId` as `x-device-id`.
#[derive(Clone, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub token: String,
    #[schema(example = "d_abc123")]
    pub device_id: String,
    pub user_id: Uuid,
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}
