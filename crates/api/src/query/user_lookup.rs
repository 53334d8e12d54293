//! Lookup of a user by tag or by id.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::raw::RawQuery;
use crate::error::BadRequest;

/// `GET /v1/user/lookup`: exactly one of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserLookupQuery {
    /// In any case.
    Tag(String),
    UserId(Uuid),
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes the parameters")]
struct Parameters {
    /// In any case. Either this or `userId`.
    #[param(max_length = 100)]
    tag: Option<String>,
    /// Either this or `tag`.
    user_id: Option<Uuid>,
}

#[cfg(feature = "schemas")]
impl IntoParams for UserLookupQuery {
    fn into_params(
        parameter_in_provider: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
    ) -> Vec<utoipa::openapi::path::Parameter> {
        Parameters::into_params(parameter_in_provider)
    }
}

impl UserLookupQuery {
    pub fn parse(raw: &str) -> Result<UserLookupQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        match (query.bounded("tag", 100)?, query.uuid("userId")?) {
            (Some(tag), None) => Ok(UserLookupQuery::Tag(tag)),
            (None, Some(id)) => Ok(UserLookupQuery::UserId(id)),
            (None, None) => Err(BadRequest::new("tag or userId: one of them is required")),
            (Some(_), Some(_)) => Err(BadRequest::new("tag and userId: give one of them, not both")),
        }
    }
}
