//! The number of notifications to list.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;

/// `GET /v1/pm/notifications`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct NotificationsQuery {
    #[param(minimum = 1, maximum = 100, default = 30, required = false)]
    pub size: u32,
}

impl NotificationsQuery {
    pub fn parse(raw: &str) -> Result<NotificationsQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(NotificationsQuery { size: query.integer("size", 1, 100)?.unwrap_or(30) })
    }
}
