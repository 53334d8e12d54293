//! Strict parsing of JSON bodies: an object of bounded size and depth, unique keys, errors with their path.
//!
//! Two passes: `structure.rs` checks every value, with known or unknown keys, then serde deserializes the known ones.
//! The second pass always tracks its path. A quick pass with a retry would compile every body twice; the bodies of the
//! hot routes have their own reader (`json/plain_reader.rs`).

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::BadRequest;
use crate::structure::{self, DEPTH_MAX};

pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// Deserializes a request body. Keys unknown to `T` are ignored.
pub fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, BadRequest> {
    if body.len() > BODY_BYTES_MAX {
        return Err(BadRequest::new(format!("The body must not be longer than {BODY_BYTES_MAX} bytes")));
    }
    let text = std::str::from_utf8(body).map_err(|_| BadRequest::new("The body must be UTF-8"))?;
    check_object(text, "The body")?;
    structure::check(text).map_err(|_| explain(text, structure::check_with_path))?;
    read_checked(text)
}

/// Deserializes one item of a list that `read` left raw. The path of an error is relative to the item.
pub fn read_item<'a, T: Deserialize<'a>>(item: &'a RawValue) -> Result<T, BadRequest> {
    check_object(item.get(), "The item")?;
    read_checked(item.get())
}

fn read_checked<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, BadRequest> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| describe(&error.path().to_string(), error.inner()))?;
    deserializer.end().map_err(|error| describe("", &error))?;
    Ok(value)
}

fn check_object(text: &str, what: &str) -> Result<(), BadRequest> {
    match text.trim_start_matches([' ', '\t', '\r', '\n']).as_bytes().first() {
        Some(b'{') => Ok(()),
        Some(_) => Err(BadRequest::new(format!("{what} must be a JSON object"))),
        None => Err(BadRequest::new(format!("{what} is empty; a JSON object is required"))),
    }
}

type PathError = serde_path_to_error::Error<serde_json::Error>;

fn explain(text: &str, check: fn(&str) -> Result<(), PathError>) -> BadRequest {
    match check(text) {
        Err(error) => describe(&error.path().to_string(), error.inner()),
        // Only the text after the object can be wrong.
        Ok(()) => BadRequest::new("The body has characters after its JSON object"),
    }
}

fn describe(path: &str, error: &serde_json::Error) -> BadRequest {
    let message = error.to_string();
    let (text, place) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
    if let (Category::Data, Some(field)) = (error.classify(), missing_field(text)) {
        return BadRequest::at(below(path, field), "is required");
    }
    match error.classify() {
        // The path gives the location; a position in the text adds nothing.
        Category::Data if is_root(path) => BadRequest::new(in_words_of_json(text)),
        Category::Data => BadRequest::at(path, in_words_of_json(text)),
        _ if text.contains("recursion limit") => BadRequest::new(too_deep()),
        _ => BadRequest::new(format!("The body is not valid JSON: {text} at line {place}")),
    }
}

/// The name of the field that a message of the library reports as missing. A client's own text follows other words.
fn missing_field(text: &str) -> Option<&str> {
    text.strip_prefix("missing field `")?.strip_suffix('`')
}

fn is_root(path: &str) -> bool {
    matches!(path, "" | "." | "?")
}

fn below(path: &str, field: &str) -> String {
    if is_root(path) { field.to_owned() } else { format!("{path}.{field}") }
}

/// The library names Rust types; clients know JSON types. The client's own text precedes the last `expected` and is
/// left unchanged.
fn in_words_of_json(text: &str) -> String {
    let Some((found, expected)) = text.rsplit_once(", expected ") else { return text.to_owned() };
    let found = match found {
        "invalid type: map" => "invalid type: object",
        "invalid type: sequence" => "invalid type: array",
        other => other,
    };
    let expected = match expected {
        "a sequence" => "an array",
        "u64" => "a whole number, 0 or more",
        expected if expected.starts_with("struct ") => "an object",
        other => other,
    };
    format!("{found}, expected {expected}")
}

pub(crate) fn too_deep() -> String {
    format!("values are nested more than {DEPTH_MAX} deep")
}
