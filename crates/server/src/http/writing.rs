//! The path of a write: body, signature or web session, charge, idempotency key, submit, response.

use api::error::{BadRequest, ErrorBody};
use api::read::BODY_BYTES_MAX;
use api::signing::body_digest;
use axum::body::Body;
use axum::extract::Request as HttpRequest;
use bytes::Bytes;
use exchange::Request;
use exchange::command::Command;
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::canonical_path::canonical_operation;
use super::charged::note_sequence;
use super::charging::Allowance;
use super::closed_orders::Named;
use super::credentials::Caller;
use super::retired_markets::Subject;
use super::{Answered, Failure, json_bytes, timed_body};
use crate::app::App;
use crate::history::HistoryError;
use crate::respond::{Shape, respond};
use crate::sequencer::{Answer, SubmitError};
use crate::view;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A request whose signature was verified over exactly these bytes, or that a page sent in its session.
#[derive(Debug)]
pub struct Signed {
    pub caller: Caller,
    pub body: Bytes,
    idempotency: Option<IdempotencyKey>,
    /// The bucket that has been charged one token and is charged for further items.
    allowance: Allowance,
}

impl App {
    /// Reads and authenticates a write, and charges one token to its owner before the body is parsed.
    pub async fn signed(&self, request: HttpRequest, allowance: Allowance) -> Result<Signed, Failure> {
        let (mut parts, body) = request.into_parts();
        without_query(&parts.uri)?;
        let from_page = self.writer_of_page(&parts.method, &parts.headers, allowance)?;
        let body = read_body(&parts.headers, body).await?;
        let path = parts.uri.path();
        let (method, digest) = (parts.method.as_str(), body_digest(&body));
        let caller = match from_page {
            Some(caller) => caller,
            None => self.signer(&parts.headers, method, path, &body, &digest, allowance)?,
        };
        let idempotency = if parts.headers.contains_key(&IDEMPOTENCY_KEY) {
            let (method, path) = canonical_operation(&mut parts).await;
            idempotency_key(&parts.headers, &caller, &method, &path, &digest)?
        } else {
            None
        };
        Ok(Signed { caller, body, idempotency, allowance })
    }

