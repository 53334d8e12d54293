//! What every answer carries: the caller's trace id, what is left of its allowance, no caching of what is personal.
//! And what every request pays: those without a key, and those that fail to show who they are, charge their address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use api::signing::PUBLIC_KEY_HEADER;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::{Failure, charged};
use crate::app::App;

const TRACE: HeaderName = HeaderName::from_static("x-trace-id");
const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time-ms");
/// Longer ones are dropped.
const TRACE_BYTES_MAX: usize = 128;

/// An event whose level is known only when it happens.
macro_rules! leveled {
    ($level:expr, $($event:tt)+) => {
        match $level {
            tracing::Level::WARN => tracing::warn!($($event)+),
            tracing::Level::INFO => tracing::info!($($event)+),
            _ => tracing::debug!($($event)+),
        }
    };
}

/// Wraps every route.
pub async fn envelope(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    charged::watch(answer(&app, request, next), Response::headers_mut).await
}

async fn answer(app: &App, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let trace = request.headers().get(&TRACE).filter(|trace| is_trace(trace)).cloned();
    let has_credentials =
        ["x-public-key", "x-auth-token"].iter().any(|name| request.headers().contains_key(*name));
    // What is asked with another method than GET is meant for one caller, a login above all.
    let is_personal = has_credentials || !request.method().is_safe();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = request.method().clone();
    let address = address_of(&request);
    let mut response = match charge_unknown(app, &request, address) {
        Ok(()) => in_json(next.run(request).await),
        Err(refused) => refused.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED {
        // Guessing keys costs the one who guesses.
        let _ = app.limits.public.take(address, 1, app.now_micros());
    }
    // What goes well, or is only too often, is for those who look closely.
    let status = response.status();
    let level = match status.as_u16() {
        ..400 | 429 => tracing::Level::DEBUG,
        400..500 => tracing::Level::INFO,
        _ => tracing::Level::WARN,
    };
    leveled!(
        level,
        trace = trace.as_ref().and_then(|trace| trace.to_str().ok()),
        %method,
        route = route.as_deref().unwrap_or("none"),
        status = status.as_u16(),
        micros = started.elapsed().as_micros() as u64,
        "answered"
    );
    let headers = response.headers_mut();
    if let Some(trace) = trace {
        headers.insert(TRACE, trace);
    }
    headers.insert(SERVER_TIME, HeaderValue::from(app.now_micros() / 1_000));
    headers.append(header::VARY, HeaderValue::from_static("X-Public-Key"));
    if is_personal {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    response
}

/// A request without a key is charged to its address.
fn charge_unknown(app: &App, request: &Request, address: IpAddr) -> Result<(), Failure> {
    if request.headers().contains_key(PUBLIC_KEY_HEADER) {
        return Ok(());
    }
    let limit = &app.limits.public;
    app.charge("public", limit.rate(), limit.take(address, 1, app.now_micros()))
}

fn address_of(request: &Request) -> IpAddr {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

/// A path that cannot be decoded is refused by the framework, in plain text; a refusal is always JSON.
fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    match status {
        _ if !is_refusal || is_json => response,
        StatusCode::BAD_REQUEST => {
            Failure::from(ErrorBody::bad_request("The path cannot be read")).into_response()
        }
        _ => Failure::from(ErrorBody::internal()).into_response(),
    }
}

fn is_trace(trace: &HeaderValue) -> bool {
    let bytes = trace.as_bytes();
    (1..=TRACE_BYTES_MAX).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

/// No such route.
pub async fn not_found() -> Failure {
    ErrorBody::not_found("No such resource").into()
}

/// A route, but not with this method.
pub async fn method_not_allowed() -> Failure {
    ErrorBody::new(ErrorKind::MethodNotAllowed, "This method is not allowed here").into()
}
