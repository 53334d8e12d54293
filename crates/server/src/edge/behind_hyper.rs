//! The edge behind hyper: takes a request of the router's type, and makes a response of it.
//!
//! Pages, streams and documents have a router of their own, `pages`, whose requests get the same treatment before and after.

use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use api::json::Decimals;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode, header};
use tower_service::Service;

use super::answer::Rendered;
use super::call::Given;
use super::cross_origin::{granted, is_preflight};
use super::fare::Fare;
use super::fields::Fields;
use super::idempotency::Canonical;
use super::matching::{Found, Undecodable};
use super::meter::Meter;
use super::opened::{Circumstances, Opened, Value, request_id};
use super::serve::{Called, DecidedResponse, Edge, Head, finish};
use super::{number_format, wait_for_sequence};
use crate::admin::access::operator_of;
use crate::failure::Failure;
use crate::http::access_log::{CLIENT_CLOSED_REQUEST, HANDLER_PANICKED};
use crate::http::unchanging::takes_gzip;
use crate::http::{address, body, page};
use crate::limits::{AnswerKind, Network, TooMuchUnread};
use crate::signals::refusals::RefusalReason;
use crate::signals::traces::writes::watch;
use crate::web;

/// Smaller responses fit into a few packets; compressing them costs more than it saves.
const PACKED_FROM_BYTES: usize = 4_096;

/// The edge as a service of a router.
#[derive(Clone, Debug)]
pub(crate) struct BehindHyper {
    edge: Arc<Edge>,
    pages: Router,
}

impl BehindHyper {
    pub(crate) fn router(edge: Arc<Edge>, pages: Router) -> Router {
        Router::new().fallback_service(BehindHyper { edge, pages })
    }
}

impl Service<Request> for BehindHyper {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let serving = self.clone().serve(request);
        Box::pin(async move { Ok(serving.await) })
    }
}

/// A request without a response. If it is dropped, its client or the node has ended the connection: its command may
/// still be executed, so it is counted and logged too.
struct Unanswered {
    edge: Arc<Edge>,
    /// Taken by the response.
    opened: Option<Opened>,
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        if let Some(mut opened) = self.opened.take() {
            let status = if thread::panicking() { HANDLER_PANICKED } else { CLIENT_CLOSED_REQUEST };
            opened.note(&self.edge.app, (status, None), self.edge.times(), (None, &mut None));
        }
    }
}

/// A response that waits for its common fields.
enum Unfinished {
    Rendered(Rendered),
    /// Of the router of pages.
    Page(Response),
}

impl BehindHyper {
    async fn serve(self, mut request: Request) -> Response {
        let app = &self.edge.app;
        let address = address::settle(&mut request, app.web().proxies());
        let path = request.uri().path().to_owned();
        let found = self.edge.rows.find(request.method().as_str(), &path);
        let (opened, charged) = self.open(&request, address, &found);
        let (meter, is_traced) = (opened.meter.clone(), opened.active.is_some());
        let mut unanswered = Unanswered { edge: self.edge.clone(), opened: Some(opened) };
        let takes_packed = takes_gzip(request.headers());
        let answering = async {
            match charged {
                Ok(()) => self.answer(request, &found, &meter).await,
                Err(refused) => Err(refused),
            }
        };
        let finishing = async {
            let answered = meter.clone().wait(answering).await;
            let unfinished =
                answered.unwrap_or_else(|failure| Unfinished::Rendered(Rendered::refusal(&failure)));
            match unanswered.opened.take() {
                Some(opened) => self.finish(opened, unfinished, &found, takes_packed),
                None => Failure::from(ErrorBody::internal()).into_response(),
            }
        };
        if is_traced { watch(finishing).await } else { finishing.await }
    }

