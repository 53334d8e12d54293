//! `X-Number-Format: string`: every decimal of the answer is a string, for clients whose JSON numbers are floats.

use api::error::BadRequest;
use api::json::Decimals;
use http::HeaderName;
use lane::Repeated;

use super::fields::Fields;
use crate::failure::Failure;

pub(crate) const NUMBER_FORMAT: HeaderName = HeaderName::from_static("x-number-format");

/// The form of decimals that a request asks for. The header may be there once, with its only value.
pub(crate) fn asked(fields: &dyn Fields) -> Result<Decimals, Failure> {
    match fields.find_single(&NUMBER_FORMAT) {
        Ok(None) => Ok(Decimals::Numbers),
        Ok(Some(b"string")) => Ok(Decimals::Strings),
        Ok(Some(_)) | Err(Repeated) => {
            Err(BadRequest::new("X-Number-Format must be string, given once").into())
        }
    }
}
