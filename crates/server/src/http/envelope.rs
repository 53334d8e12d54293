//! Wraps every request: charges it before its handler runs (`charging`), and adds the trace id, the rate limit headers,
//! `no-store` on personal responses and `nosniff` to the response.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tower_layer::Layer;
use tower_service::Service;
use tracing::Level;

use super::Failure;
use super::address;
use super::charged;
use super::charging::{collect, collect_from_operator};
use super::credentials::{AUTH_TOKEN, PUBLIC_KEY};
use super::deprecation::{self, Deprecated};
use super::fare::Fares;
use super::page;
use crate::app::App;
use crate::limits::Network;

pub(crate) const TRACE: HeaderName = HeaderName::from_static("x-trace-id");
const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time-ms");
/// Longer ones are ignored.
const TRACE_BYTES_MAX: usize = 128;

/// A log event whose level is computed at runtime.
macro_rules! leveled {
    ($level:expr, $($event:tt)+) => {
        match $level {
            Level::WARN => tracing::warn!($($event)+),
            Level::INFO => tracing::info!($($event)+),
            _ => tracing::debug!($($event)+),
        }
    };
}

/// Wraps every route. Written as a `Service`, because axum's `from_fn` allocates three times per request.
#[derive(Clone, Debug)]
pub struct Envelope {
    app: Arc<App>,
    /// `None` on the operator listener.
    fares: Option<Arc<Fares>>,
}

impl Envelope {
    pub fn new(app: Arc<App>) -> Envelope {
        Envelope { app, fares: Some(Arc::new(Fares::new())) }
    }

    /// For the operator listener: clients of the public listener cannot use up the operators' limits.
    pub fn for_operators(app: Arc<App>) -> Envelope {
        Envelope { app, fares: None }
    }
}

impl<S> Layer<S> for Envelope {
    type Service = Enveloped<S>;

    fn layer(&self, inner: S) -> Enveloped<S> {
        Enveloped { app: self.app.clone(), fares: self.fares.clone(), inner }
    }
}

#[derive(Clone, Debug)]
pub struct Enveloped<S> {
    app: Arc<App>,
    fares: Option<Arc<Fares>>,
    inner: S,
}

impl<S> Service<Request> for Enveloped<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let app = self.app.clone();
        let network = Network::of(address::settle(&mut request, app.web().proxies()));
        let context = ResponseContext::of(&request);
        let charge = match &self.fares {
            Some(fares) => collect(&app, network, fares.of(&request)),
            None => collect_from_operator(&app, network, &request),
        };
        let running = charge.result.map(|()| self.inner.call(request));
        Box::pin(async move {
            let answering = async move {
                let response = match running {
                    Ok(running) => {
                        let Ok(response) = running.await;
                        in_json(response)
                    }
                    Err(refused) => refused.into_response(),
                };
                context.enclose(&app, response)
            };
            Ok(charged::watch(charge.paid, charge.charged, answering).await)
        })
    }
}

/// The parts of a request that its response depends on.
struct ResponseContext {
    trace: Option<HeaderValue>,
    is_personal: bool,
    /// From a page, with a cookie.
    is_from_page: bool,
    deprecated: Option<Deprecated>,
    line: Option<Line>,
}

impl ResponseContext {
    fn of(request: &Request) -> ResponseContext {
        let headers = request.headers();
        let is_from_page = page::may_have_cookie(headers);
        let has_credentials =
            is_from_page || headers.contains_key(&PUBLIC_KEY) || headers.contains_key(&AUTH_TOKEN);
        ResponseContext {
            trace: headers.get(&TRACE).filter(|trace| is_trace(trace.as_bytes())).cloned(),
            // A request with another method than GET (a login above all) is for one client only.
            is_personal: has_credentials || !request.method().is_safe(),
            is_from_page,
            deprecated: deprecation::of(request),
            line: Line::begin(request),
        }
    }

    fn enclose(self, app: &App, mut response: Response) -> Response {
        if let Some(line) = self.line {
            line.end(self.trace.as_ref(), &response);
        }
        let headers = response.headers_mut();
        if let Some(trace) = self.trace {
            headers.insert(TRACE, trace);
        }
        headers.insert(SERVER_TIME, HeaderValue::from(app.now_micros() / 1_000));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.append(header::VARY, HeaderValue::from_static("X-Public-Key"));
        if self.is_from_page {
            headers.append(header::VARY, HeaderValue::from_static("Cookie"));
        }
        if let Some(deprecated) = self.deprecated {
            deprecation::write(deprecated, headers);
        }
        if self.is_personal {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        }
        response
    }
}

/// An access log line, skipped if the log level drops it. Successes and 429 are logged at debug level.
struct Line {
    started: Instant,
    method: Method,
    route: Option<MatchedPath>,
}

impl Line {
    fn begin(request: &Request) -> Option<Line> {
        tracing::enabled!(Level::WARN).then(|| Line {
            started: Instant::now(),
            method: request.method().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
        })
    }

    fn end(self, trace: Option<&HeaderValue>, response: &Response) {
        let (trace, status) = (trace.and_then(|trace| trace.to_str().ok()), response.status().as_u16());
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        log_answered(trace, self.method.as_str(), route, status, self.started);
    }
}

/// Writes the access log's line for a response.
pub(crate) fn log_answered(trace: Option<&str>, method: &str, route: &str, status: u16, started: Instant) {
    let level = match status {
        ..400 | 429 => Level::DEBUG,
        400..500 => Level::INFO,
        _ => Level::WARN,
    };
    let micros = started.elapsed().as_micros() as u64;
    leveled!(level, trace, method, route, status, micros, "answered");
}

/// axum refuses an undecodable path with plain text; errors must be JSON.
fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    match status {
        _ if !is_refusal || is_json => response,
        StatusCode::BAD_REQUEST => {
            Failure::from(ErrorBody::bad_request("The path cannot be decoded")).into_response()
        }
        _ => Failure::from(ErrorBody::internal()).into_response(),
    }
}

pub(crate) fn is_trace(bytes: &[u8]) -> bool {
    (1..=TRACE_BYTES_MAX).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

/// 404 for an unknown route.
pub async fn not_found() -> Failure {
    ErrorBody::not_found("No such resource").into()
}

/// 405 for a known route with another method.
pub async fn method_not_allowed() -> Failure {
    ErrorBody::new(ErrorKind::MethodNotAllowed, "This method is not allowed here").into()
}
