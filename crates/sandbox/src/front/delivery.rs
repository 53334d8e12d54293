//! A request on its way to the venue: finds its fault, delivers it as the fault demands, and sends the answer only after
//! the stream messages about it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::error::{ErrorBody, ErrorKind};
use api::read::BODY_BYTES_MAX;
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use server::http::Failure;
use server::http::serving::{Timeouts, UpgradedConnection, adopt};
use tower_service::Service;

use super::Front;
use super::banner;
use super::link::{Link, LinkMode, StreamLink};
use crate::error::{Refusal, SandboxError};
use crate::faults::{Effect, FAULT_HEADER, Rule, read_header};
use crate::venue::Venue;

/// Delays a read until the node has applied a sequence.
const WAIT_FOR_SEQUENCE: &str = "x-wait-for-sequence";

/// A collected answer of the venue.
struct Delivered {
    parts: http::response::Parts,
    body: Bytes,
}

impl Front {
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        address: SocketAddr,
        link: Arc<Link>,
    ) -> Response {
        match self.try_answer(request, address, link).await {
            Ok(response) => response,
            Err(refusal) => failure(refusal.into_body()),
        }
    }

    async fn try_answer(
        &self,
        request: Request<Incoming>,
        address: SocketAddr,
        link: Arc<Link>,
    ) -> Result<Response, Refusal> {
        let (mut parts, body) = request.into_parts();
        link.set_mode(LinkMode::Answers);
        if parts.uri.path() == banner::STYLE_PATH {
            return Ok(banner::style());
        }
        let body = collect(body).await?;
        let own = parts.headers.remove(FAULT_HEADER);
        let own = own.map(|field| read_header(&field)).transpose()?;
        banner::ask_for_whole(&mut parts.headers);
        let user = self.user_of(&parts).await?;
        let (by_header, stream_rule) = match own {
            Some(rule) if rule.is_of_streams() => (None, Some(rule)),
            own => (own, None),
        };
        let is_upgrade = parts.headers.contains_key(header::UPGRADE);
        if stream_rule.is_some() && !is_upgrade {
            return Err(Refusal::bad("X-Sandbox-Fault: a fault of streams needs a request that opens one"));
        }
        let effect = match by_header {
            Some(mut rule) => rule.next_effect(),
            None => self.faults.effect(parts.method.as_str(), parts.uri.path(), user.as_deref()),
        };
        if is_upgrade {
            return self.open_stream_with(effect, parts, address, &link, stream_rule).await;
        }
        // A task of its own: hyper drops this future when the client closes the connection, and the request is on its way.
        let front = self.clone();
        let delivering =
            tokio::spawn(async move { front.deliver_with(effect, &parts, &body, address, &link).await });
        delivering.await.unwrap_or_else(|error| Err(SandboxError::Stage(error.to_string()).into()))
    }

    /// Delivers a request as the effect demands.
    async fn deliver_with(
        &self,
        effect: Option<Effect>,
        parts: &Parts,
        body: &Bytes,
        address: SocketAddr,
        link: &Link,
    ) -> Result<Response, Refusal> {
        match effect {
            Some(Effect::Twice) => drop(self.deliver(parts, body, address).await?),
            Some(Effect::Unknown { committed: true }) => {
                self.deliver(parts, body, address).await?;
                return Ok(unknown());
            }
            effect => {
                if let Some(refused) = begin(effect, link).await {
                    return Ok(refused);
                }
            }
        }
        let Delivered { parts, body } = self.deliver(parts, body, address).await?;
        Ok(Response::from_parts(parts, Body::from(body)))
    }

    /// Carries out a request while no other one runs. The messages about it are sent when this returns.
    async fn deliver(&self, parts: &Parts, body: &Bytes, address: SocketAddr) -> Result<Delivered, Refusal> {
        let venue = self.venue.lock().await;
        let (door, messages) = (Door::of(&venue)?, venue.messages()?);
        // A read that waits for a change would keep the venue from the request that makes the change: it gives up the lock.
        let venue = (!waits(parts)).then_some(venue);
        let request = Request::from_parts(parts.clone(), Body::from(body.clone()));
        let response = door.call(request, address).await;
        let (mut parts, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| SandboxError::Stage(error.to_string()))?.to_bytes();
        if venue.is_some() {
            messages.settle().await;
        }
        drop(venue);
        let body = banner::mark(parts.status, &mut parts.headers, body);
        // The answer to HEAD states the length of a body that it does not have.
        if !body.is_empty() {
            parts.headers.remove(header::CONTENT_LENGTH);
        }
        Ok(Delivered { parts, body })
    }

    /// Opens a stream as the effect demands. It cannot be opened twice. `rule` applies to its messages.
    async fn open_stream_with(
        &self,
        effect: Option<Effect>,
        parts: Parts,
        address: SocketAddr,
        link: &Link,
        rule: Option<Rule>,
    ) -> Result<Response, Refusal> {
        if let Some(refused) = begin(effect, link).await {
            return Ok(refused);
        }
        let path = parts.uri.path().to_owned();
        let venue = self.venue.lock().await;
        let door = Door::of(&venue)?;
        let response = door.call(Request::from_parts(parts, Body::empty()), address).await;
        drop(venue);
        if let Some(Effect::Unknown { .. }) = effect {
            return Ok(unknown());
        }
        let is_open = response.status() == StatusCode::SWITCHING_PROTOCOLS;
        if is_open && link.mode() == LinkMode::Answers {
            link.set_mode(LinkMode::Stream(Arc::new(StreamLink { path, rule })));
        }
        Ok(response)
    }

    /// The names of the user whose key a request states, if a rule asks for users.
    async fn user_of(&self, parts: &Parts) -> Result<Option<Vec<String>>, Refusal> {
        let key = parts.headers.get("x-public-key").and_then(|key| key.to_str().ok());
        let Some(key) = key.filter(|_| self.faults.names_users()) else { return Ok(None) };
        let venue = self.venue.lock().await;
        let exchange = venue.app()?.reading().state();
        let found = exchange.directory().find_by_public_key(&exchange::text::Text::from(key));
        Ok(found.map(|(user, _)| {
            let user = exchange.directory().user(user);
            vec![user.id.to_string(), user.tag.to_string(), key.to_owned()]
        }))
    }
}