    /// Opens a request and charges its network.
    fn open(
        &self,
        request: &Request,
        address: std::net::IpAddr,
        found: &Found<'_, '_>,
    ) -> (Opened, Result<(), Failure>) {
        let (edge, headers) = (&self.edge, request.headers());
        let app = &edge.app;
        let network = Network::of(address);
        let fare = match found.row {
            _ if !edge.is_public => Fare::Operators,
            Some(row) => row.fare,
            None if is_file(request, found) => Fare::Files,
            None => Fare::Public,
        };
        // Operators have the usual form only.
        let asked = if edge.is_public { number_format::asked(headers) } else { Ok(Decimals::Numbers) };
        let decimals = asked.as_ref().copied().unwrap_or_default();
        let meter = Meter::new(app.tariff().clone(), request_id(headers), (network, fare), decimals);
        let charged = match edge.is_public {
            true => edge.check_unread(&meter, request.method(), found).and_then(|()| meter.charge_network()),
            false => {
                // The token is looked up first, so that a flood from the same network costs an operator nothing. A
                // cross-site request has no operator; `require_operator` refuses it.
                let operator = meter.run(|| operator_of(app, request)).ok().flatten();
                if operator.is_some() {
                    app.limits().known_operators.note(network, Instant::now());
                }
                meter.charge_operator(operator.map(|operator| operator.0))
            }
        };
        let is_own = found.path.is_some_and(|path| path.is_any(|operation| operation.is_own));
        let circumstances = Circumstances {
            address,
            began: Instant::now(),
            is_from_page: page::may_have_cookie(headers),
            is_open: edge.is_public && app.web().allows_cross_origin() && !is_own && fare != Fare::Files,
        };
        let opened = Opened::new(app, meter, request.method().clone(), found, headers, circumstances);
        (opened, charged.and(asked.map(drop)))
    }

    async fn answer(
        &self,
        mut request: Request,
        found: &Found<'_, '_>,
        meter: &Meter,
    ) -> Result<Unfinished, Failure> {
        let edge = &self.edge;
        if edge.is_public || found.row.is_none_or(|row| row.operation.access.is_operators()) {
            wait_for_sequence::wait(edge.app.reading(), request.headers()).await?;
        }
        if edge.is_public {
            let is_open = edge.app.web().allows_cross_origin()
                && !found
                    .path
                    .is_some_and(|path| path.is_any(|operation| operation.is_own || operation.is_file));
            match (found.path, found.row) {
                (_, None) if is_open && is_preflight(request.method(), request.headers()) => {
                    return Ok(Unfinished::Rendered(granted()));
                }
                (Some(path), None) => return Ok(Unfinished::Rendered(not_allowed(&path.allowed()))),
                _ => {}
            }
        }
        let Some(row) = found.row.filter(|row| edge.is_endpoint(row)) else {
            if let Some(canonical) = Canonical::of(request.headers(), found) {
                request.extensions_mut().insert(canonical);
            }
            let Ok(response) = self.pages.clone().call(request).await;
            return Ok(Unfinished::Page(in_json(response)));
        };
        let Ok(parameters) = &found.parameters else {
            let Undecodable = Undecodable;
            return Err(ErrorBody::bad_request("The path cannot be decoded").into());
        };
        let (parts, body) = request.into_parts();
        let head = head_of(&parts);
        let page = Some((&parts.method, &parts.headers));
        let verified = edge.verify_head(row.operation, &head, page, meter)?;
        let body = match row.operation.reads_body() {
            true => body::read(&parts.headers, body).await?,
            false => Bytes::new(),
        };
        let address = address::connected(&parts.extensions);
        let (operation, fields, query) = (row.operation, &parts.headers as &dyn Fields, head.query);
        let given = Given { operation, fields, query, parameters, body: &body, address };
        let called = edge.call(row, given, &head, verified, meter)?;
        self.carry_out(called).await.map(Unfinished::Rendered)
    }

    async fn carry_out(&self, called: Called) -> Result<Rendered, Failure> {
        let (request, receipt) = match called {
            Called::Answer(rendered) => return Ok(rendered),
            Called::Later(answering) => return answering.await,
            Called::Submit(submission) => submission,
        };
        let writing = self.edge.app.writing();
        let (submitted, decided_at) = writing.sequencer().submit_timed(request).await;
        let decided = match self.edge.decide(receipt, submitted) {
            Ok(DecidedResponse::Now(rendered)) => Ok(rendered),
            Ok(DecidedResponse::Later(receipt, incomplete)) => {
                writing.complete(&receipt, incomplete).await.map(Rendered::of_write)
            }
            Err(failure) => Err(failure),
        };
        let stages = writing.sequencer().writer_status().stages();
        if let Some(decided_at) = decided_at.filter(|_| stages.is_on()) {
            stages.answer.record_duration(decided_at.elapsed());
        }
        decided
    }

