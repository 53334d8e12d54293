//! Wraps every request: charges it before its handler runs (`charging`), and adds the request id, the trace id, the
//! rate limit headers, `no-store` on personal responses and `nosniff` to the response. It counts the response, writes
//! its line of the access log and ends its trace; also for a request whose connection ends before its response.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tower_layer::Layer;
use tower_service::Service;

use super::Failure;
use super::access_log::{AccessLine, CLIENT_CLOSED_REQUEST, CallerFields, HANDLER_PANICKED, RouteFields};
use super::address;
use super::charged::{self, UnreadCounter};
use super::charging::{collect, collect_from_operator, too_much_unread};
use super::credentials::{AUTH_TOKEN, PUBLIC_KEY};
use super::deprecation::{self, Deprecated};
use super::fare::Fares;
use super::number_format::{self, NUMBER_FORMAT};
use super::page;
use crate::app::App;
use crate::limits::{AnswerKind, Network};
use crate::signals::PROBES;
use crate::signals::histogram::micros;
use crate::signals::refusals::RefusalReason;
use crate::signals::request_id::{RequestId, trace_of};
use crate::signals::requests::RouteSlot;
use crate::signals::traces::{self, ActiveTrace, TracedRequest, Traces};

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(crate) const TRACE: HeaderName = HeaderName::from_static("x-trace-id");
/// The trace context of the W3C.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time-ms");
/// Longer ones are ignored.
const TRACE_BYTES_MAX: usize = 128;

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
        let address = address::settle(&mut request, app.web().proxies());
        let network = Network::of(address);
        let mut context = ResponseContext::of(&app, address, &request);
        // Operators have the usual form only.
        context.has_strings &= self.fares.is_some();
        let (id, is_traced) = (context.id, context.active.is_some());
        let charge = match &self.fares {
            Some(fares) => collect(&app, network, request.method().as_str(), fares.of(&request)),
            None => collect_from_operator(&app, network, &request),
        };
        let kind = match self.fares {
            Some(_) => AnswerKind::of(request.method().as_str()),
            None => AnswerKind::Owed,
        };
        let unread = UnreadCounter { all: app.limits().unread.clone(), kind };
        let running = charge.result.map(|()| self.inner.call(request));
        let open = OpenRequest { app, context: Some(context) };
        let enveloped = async move {
            let answering = async move {
                let response = match running {
                    Ok(running) => {
                        let Ok(response) = running.await;
                        match charged::has_too_much_unread() {
                            true => too_much_unread(&open.app).into_response(),
                            false => in_json(response),
                        }
                    }
                    Err(refused) => refused.into_response(),
                };
                open.enclose(response)
            };
            Ok(charged::watch(id, charge.paid, charge.charged, unread, answering).await)
        };
        match is_traced {
            true => Box::pin(traces::writes::watch(enveloped)),
            false => Box::pin(enveloped),
        }
    }
}

/// A request without a response. If it is dropped, its client or the node has ended the connection: its command may
/// still be executed, so it is counted and logged too.
struct OpenRequest {
    app: Arc<App>,
    /// Taken by the response.
    context: Option<ResponseContext>,
}

