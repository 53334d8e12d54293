//! The path of a write through the edge: body, signature or web session, charge, idempotency key, response. The service
//! `writing` submits it.

use api::error::{BadRequest, ErrorBody};
use api::read::BODY_BYTES_MAX;
use api::signing::body_digest;
use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::response::Response;
use bytes::Bytes;
use exchange::command::Command;
use exchange::id::OperatorId;
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use lane::Repeated;
use sha2::{Digest, Sha256};

use super::canonical_path::{canonical, canonical_operation};
use super::charged::{decimals, note_command};
use super::charging::OwnerBucket;
use super::credentials::Caller;
use super::fields::Fields;
use super::{Answered, Failure, json_bytes, timed_body};
use crate::app::App;
use crate::writing::OpenWrite;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENCY_WINDOW: HeaderName = HeaderName::from_static("idempotency-window");

/// A write that may be carried out for its caller.
#[derive(Clone, Copy, Debug)]
pub struct Authorised {
    pub caller: Caller,
    idempotency: Option<IdempotencyKey>,
    /// The bucket that has been charged one token and is charged for further items.
    bucket: OwnerBucket,
}

/// A request whose signature was verified over exactly these bytes, or that a page sent in its session.
#[derive(Debug)]
pub struct Signed {
    pub authorised: Authorised,
    pub body: Bytes,
}

impl App {
    /// Reads and authenticates a write, and charges one token to its owner before the body is parsed.
    pub async fn signed(&self, request: HttpRequest, bucket: OwnerBucket) -> Result<Signed, Failure> {
        let (mut parts, body) = request.into_parts();
        without_query(parts.uri.query())?;
        let from_page = self.authenticate_page_write(&parts.method, &parts.headers, bucket)?;
        let body = read_body(&parts.headers, body).await?;
        let digest = body_digest(&body);
        let caller = match from_page {
            Some(caller) => caller,
            None => {
                let (method, path) = (parts.method.as_str(), parts.uri.path());
                self.signer(&parts.headers, method, path, &body, &digest, bucket)?
            }
        };
        let window = key_window(&parts.headers)?;
        let idempotency = match parts.headers.contains_key(&IDEMPOTENCY_KEY) {
            true => {
                let (method, path) = canonical_operation(&mut parts).await;
                idempotency_key(&parts.headers, &scope_of(&caller), &method, &path, &digest)?
            }
            false => None,
        };
        let idempotency = idempotency.map(|key| IdempotencyKey { window, ..key });
        Ok(Signed { authorised: Authorised { caller, idempotency, bucket }, body })
    }

    /// Authenticates a write that arrived without a page's session, and charges one token to its owner. `route` is the
    /// pattern that its path matches, with the parameters in order.
    pub(crate) fn authorise<'a>(
        &self,
        head: &lane::Head<'a>,
        route: (&str, impl IntoIterator<Item = &'a str>),
        body: &[u8],
        bucket: OwnerBucket,
    ) -> Result<Authorised, Failure> {
        without_query(head.query)?;
        let digest = body_digest(body);
        let caller = self.signer(&head.headers, head.method, head.path, body, &digest, bucket)?;
        let window = key_window(&head.headers)?;
        let idempotency = match head.headers.has_field(&IDEMPOTENCY_KEY) {
            true => {
                let (method, path) = canonical(head.method, route.0, route.1);
                idempotency_key(&head.headers, &scope_of(&caller), method, &path, &digest)?
            }
            false => None,
        };
        let idempotency = idempotency.map(|key| IdempotencyKey { window, ..key });
        Ok(Authorised { caller, idempotency, bucket })
    }

    /// Charges a write for its further items and checks it. The result is ready to be submitted.
    pub(crate) fn begin_write(
        &self,
        authorised: &Authorised,
        cost: u32,
        command: Command,
    ) -> Result<OpenWrite, Failure> {
        let Authorised { caller, idempotency, bucket } = *authorised;
        // A replay costs one token, regardless of its batch size.
        let is_replay = |key: IdempotencyKey| cost > 1 && self.writing().has_answered(&key);
        let cost = if idempotency.is_some_and(is_replay) { 1 } else { cost };
        if cost > 1 {
            self.charge_items(caller.bucket_owner, bucket, 1, cost)?;
        }
        let open = self.writing().begin(caller.user, caller.actor, idempotency, command, decimals())?;
        note_command(open.receipt.command_id());
        Ok(open)
    }