    fn finish(
        &self,
        mut opened: Opened,
        unfinished: Unfinished,
        found: &Found<'_, '_>,
        takes_packed: bool,
    ) -> Response {
        let app = &self.edge.app;
        let (mut response, refusal) = match unfinished {
            Unfinished::Rendered(rendered) => self.response(rendered, &opened, found, takes_packed),
            Unfinished::Page(response) => {
                let refusal = response.extensions().get::<RefusalReason>().copied();
                (response, refusal)
            }
        };
        // One reading of the clock for the log and the header.
        let times = self.edge.times();
        let status = response.status().as_u16();
        opened.note(app, (status, refusal), times, (None, &mut None));
        let fields = response.headers_mut();
        opened.write_fields(status, times.0, |name, value| {
            let value = match value {
                Value::Static(text) => HeaderValue::from_static(text),
                Value::Number(number) => HeaderValue::from(number),
                Value::Bytes(bytes) => match HeaderValue::from_bytes(bytes) {
                    Ok(value) => value,
                    // Each of them was checked when it was read or made.
                    Err(_) => return,
                },
            };
            match *name == header::VARY {
                true => drop(fields.append(name, value)),
                false => drop(fields.insert(name, value)),
            }
        });
        if *opened.method() == Method::HEAD { without_body(response) } else { response }
    }

    fn response(
        &self,
        mut rendered: Rendered,
        opened: &Opened,
        found: &Found<'_, '_>,
        takes_packed: bool,
    ) -> (Response, Option<RefusalReason>) {
        let mut is_packed = false;
        let mut may_be_packed = false;
        if let Some(row) = found.row {
            finish(&mut rendered, opened);
            may_be_packed = row.operation.is_packed && rendered.body.len() >= PACKED_FROM_BYTES;
            is_packed = may_be_packed && takes_packed && pack(&mut rendered);
        }
        let kind =
            if self.edge.is_public { AnswerKind::of(opened.method().as_str()) } else { AnswerKind::Owed };
        let body = std::mem::take(&mut rendered.body);
        match self.edge.app.limits().unread.count_bytes(opened.meter.network(), body, kind) {
            Ok(counted) => rendered.body = counted,
            Err(TooMuchUnread) => {
                rendered = Rendered::refusal(&self.edge.too_much_unread());
                (is_packed, may_be_packed) = (false, false);
            }
        }
        let Rendered { status, content, body, fields, retry_after, is_replayed, refusal, .. } = rendered;
        let has_content = status != StatusCode::NO_CONTENT && status != StatusCode::NOT_MODIFIED;
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let written = response.headers_mut();
        if has_content {
            written.insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
        }
        for (name, value) in fields {
            written.append(name, value);
        }
        if let Some(seconds) = retry_after {
            written.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if is_replayed {
            written.insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        if may_be_packed {
            written.append(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if is_packed {
            written.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        (response, refusal)
    }
}

fn head_of(parts: &Parts) -> Head<'_> {
    Head {
        method: parts.method.as_str(),
        path: parts.uri.path(),
        query: parts.uri.query(),
        fields: &parts.headers,
    }
}

/// Whether a request without a row is for a page or a file of one.
fn is_file(request: &Request, found: &Found<'_, '_>) -> bool {
    match found.path {
        Some(path) => path.is_any(|operation| operation.is_file),
        None => web::may_be_file(request),
    }
}

fn not_allowed(methods: &str) -> Rendered {
    let body = ErrorBody::new(ErrorKind::MethodNotAllowed, "This method is not allowed here");
    let mut rendered = Rendered::refusal(&body.into());
    if let Ok(methods) = HeaderValue::try_from(methods) {
        rendered.fields.push((header::ALLOW, methods));
    }
    rendered
}

/// Compresses a body. False: it did not become shorter.
fn pack(rendered: &mut Rendered) -> bool {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(&rendered.body).and_then(|()| encoder.finish());
    let packed = packed.ok().filter(|packed| packed.len() < rendered.body.len());
    let is_packed = packed.is_some();
    if let Some(packed) = packed {
        rendered.body = packed.into();
    }
    is_packed
}

/// The answer to HEAD: the length of the body that GET would have.
fn without_body(mut response: Response) -> Response {
    if let Some(length) = hyper::body::Body::size_hint(response.body()).exact() {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    }
    *response.body_mut() = Body::empty();
    response
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