/// Carries out the effects that come before a delivery. Returns the response to a request that is not delivered.
async fn begin(effect: Option<Effect>, link: &Link) -> Option<Response> {
    match effect {
        Some(Effect::RateLimit { seconds }) => {
            return Some(failure(ErrorBody::rate_limit("Planted: too many requests", seconds)));
        }
        Some(Effect::Unavailable { seconds }) => {
            return Some(failure(ErrorBody::unavailable("Planted: nothing was written", seconds)));
        }
        Some(Effect::Unknown { committed: false }) => return Some(unknown()),
        Some(Effect::Delay { millis }) => tokio::time::sleep(Duration::from_millis(millis)).await,
        Some(Effect::LostAnswer) => link.set_mode(LinkMode::CutAfter(0)),
        Some(Effect::Cut { byte }) => link.set_mode(LinkMode::CutAfter(byte)),
        None | Some(Effect::Twice | Effect::Unknown { committed: true }) => {}
    }
    None
}

/// Whether a read may wait for a command of another request.
fn waits(parts: &Parts) -> bool {
    let mut parameters = parts.uri.query().unwrap_or_default().split('&');
    let is_wait = |parameter: &str| parameter.strip_prefix("wait=").is_some_and(|seconds| seconds != "0");
    let has_wait = parameters.any(is_wait);
    parts.method == Method::GET && (has_wait || parts.headers.contains_key(WAIT_FOR_SEQUENCE))
}

/// The way to the public router of the running node.
struct Door {
    router: Router,
    upgraded: Arc<UpgradedConnection>,
}

impl Door {
    fn of(venue: &Venue) -> Result<Door, SandboxError> {
        let live = venue.live()?;
        Ok(Door { router: live.public.clone(), upgraded: live.upgraded.clone() })
    }

    /// Calls the router. Nothing of the node is held afterwards.
    async fn call(self, request: Request<Body>, address: SocketAddr) -> Response {
        let Door { mut router, upgraded } = self;
        match adopt(request, address, &upgraded) {
            Ok(request) => {
                let Ok(response) = router.call(request).await;
                response
            }
            Err(response) => *response,
        }
    }
}

/// The whole body of a request.
async fn collect(body: Incoming) -> Result<Bytes, Refusal> {
    let collecting = Limited::new(body, BODY_BYTES_MAX).collect();
    let collected = tokio::time::timeout(Timeouts::default().body, collecting).await;
    let timed_out = || ErrorBody::new(ErrorKind::RequestTimeout, "The body did not arrive in time");
    match collected.map_err(|_| timed_out())? {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(ErrorBody::new(ErrorKind::PayloadTooLarge, "The body is too large").into())
        }
        Err(_) => Err(Refusal::bad("The body cannot be read")),
    }
}

/// The answer after which only the journal knows whether the request was carried out.
fn unknown() -> Response {
    failure(ErrorBody::outcome_unknown(server::identifiers::new_id()))
}

fn failure(body: ErrorBody) -> Response {
    let is_unread = matches!(body.error, ErrorKind::PayloadTooLarge | ErrorKind::RequestTimeout);
    let mut response = Failure::from(body).into_response();
    if is_unread {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
