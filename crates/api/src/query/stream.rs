//! The address of a stream.

use uuid::Uuid;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::NumberFormat;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamQuery {
    /// `string`: decimals are strings, as with the header `X-Number-Format`.
    pub numbers: Option<NumberFormat>,
    /// `as`: the user whom our page shows. A script cannot add a header to a handshake.
    pub shown: Option<Uuid>,
}

impl StreamQuery {
    pub fn parse(raw: &str) -> Result<StreamQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(StreamQuery { numbers: query.word("numbers")?, shown: query.uuid("as")? })
    }
}
