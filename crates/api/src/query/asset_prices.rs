//! Query of the prices of an asset.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::timestamp::Timestamp;

/// `GET /v1/pm/assets/{symbol}/prices`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct AssetPricesQuery {
    /// At or after. Without it: an hour before `to`.
    pub from: Option<Timestamp>,
    /// At or before. Without it: now.
    pub to: Option<Timestamp>,
}

impl AssetPricesQuery {
    pub fn parse(raw: &str) -> Result<AssetPricesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let (from, to) = (query.timestamp("from")?, query.timestamp("to")?);
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return Err(BadRequest::at("from", "must not be after to"));
        }
        Ok(AssetPricesQuery { from, to })
    }
}
