//! The keys of repetitions: their form, and the caller and operation that scope them.
//!
//! A signature covers the path as sent. A retry may spell the same path differently, or use the row's alias, and must still
//! match the first request. So the scope is built from the row and its decoded parameters, never from the raw path.

use api::error::BadRequest;
use api::identifier;
use api::signing::body_digest;
use exchange::id::OperatorId;
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use http::HeaderName;
use lane::Repeated;
use sha2::{Digest, Sha256};

use super::fields::Fields;
use super::matching::Found;
use crate::failure::Failure;
use crate::http::credentials::Caller;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENCY_WINDOW: HeaderName = HeaderName::from_static("idempotency-window");

/// The path of the operation of a pattern with its decoded parameters.
pub(crate) fn canonical<'a>(pattern: &str, parameters: impl IntoIterator<Item = &'a str>) -> String {
    let (mut path, mut parameters) = (String::with_capacity(128), parameters.into_iter());
    for (place, segment) in pattern.split('/').enumerate() {
        if place > 0 {
            path.push('/');
        }
        match segment.starts_with('{') {
            true => push_canonical(&mut path, parameters.next().unwrap_or_default()),
            false => path.push_str(segment),
        }
    }
    path
}

/// Identifiers are case-insensitive; their canonical form is lower case.
fn push_canonical(path: &mut String, parameter: &str) {
    match identifier::parse(parameter) {
        Ok(_) => path.extend(parameter.chars().map(|letter| letter.to_ascii_lowercase())),
        Err(_) => path.push_str(parameter),
    }
}

/// A user as the scope of a key. Operators are longer, so no operator is a user.
pub(crate) fn scope_of(caller: &Caller) -> [u8; size_of::<usize>()] {
    caller.user.slot().to_be_bytes()
}

/// The method and path of the operation of a request with a key, for a handler behind the router.
#[derive(Clone, Debug)]
pub struct Canonical {
    method: &'static str,
    path: String,
}

impl Canonical {
    pub fn new(method: &'static str, path: String) -> Canonical {
        Canonical { method, path }
    }

    pub(crate) fn of(fields: &dyn Fields, found: &Found<'_, '_>) -> Option<Canonical> {
        let (Some(row), Ok(parameters)) = (found.row, &found.parameters) else { return None };
        let (method, pattern) = row.operation.scope();
        let path = || canonical(pattern, parameters.iter().map(AsRef::as_ref));
        fields.has_field(&IDEMPOTENCY_KEY).then(|| Canonical::new(method.as_str(), path()))
    }
}

/// The key of an operator's request, which lives for a day.
pub fn operator_key(
    fields: &dyn Fields,
    canonical: Option<&Canonical>,
    operator: OperatorId,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, Failure> {
    let Some(Canonical { method, path }) = canonical else { return Ok(None) };
    let scope = operator.as_u128().to_be_bytes();
    idempotency_key(fields, &scope, method, || path.clone(), &body_digest(body))
}

/// Spec, Limits: 1 to 255 letters, digits, `_` and `-`. The scope is the caller, the canonical method and path, and the
/// key, all hashed.
pub(crate) fn idempotency_key(
    fields: &dyn Fields,
    caller: &[u8],
    method: &str,
    path: impl FnOnce() -> String,
    body: &[u8; 32],
) -> Result<Option<IdempotencyKey>, Failure> {
    let repeated = |Repeated| BadRequest::new("Idempotency-Key occurs more than once");
    let Some(key) = fields.find_single(&IDEMPOTENCY_KEY).map_err(repeated)? else { return Ok(None) };
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    if !(1..=255).contains(&key.len()) || !key.iter().all(is_allowed) {
        return Err(BadRequest::new("Idempotency-Key must have 1 to 255 letters, digits, _ or -").into());
    }
    let mut scope = Sha256::new();
    for part in [caller, method.as_bytes(), path().as_bytes(), key] {
        scope.update((part.len() as u64).to_be_bytes());
        scope.update(part);
    }
    let scope = scope.finalize();
    let word = |bytes: &[u8]| bytes.iter().take(8).fold(0, |word, byte| word << 8 | u64::from(*byte));
    Ok(Some(IdempotencyKey {
        scope: word(&scope),
        scope_low: word(&scope[8..]),
        body: word(body),
        window: None,
    }))
}

/// How long the key of a request lives, if it is less than a day. Without a key the header has no effect.
pub(crate) fn key_window(fields: &dyn Fields) -> Result<Option<KeyWindow>, Failure> {
    let repeated = |Repeated| BadRequest::new("Idempotency-Window occurs more than once");
    let Some(text) = fields.find_single(&IDEMPOTENCY_WINDOW).map_err(repeated)? else { return Ok(None) };
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let seconds = std::str::from_utf8(text).ok().filter(|_| is_number).and_then(|text| text.parse().ok());
    match seconds {
        Some(seconds @ KeyWindow::SECONDS_MIN..=KeyWindow::SECONDS_MAX) => Ok(KeyWindow::new(seconds)),
        _ => {
            let (least, most) = (KeyWindow::SECONDS_MIN, KeyWindow::SECONDS_MAX);
            let message =
                format!("Idempotency-Window must be a whole number of seconds from {least} to {most}");
            Err(BadRequest::new(message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_path_is_one_operation() {
        const EVENT: &str = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
        const MARKET: &str = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1eab";
        let pattern = "/v1/pm/events/{eventId}/markets/{marketId}/orders";
        let plain = format!("/v1/pm/events/{EVENT}/markets/{MARKET}/orders");
        assert_eq!(canonical(pattern, [EVENT, MARKET]), plain);
        assert_eq!(canonical(pattern, [EVENT, &MARKET.to_uppercase()]), plain);
        assert_ne!(canonical(pattern, [MARKET, EVENT]), plain);
        assert_eq!(canonical("/v1/pm/orders", []), "/v1/pm/orders");
        assert_eq!(canonical("/v1/pm/orders/{orderId}", ["Cancel-ALL"]), "/v1/pm/orders/Cancel-ALL");
    }
}
