//! Filters of a user's activities.

use crate::schema::IntoParams;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::ActivityGroup;

/// `GET /v1/pm/activities`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ActivitiesQuery {
    /// Left out: everything but single fills.
    #[param(rename = "type")]
    pub group: Option<ActivityGroup>,
    /// The cursor of an earlier page; then `page` is not looked at.
    #[param(max_length = 256)]
    pub after: Option<String>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 20, required = false)]
    pub size: u32,
}

impl ActivitiesQuery {
    pub fn parse(raw: &str) -> Result<ActivitiesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 20)?;
        Ok(ActivitiesQuery { group: query.word("type")?, after: query.bounded("after", 256)?, page, size })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}
