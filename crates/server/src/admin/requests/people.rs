//! Operators.

use api::admin::request::CreateOperator;
use api::error::BadRequest;
use exchange::id::Hash32;

pub fn token_hash(given: &CreateOperator) -> Result<Hash32, BadRequest> {
    crate::secrets::read_hash(&given.token_hash)
        .ok_or_else(|| BadRequest::at("tokenHash", "must have 64 hexadecimal digits"))
}
