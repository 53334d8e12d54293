//! CORS: which responses scripts of other origins may read, and the answers to preflight requests.
//!
//! Everything that a program without a browser can read is open to every origin, so the allowed origin is always `*`,
//! and credentials are never allowed. Requests that a page of ours makes with its cookie stay closed: `/web/…`, logins
//! and password resets get no CORS headers, and the header `X-Bellwether-Page`, without which a cookie is ignored
//! (`page.rs`), is never allowed. The operator listener does not have this layer.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tower_layer::Layer;
use tower_service::Service;

use super::Answered;
use super::envelope::method_not_allowed;
use crate::app::App;
use crate::web;

/// Request headers that a script may set.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-Public-Key, X-Timestamp, X-Signature, x-auth-token, x-device-id, Content-Type, Idempotency-Key, \
     Idempotency-Window, X-Number-Format, x-trace-id, x-request-id, traceparent, x-wait-for-sequence, If-None-Match",
);
const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, DELETE");
/// Response headers that a script may read, besides the CORS-safelisted ones.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "RateLimit, RateLimit-Policy, Retry-After, x-sequence, Idempotent-Replayed, x-request-id, x-trace-id, \
     x-server-time-ms, X-Number-Format, ETag",
);
/// The header fields of an open response, as lines.
pub(crate) static OPEN_LINES: LazyLock<String> = LazyLock::new(|| {
    let text = |value: HeaderValue| value.to_str().unwrap_or_default().to_owned();
    format!(
        "{}: {}\r\n{}: {}\r\n",
        header::ACCESS_CONTROL_ALLOW_ORIGIN,
        text(ANY_ORIGIN),
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        text(EXPOSED_HEADERS)
    )
});
/// How long a browser may cache a preflight response, in seconds.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("600");
const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");

/// Routes only for pages of the same origin.
const OWN_ROUTES: [&str; 3] =
    ["/v1/user/login", "/v1/user/password-reset", "/v1/user/password-reset/request"];
const OWN_PREFIX: &str = "/web/";

/// Adds CORS headers to responses. It wraps the envelope, because scripts must be able to read the envelope's errors as
/// well; preflights are answered inside the envelope, so they are rate limited.
#[derive(Clone, Debug)]
pub struct CrossOrigin {
    app: Arc<App>,
}

impl CrossOrigin {
    pub fn new(app: Arc<App>) -> CrossOrigin {
        CrossOrigin { app }
    }
}

impl<S> Layer<S> for CrossOrigin {
    type Service = CorsService<S>;

    fn layer(&self, inner: S) -> CorsService<S> {
        CorsService { app: self.app.clone(), inner }
    }
}

#[derive(Clone, Debug)]
pub struct CorsService<S> {
    app: Arc<App>,
    inner: S,
}

impl<S> Service<Request> for CorsService<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Unpin,
{
    type Response = Response;
    type Error = Infallible;
    type Future = CorsFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_open = is_open(&self.app, &request);
        CorsFuture { is_open, answering: self.inner.call(request) }
    }
}

/// A pending response that may get CORS headers.
#[derive(Debug)]
pub struct CorsFuture<F> {
    is_open: bool,
    answering: F,
}

impl<F: Future<Output = Result<Response, Infallible>> + Unpin> Future for CorsFuture<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Ok(mut response) = ready!(Pin::new(&mut self.answering).poll(context));
        if self.is_open {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
        }
        Poll::Ready(Ok(response))
    }
}

/// The fallback for unknown paths: a preflight, a page, or 404.
pub async fn preflight_or_page(State(app): State<Arc<App>>, request: Request) -> Answered {
    if is_preflight(&request) && is_open(&app, &request) {
        return Ok(granted());
    }
    web::page_or_not_found(&app, request).await
}

/// The fallback for a known path with another method: a preflight, or 405.
pub async fn preflight_or_refusal(State(app): State<Arc<App>>, request: Request) -> Answered {
    if is_preflight(&request) && is_open(&app, &request) {
        return Ok(granted());
    }
    Err(method_not_allowed().await)
}

fn granted() -> Response {
    let granted: [(HeaderName, HeaderValue); 3] = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS),
    ];
    (StatusCode::NO_CONTENT, granted, Body::empty()).into_response()
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Whether scripts of any origin may read the response.
fn is_open(app: &App, request: &Request) -> bool {
    let path = request.uri().path();
    app.web().allows_cross_origin()
        && !path.starts_with(OWN_PREFIX)
        && !OWN_ROUTES.contains(&path)
        && !web::is_file(request)
}