    /// Charges a signed request for its further items, submits it and returns the response.
    pub async fn write(&self, signed: &Signed, cost: u32, command: Command) -> Answered {
        let open = self.begin_write(&signed.authorised, cost, command)?;
        let written = self.writing().carry_out(open).await?;
        let mut response = json_bytes(written.status, written.body);
        if written.is_replayed {
            mark_replayed(&mut response);
        }
        Ok(response)
    }
}

/// Marks a response that repeats an earlier one.
pub fn mark_replayed(response: &mut Response) {
    response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
}

/// Refuses a query string, because the signature would not cover it.
pub fn without_query(query: Option<&str>) -> Result<(), Failure> {
    match query {
        Some(_) => Err(BadRequest::new("A signed request has no query string").into()),
        None => Ok(()),
    }
}

/// Reads a JSON body of bounded size, uncompressed. `serving` limits how long it may take.
pub async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    read_body_within(BODY_BYTES_MAX, headers, body).await
}

/// Like `read_body`, with another size.
pub async fn read_body_within(bytes_max: usize, headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    if headers.get(http::header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        let kind = api::error::ErrorKind::UnsupportedMediaType;
        return Err(ErrorBody::new(kind, "Compressed bodies are not accepted").into());
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => {
            let kind = api::error::ErrorKind::PayloadTooLarge;
            Err(ErrorBody::new(kind, format!("The body must not be longer than {bytes_max} bytes")).into())
        }
        Err(error) if timed_body::is_late(&*error) => {
            let kind = api::error::ErrorKind::RequestTimeout;
            Err(ErrorBody::new(kind, "The body did not come in time").into())
        }
        Err(_) => Err(BadRequest::new("The body cannot be read").into()),
    }
}

/// The key of an operator's request, which lives for a day. `parts` is of the routed request.
pub async fn operator_key(
    parts: &mut Parts,
    operator: OperatorId,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, Failure> {
    if !parts.headers.contains_key(&IDEMPOTENCY_KEY) {
        return Ok(None);
    }
    let (method, path) = canonical_operation(parts).await;
    let scope = operator.as_u128().to_be_bytes();
    idempotency_key(&parts.headers, &scope, &method, &path, &body_digest(body))
}

/// A user as the scope of a key. Operators are longer, so no operator is a user.
fn scope_of(caller: &Caller) -> [u8; size_of::<usize>()] {
    caller.user.slot().to_be_bytes()
}

/// Spec, Limits: 1 to 255 letters, digits, `_` and `-`. The scope is the caller, the canonical method and path, and the
/// key, all hashed.
fn idempotency_key(
    headers: &impl Fields,
    caller: &[u8],
    method: &str,
    path: &str,
    body: &[u8; 32],
) -> Result<Option<IdempotencyKey>, Failure> {
    let repeated = |Repeated| BadRequest::new("Idempotency-Key occurs more than once");
    let Some(key) = headers.find_single(&IDEMPOTENCY_KEY).map_err(repeated)? else { return Ok(None) };
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    if !(1..=255).contains(&key.len()) || !key.iter().all(is_allowed) {
        return Err(BadRequest::new("Idempotency-Key must have 1 to 255 letters, digits, _ or -").into());
    }
    let mut scope = Sha256::new();
    for part in [caller, method.as_bytes(), path.as_bytes(), key] {
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
fn key_window(headers: &impl Fields) -> Result<Option<KeyWindow>, Failure> {
    let repeated = |Repeated| BadRequest::new("Idempotency-Window occurs more than once");
    let Some(text) = headers.find_single(&IDEMPOTENCY_WINDOW).map_err(repeated)? else { return Ok(None) };
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
