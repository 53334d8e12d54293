//! `X-Number-Format: string`: every decimal of the answer is a string, for clients whose JSON numbers are floats.

use api::error::BadRequest;
use api::json::Decimals;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::Failure;

pub(crate) const NUMBER_FORMAT: HeaderName = HeaderName::from_static("x-number-format");
pub(crate) const STRING: HeaderValue = HeaderValue::from_static("string");

/// The form of decimals that a request asks for. The header may be there once, with its only value.
pub(super) fn asked(headers: &HeaderMap) -> Result<Decimals, Failure> {
    let mut values = headers.get_all(&NUMBER_FORMAT).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(Decimals::Numbers),
        (Some(value), None) if *value == STRING => Ok(Decimals::Strings),
        _ => Err(BadRequest::new("X-Number-Format must be string, given once").into()),
    }
}
