//! The form of decimals in a document of the API or on a stream.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::NumberFormat;

/// `GET /openapi.json` and the addresses of the streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct NumbersQuery {
    /// `string`: decimals are strings, as with the header `X-Number-Format`.
    pub numbers: Option<NumberFormat>,
}

impl NumbersQuery {
    pub fn parse(raw: &str) -> Result<NumbersQuery, BadRequest> {
        Ok(NumbersQuery { numbers: RawQuery::parse(raw)?.word("numbers")? })
    }
}
