//! A request on its way to the venue: finds its fault, delivers it as the fault demands, and sends the answer only after
//! the stream messages about it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::error::{ErrorBody, ErrorKind};
use api::read::BODY_BYTES_MAX;
use api::signing::KeyKind;
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use journal::SystemClock;
use journal::clock::Clock;
use server::http::Failure;
use server::http::serving::{Timeouts, UpgradedConnection, adopt};
use tower_service::Service;

use super::Front;
use super::banner;
use super::link::{Link, LinkMode, StreamLink};
use crate::error::{Refusal, SandboxError};
use crate::faults::{Effect, FAULT_HEADER, Rule, read_header};
use crate::venue::Venue;

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
        link: &Link,
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
        link: &Link,
    ) -> Result<Response, Refusal> {
        let (mut parts, body) = request.into_parts();
        link.set_mode(LinkMode::Answers);
        if parts.uri.path() == banner::STYLE_PATH {
            return Ok(banner::style());
        }
        let body = collect(body).await?;
        let own = parts.headers.remove(FAULT_HEADER);
        let own = own.map(|field| read_header(&field)).transpose()?;
        if banner::wants_page(&parts.headers) {
            banner::ask_for_whole(&mut parts.headers);
        }
        if self.is_past {
            refuse_past(&mut parts.headers)?;
        }
        let user = self.user_of(&parts).await?;
        if parts.headers.contains_key(header::UPGRADE) {
            return self.open_stream(parts, address, link, user, own).await;
        }
        let effect = match own {
            Some(mut rule) => rule.next_effect(),
            None => self.faults.effect(parts.method.as_str(), parts.uri.path(), user.as_deref()),
        };
        self.deliver_with(effect, &parts, &body, address, link).await
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
            None => {}
            Some(Effect::RateLimit { seconds }) => {
                return Ok(failure(ErrorBody::rate_limit("Planted: too many requests", seconds)));
            }
            Some(Effect::Unavailable { seconds }) => {
                return Ok(failure(ErrorBody::unavailable("Planted: nothing was written", seconds)));
            }
            Some(Effect::Delay { millis }) => tokio::time::sleep(Duration::from_millis(millis)).await,
            Some(Effect::Twice) => drop(self.deliver(parts, body, address).await?),
            Some(Effect::Unknown { committed: false }) => return Ok(unknown()),
            Some(Effect::Unknown { committed: true }) => {
                self.deliver(parts, body, address).await?;
                return Ok(unknown());
            }
            Some(Effect::LostAnswer) => link.set_mode(LinkMode::CutAfter(0)),
            Some(Effect::Cut { byte }) => link.set_mode(LinkMode::CutAfter(byte)),
        }
        let Delivered { parts, body } = self.deliver(parts, body, address).await?;
        Ok(Response::from_parts(parts, Body::from(body)))
    }

    /// Carries out a request while no other one runs. The messages about it are sent when this returns.
    async fn deliver(&self, parts: &Parts, body: &Bytes, address: SocketAddr) -> Result<Delivered, Refusal> {
        let venue = self.venue.lock().await;
        let (door, messages) = (Door::of(&venue)?, venue.messages()?);
        let request = Request::from_parts(parts.clone(), Body::from(body.clone()));
        let response = door.call(request, address).await;
        let (mut parts, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| SandboxError::Stage(error.to_string()))?.to_bytes();
        messages.settle().await;
        drop(venue);
        let body = match banner::is_page(parts.status, &parts.headers) {
            true => banner::mark(&body, &mut parts.headers),
            false => body,
        };
        // The answer to HEAD states the length of a body that it does not have.
        if !body.is_empty() {
            parts.headers.remove(header::CONTENT_LENGTH);
        }
        Ok(Delivered { parts, body })
    }

    /// Opens a stream. Its faults apply to its messages, not to this request.
    async fn open_stream(
        &self,
        parts: Parts,
        address: SocketAddr,
        link: &Link,
        user: Option<Vec<String>>,
        rule: Option<Rule>,
    ) -> Result<Response, Refusal> {
        let path = parts.uri.path().to_owned();
        let venue = self.venue.lock().await;
        let door = Door::of(&venue)?;
        let response = door.call(Request::from_parts(parts, Body::empty()), address).await;
        drop(venue);
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            link.set_mode(LinkMode::Stream(Arc::new(StreamLink { path, user, rule })));
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

/// Refuses keys of people of the past, and ignores their sessions.
fn refuse_past(headers: &mut HeaderMap) -> Result<(), Refusal> {
    headers.remove("x-auth-token");
    headers.remove(header::COOKIE);
    let is_test = |key: &HeaderValue| key.as_bytes().starts_with(KeyKind::Test.public_prefix().as_bytes());
    match headers.get_all("x-public-key").iter().all(is_test) {
        true => Ok(()),
        false => {
            let now = SystemClock.now() / 1_000_000;
            Err(ErrorBody::unauthorized("People of the past cannot log in", "unknown_key", now).into())
        }
    }
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
