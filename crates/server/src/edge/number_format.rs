//! `X-Number-Format: string`: every decimal of the answer is a string, for clients whose JSON numbers are floats.
//!
//! The function answers with numbers, and one pass puts the decimals into quotes (`openapi/string_numbers.rs`). Such an
//! answer is not compressed, and its entity tag is another one.

use api::error::BadRequest;
use http::HeaderName;
use lane::Repeated;

use super::answer::Rendered;
use super::fields::Fields;
use super::operation::{JSON, Operation};
use crate::failure::Failure;
use crate::openapi::ANSWER_SHAPES;

pub(crate) const NUMBER_FORMAT: HeaderName = HeaderName::from_static("x-number-format");
/// Ends the tag of an answer in the string form.
pub(crate) const TAG_END: &str = "-s\"";

/// Whether the header is there once, with its only value.
pub(crate) fn is_string(fields: &dyn Fields) -> bool {
    fields.find_single(&NUMBER_FORMAT) == Ok(Some(b"string"))
}

/// Refuses another value, and a repeated header.
pub(crate) fn check(fields: &dyn Fields) -> Result<(), Failure> {
    match fields.find_single(&NUMBER_FORMAT) {
        Ok(None | Some(b"string")) => Ok(()),
        Ok(Some(_)) | Err(Repeated) => {
            Err(BadRequest::new("X-Number-Format must be string, given once").into())
        }
    }
}

/// Puts the decimals of a response into quotes.
pub(crate) fn quote(rendered: &mut Rendered, operation: &Operation) {
    if rendered.content != JSON {
        return;
    }
    let (method, path) = (operation.method.as_str(), operation.path);
    if let Some(quoted) = ANSWER_SHAPES.quote(method, path, rendered.status, &rendered.body) {
        rendered.body = quoted.into();
    }
}
