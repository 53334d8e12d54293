//! The path of a write through the edge: body, signature or web session, charge, idempotency key, response. The service
//! `writing` submits it.

use api::error::{BadRequest, ErrorBody};
use api::read::BODY_BYTES_MAX;
use api::signing::body_digest;
use axum::body::Body;
use axum::extract::Request as HttpRequest;
use bytes::Bytes;
use exchange::command::Command;
use exchange::idempotency::IdempotencyKey;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use sha2::{Digest, Sha256};

use super::canonical_path::canonical_operation;
use super::charging::OwnerBucket;
use super::credentials::Caller;
use super::{Answered, Failure, json_bytes, timed_body};
use crate::app::App;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A request whose signature was verified over exactly these bytes, or that a page sent in its session.
#[derive(Debug)]
pub struct Signed {
    pub caller: Caller,
    pub body: Bytes,
    idempotency: Option<IdempotencyKey>,
    /// The bucket that has been charged one token and is charged for further items.
    bucket: OwnerBucket,
}

impl App {
    /// Reads and authenticates a write, and charges one token to its owner before the body is parsed.
    pub async fn signed(&self, request: HttpRequest, bucket: OwnerBucket) -> Result<Signed, Failure> {
        let (mut parts, body) = request.into_parts();
        without_query(&parts.uri)?;
        let from_page = self.authenticate_page_write(&parts.method, &parts.headers, bucket)?;
        let body = read_body(&parts.headers, body).await?;
        let path = parts.uri.path();
        let (method, digest) = (parts.method.as_str(), body_digest(&body));
        let caller = match from_page {
            Some(caller) => caller,
            None => self.signer(&parts.headers, method, path, &body, &digest, bucket)?,
        };
        let idempotency = if parts.headers.contains_key(&IDEMPOTENCY_KEY) {
            let (method, path) = canonical_operation(&mut parts).await;
            idempotency_key(&parts.headers, &caller, &method, &path, &digest)?
        } else {
            None
        };
        Ok(Signed { caller, body, idempotency, bucket })
    }

    /// Charges a signed request for its further items, submits it and returns the response.
    pub async fn write(&self, signed: &Signed, cost: u32, command: Command) -> Answered {
        // A replay costs one token, regardless of its batch size.
        let is_replay = |key: IdempotencyKey| cost > 1 && self.writing().has_answered(&key);
        let cost = if signed.idempotency.is_some_and(is_replay) { 1 } else { cost };
        if cost > 1 {
            self.charge_items(signed.caller.bucket_owner, signed.bucket, 1, cost)?;
        }
        let Caller { user, actor, .. } = signed.caller;
        let written = self.writing().write(user, actor, signed.idempotency, command).await?;
        let mut response = json_bytes(written.status, written.body);
        if written.is_replayed {
            response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        Ok(response)
    }
}

/// Refuses a query string, because the signature would not cover it.
pub fn without_query(uri: &Uri) -> Result<(), Failure> {
    match uri.query() {
        Some(_) => Err(BadRequest::new("A signed request has no query string").into()),
        None => Ok(()),
    }
}

/// Reads a body of bounded size, uncompressed. `serving` limits how long it may take.
pub async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    if headers.get(http::header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        let kind = api::error::ErrorKind::UnsupportedMediaType;
        return Err(ErrorBody::new(kind, "Compressed bodies are not accepted").into());
    }
    match Limited::new(body, BODY_BYTES_MAX).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => {
            let kind = api::error::ErrorKind::PayloadTooLarge;
            Err(ErrorBody::new(kind, format!("The body must not be longer than {BODY_BYTES_MAX} bytes"))
                .into())
        }
        Err(error) if timed_body::is_late(&*error) => {
            let kind = api::error::ErrorKind::RequestTimeout;
            Err(ErrorBody::new(kind, "The body did not come in time").into())
        }
        Err(_) => Err(BadRequest::new("The body cannot be read").into()),
    }
}

/// Spec, Limits: 1 to 255 letters, digits, `_` and `-`. The scope is the user, the canonical method and path, and the
/// key, all hashed.
fn idempotency_key(
    headers: &HeaderMap,
    caller: &Caller,
    method: &str,
    path: &str,
    body: &[u8; 32],
) -> Result<Option<IdempotencyKey>, Failure> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(BadRequest::new("Idempotency-Key occurs more than once").into());
    }
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    let key = value.as_bytes();
    if !(1..=255).contains(&key.len()) || !key.iter().all(is_allowed) {
        return Err(BadRequest::new("Idempotency-Key must have 1 to 255 letters, digits, _ or -").into());
    }
    let mut scope = Sha256::new();
    for part in [caller.user.slot().to_be_bytes().as_slice(), method.as_bytes(), path.as_bytes(), key] {
        scope.update((part.len() as u64).to_be_bytes());
        scope.update(part);
    }
    let scope = scope.finalize();
    let word = |bytes: &[u8]| bytes.iter().take(8).fold(0, |word, byte| word << 8 | u64::from(*byte));
    Ok(Some(IdempotencyKey { scope: word(&scope), scope_low: word(&scope[8..]), body: word(body) }))
}