impl OpenRequest {
    fn enclose(mut self, response: Response) -> Response {
        match self.context.take() {
            Some(context) => context.enclose(&self.app, response),
            None => response,
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if let Some(mut context) = self.context.take() {
            let status = if thread::panicking() { HANDLER_PANICKED } else { CLIENT_CLOSED_REQUEST };
            let at = self.app.now_micros();
            context.note(&self.app, status, None, at);
        }
    }
}

/// The parts of a request that its response depends on.
struct ResponseContext {
    id: RequestId,
    trace: Option<HeaderValue>,
    traceparent: Option<HeaderValue>,
    is_personal: bool,
    /// Decimals are strings.
    has_strings: bool,
    /// From a page, with a cookie.
    is_from_page: bool,
    deprecated: Option<Deprecated>,
    started: Instant,
    method: Method,
    route: Option<MatchedPath>,
    slot: RouteSlot,
    address: IpAddr,
    /// Set if the request is traced.
    active: Option<Box<ActiveTrace>>,
}

/// The id of a request with these fields.
pub(super) fn request_id(headers: &HeaderMap) -> RequestId {
    let bytes = |name| headers.get(name).map(HeaderValue::as_bytes);
    RequestId::of(bytes(&REQUEST_ID), bytes(&TRACEPARENT))
}

/// Adds the id to a response.
pub(super) fn write_request_id(id: &RequestId, headers: &mut HeaderMap) {
    if let Ok(value) = HeaderValue::from_bytes(id.as_bytes()) {
        headers.insert(REQUEST_ID, value);
    }
}

impl ResponseContext {
    fn of(app: &App, address: IpAddr, request: &Request) -> ResponseContext {
        let headers = request.headers();
        let is_from_page = page::may_have_cookie(headers);
        let has_credentials =
            is_from_page || headers.contains_key(&PUBLIC_KEY) || headers.contains_key(&AUTH_TOKEN);
        let route = request.extensions().get::<MatchedPath>().cloned();
        let shown = route.as_ref().map(MatchedPath::as_str);
        let traceparent = headers.get(&TRACEPARENT);
        let begin = |traces: &Traces| traces.begin(traceparent.map(HeaderValue::as_bytes));
        ResponseContext {
            id: request_id(headers),
            traceparent: traceparent.cloned(),
            trace: headers.get(&TRACE).filter(|trace| is_trace(trace.as_bytes())).cloned(),
            // A request with another method than GET (a login above all) is for one client only.
            is_personal: has_credentials || !request.method().is_safe(),
            has_strings: number_format::is_string(headers),
            is_from_page,
            deprecated: deprecation::of(request),
            started: Instant::now(),
            method: request.method().clone(),
            slot: app.signals().requests.slot(request.method().as_str(), shown),
            route,
            address,
            active: app.signals().traces().and_then(begin),
        }
    }

    fn enclose(mut self, app: &App, mut response: Response) -> Response {
        // One reading of the clock for the log and the header.
        let at = app.now_micros();
        let refusal = response.extensions().get::<RefusalReason>().copied();
        self.note(app, response.status().as_u16(), refusal, at);
        let headers = response.headers_mut();
        write_request_id(&self.id, headers);
        if let Some(trace) = self.trace {
            headers.insert(TRACE, trace);
        }
        headers.insert(SERVER_TIME, HeaderValue::from(at / 1_000));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.append(header::VARY, HeaderValue::from_static("X-Public-Key, X-Number-Format"));
        if self.has_strings {
            headers.insert(NUMBER_FORMAT, number_format::STRING);
        }
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

    /// Counts the request, writes its line of the access log and ends its trace.
    fn note(&mut self, app: &App, status: u16, refusal: Option<RefusalReason>, at: i64) {
        let elapsed = self.started.elapsed();
        let micros = micros(elapsed);
        app.signals().requests.record(self.slot, status, micros);
        if let Some(reason) = refusal {
            app.signals().refusals.record(reason);
        }
        let trace = self.traceparent.as_ref().and_then(|parent| trace_of(parent.as_bytes()));
        let trace = trace.or_else(|| self.trace.as_ref().map(HeaderValue::as_bytes));
        let (active, party) = (self.active.take(), charged::party());
        let own = active.as_ref().map(|active| active.id());
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        if let Some((lines, level)) = app.signals().lines_for(status, PROBES.contains(&route)) {
            let line = AccessLine {
                id: self.id,
                trace: trace.and_then(|trace| std::str::from_utf8(trace).ok()).or(own.as_deref()),
                route: &RouteFields { method: self.method.as_str(), route },
                status,
                micros,
                caller: &CallerFields::new(self.address, party),
                command: party.command,
            };
            lines.push(level, at, &line);
        }
        if let Some((mut trace, traces)) = active.zip(app.signals().traces()) {
            trace.take_noted_writes();
            let (method, route) = app.signals().requests.names(self.slot);
            let (began, ended) = (self.started, self.started + elapsed);
            let (id, command) = (self.id, party.command);
            traces.end(TracedRequest { trace, id, method, route, status, command, began, ended });
        }
    }
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