    /// Charges a signed request for its further items, submits it and returns the response.
    pub async fn write(&self, signed: &Signed, cost: u32, command: Command) -> Answered {
        // A replay costs one token, regardless of its batch size.
        let is_replay = |key: IdempotencyKey| cost > 1 && self.shared.read().memory().find(&key).is_some();
        let cost = if signed.idempotency.is_some_and(is_replay) { 1 } else { cost };
        if cost > 1 {
            self.charge_items(signed.caller.spender, signed.allowance, 1, cost)?;
        }
        let _held = match &signed.idempotency {
            Some(key) => Some(self.in_flight.hold(key).ok_or_else(|| {
                ErrorBody::conflict("A request with this Idempotency-Key is still in flight; retry shortly")
            })?),
            None => None,
        };
        self.check_taken(signed, &command)?;
        let (shape, named, subject) = (Shape::of(&command), Named::by(&command), Subject::of(&command));
        let answer = self.submit(signed.caller.actor, signed.idempotency, command).await?;
        // These rejections carry `Retry-After`, which a stored body cannot.
        if let Err(
            reject @ (Reject::TooManyIdempotencyKeys | Reject::LimitReached { .. } | Reject::CancelOnly),
        ) = &answer.result
        {
            return Err(view::refusal(reject, answer.at.micros()).into());
        }
        let replayed = match answer.result {
            Ok(Reply::Replayed { seq }) => Some(seq),
            _ => None,
        };
        if replayed.is_none() {
            note_sequence(answer.seq);
        }
        let (status, body) = match (replayed, answer.written) {
            (Some(first), _) => self.first_answer(first, answer.seq).await?,
            (None, Some(written)) => (written.status, written.body),
            (None, None) => {
                let (status, body) = respond(&self.shared.read(), shape, &answer.result);
                (status, body.into())
            }
        };
        let (status, body) =
            self.tell_closed_apart(signed.caller.user, answer.seq, &named, status, body).await?;
        let (status, body) = self.tell_retired_apart(&subject, shape, status, body).await?;
        let mut response = json_bytes(status, body);
        if replayed.is_some() {
            response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        Ok(response)
    }

    /// In cancel-only mode, refuses commands that the rules would reject, without journaling them. Replays still pass.
    fn check_taken(&self, signed: &Signed, command: &Command) -> Result<(), Failure> {
        if !self.shared.is_cancel_only() || !command.adds_risk() {
            return Ok(());
        }
        let is_known = |key| self.shared.read().memory().find(&key).is_some();
        if signed.idempotency.is_some_and(is_known) { Ok(()) } else { Err(self.refuse(&Reject::CancelOnly)) }
    }

    /// The stored response of the first request with this key.
    async fn first_answer(&self, first: u64, now: u64) -> Result<(u16, Bytes), Failure> {
        let unavailable = |error: HistoryError| {
            tracing::error!(%error, "cannot read a stored response");
            Failure::from(ErrorBody::unavailable("The first answer cannot be read right now", 1))
        };
        self.history.reach(now).await.map_err(unavailable)?;
        let stored = self.history.reply(first).await.map_err(unavailable)?;
        let (status, body) =
            stored.ok_or_else(|| ErrorBody::unavailable("The first answer is not there yet", 1))?;
        Ok((status, body.into()))
    }

    /// Submits a command and returns its decision; a rejection by the rules is a decision too.
    pub async fn submit(
        &self,
        actor: Actor,
        idempotency: Option<IdempotencyKey>,
        command: Command,
    ) -> Result<Answer, Failure> {
        let named = view::command::id(&command);
        match self.sequencer.submit(Request { actor, idempotency, command }).await {
            Ok(answer) => Ok(answer),
            Err(SubmitError::Busy) => Err(ErrorBody::unavailable("Too many requests are waiting", 1).into()),
            Err(SubmitError::Away) => {
                let message = "The log's database is away: nothing was written";
                Err(ErrorBody::unavailable(message, 1).into())
            }
            Err(SubmitError::NewerRules) => {
                let message = "This needs newer rules than the log has: an operator upgrades them first. Nothing was written";
                Err(ErrorBody::conflict(message).into())
            }
            Err(SubmitError::WrongClock) => {
                let message = "The machine's clock has run ahead: nothing was written";
                Err(ErrorBody::unavailable(message, 5).into())
            }
            Err(SubmitError::Stopping) => {
                let message = "The exchange takes no writes right now: nothing was written";
                Err(ErrorBody::unavailable(message, 5).into())
            }
            Err(SubmitError::Unknown) => {
                let command_id = named.unwrap_or_else(Uuid::now_v7);
                tracing::error!(%command_id, "the outcome of a request is unknown");
                Err(ErrorBody::outcome_unknown(command_id).into())
            }
        }
    }

    /// Converts a rejection to an error response.
    pub fn refuse(&self, reject: &Reject) -> Failure {
        view::refusal(reject, self.now_micros()).into()
    }

    /// The reply, or the rejection as an error response. `Retry-After` is computed from the journal's time of the
    /// decision.
    pub fn reply(&self, answer: Answer) -> Result<Reply, Failure> {
        answer.result.map_err(|reject| view::refusal(&reject, answer.at.micros()).into())
    }

    /// Like `reply`, for a request's last command: sets `x-sequence`, so that the client can wait for it on another
    /// node.
    pub fn written(&self, answer: Answer) -> Result<Reply, Failure> {
        note_sequence(answer.seq);
        self.reply(answer)
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
    Ok(Some(IdempotencyKey { scope: word(&scope), scope_more: word(&scope[8..]), body: word(body) }))
}
