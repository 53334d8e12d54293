//! A request in flight in a lane, and its response's header fields: those that `http/envelope.rs` and
//! `http/cross_origin.rs` add behind hyper.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Instant;

use http::{HeaderName, header};
use lane::{Head, Outcome, Response};

use super::response::LaneResponse;
use crate::app::App;
use crate::http::Failure;
use crate::http::access_log::{AccessLine, CallerFields, RouteFields};
use crate::http::charged::{Party, RequestNotes, SEQUENCE};
use crate::http::credentials::{AUTH_TOKEN, PUBLIC_KEY};
use crate::http::cross_origin::OPEN_LINES;
use crate::http::envelope::{REQUEST_ID, TRACE, TRACEPARENT, is_trace};
use crate::http::fields::Fields;
use crate::http::number_format::NUMBER_FORMAT;
use crate::http::wait_for_sequence::WAIT;
use crate::http::{deprecation, host, page};
use crate::routes::hot::HOT_ROUTES;
use crate::signals::access_lines::{AccessLines, WrittenFields};
use crate::signals::histogram::micros;
use crate::signals::refusals::RefusalReason;
use crate::signals::request_id::{RequestId, trace_of};
use crate::signals::requests::RouteSlot;
use crate::signals::traces::{ActiveTrace, TracedRequest, Traces};
use crate::writing::WriteReceipt;

/// Fields whose requests the router serves: their rules need more than a lane has.
const FOR_THE_ROUTER: [HeaderName; 5] =
    [WAIT, header::IF_NONE_MATCH, header::CONTENT_ENCODING, page::PAGE, NUMBER_FORMAT];

/// Whether a plain request to a hot route is left to the router.
pub(super) fn is_for_the_router(head: &Head<'_>) -> bool {
    let has_host = head.headers.find_single(&header::HOST).is_ok_and(|host| host.is_some_and(host::is_host));
    !has_host || deprecation::is_any() || FOR_THE_ROUTER.iter().any(|name| head.headers.has_field(name))
}

#[derive(Debug)]
pub(super) struct OpenRequest {
    pub(super) notes: RequestNotes,
    /// Why its network may not send it now.
    pub(super) refusal: Option<Failure>,
    /// Set while the exchange decides.
    pub(super) receipt: Option<WriteReceipt>,
    trace: Option<Vec<u8>>,
    /// The trace id of `traceparent`.
    traceparent: Option<Vec<u8>>,
    is_personal: bool,
    began: Began,
    /// Set if the request is traced.
    pub(super) active: Option<Box<ActiveTrace>>,
}

/// When a request began, and its route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Began {
    pub(super) at: Instant,
    /// The number of the hot route.
    pub(super) route: usize,
    pub(super) slot: RouteSlot,
}

/// The fields of a line of the access log that other lines have too.
#[derive(Debug)]
pub(super) struct LineFields<'a> {
    pub(super) route: &'a OnceLock<WrittenFields>,
    pub(super) address: IpAddr,
    /// The fields of the connection's last line.
    pub(super) caller: &'a mut Option<(CallerFields, WrittenFields)>,
}

impl<'a> LineFields<'a> {
    /// The fields of a route and of a caller, written only if they are new.
    fn write(
        self,
        lines: &AccessLines,
        route: RouteFields<'_>,
        party: Party,
    ) -> (&'a WrittenFields, &'a WrittenFields) {
        let route = self.route.get_or_init(|| lines.written(&route));
        let caller = CallerFields::new(self.address, party);
        let last = self.caller.take().filter(|(last, _)| *last == caller);
        let (_, written) = self.caller.insert(last.unwrap_or_else(|| (caller, lines.written(&caller))));
        (route, written)
    }
}

/// The id of a request. Of several fields the first one counts, as behind hyper.
pub(super) fn request_id(head: &Head<'_>) -> RequestId {
    let first = |name: &HeaderName| head.headers.all(name.as_str()).next();
    RequestId::of(first(&REQUEST_ID), first(&TRACEPARENT))
}

impl OpenRequest {
    pub(super) fn new(
        head: &Head<'_>,
        began: Began,
        notes: RequestNotes,
        refusal: Option<Failure>,
        traces: Option<&Traces>,
    ) -> OpenRequest {
        let headers = &head.headers;
        // Of several the first one counts, as behind hyper.
        let trace = headers.all(TRACE.as_str()).next().filter(|trace| is_trace(trace));
        let traceparent = headers.all(TRACEPARENT.as_str()).next();
        let active = traces.and_then(|traces| traces.begin(traceparent));
        OpenRequest {
            notes,
            refusal,
            receipt: None,
            trace: trace.map(<[u8]>::to_vec),
            traceparent: traceparent.and_then(trace_of).map(<[u8]>::to_vec),
            is_personal: head.method != "GET"
                || headers.has_field(&PUBLIC_KEY)
                || headers.has_field(&AUTH_TOKEN),
            began,
            active,
        }
    }

    /// The number of the hot route.
    pub(super) fn route(&self) -> usize {
        self.began.route
    }

    /// Writes a response with the fields of every response.
    pub(super) fn enclose(
        mut self,
        app: &App,
        fields: LineFields<'_>,
        answer: &LaneResponse,
        response: Response<'_>,
    ) -> Outcome {
        // One reading of the clock for the log and the header. By the time of the turn, an answer within the turn would
        // take no time.
        let at = app.now_micros();
        self.note(app, fields, (answer.status(), answer.refusal_reason()), (at, Instant::now()));
        let mut head = answer.begin(response, self.is_personal);
        head = head.field(REQUEST_ID.as_str(), self.notes.id.as_bytes());
        if let Some(trace) = &self.trace {
            head = head.field(TRACE.as_str(), trace);
        }
        head = head.number("x-server-time-ms", (at / 1_000).unsigned_abs());
        head = head.lines("x-content-type-options: nosniff\r\nvary: X-Public-Key, X-Number-Format\r\n");
        if self.is_personal {
            head = head.lines("cache-control: private, no-store\r\n");
        }
        if let Some(charged) = self.notes.charged {
            for (name, value) in charged.fields() {
                head = head.field(name.as_str(), value.as_bytes());
            }
        }
        if let Some(sequence) = self.notes.sequence.filter(|_| answer.status() < 400) {
            head = head.number(SEQUENCE.as_str(), sequence);
        }
        if app.web().allows_cross_origin() {
            head = head.lines(&OPEN_LINES);
        }
        head.send(answer.body())
    }

    /// Ends a request whose connection was closed before its response. Its command may still be executed.
    pub(super) fn abandon(mut self, app: &App, fields: LineFields<'_>, status: u16) {
        self.note(app, fields, (status, None), (app.now_micros(), Instant::now()));
    }

    /// Counts the request, writes its line of the access log and ends its trace.
    fn note(
        &mut self,
        app: &App,
        fields: LineFields<'_>,
        (status, refusal): (u16, Option<RefusalReason>),
        (at, now): (i64, Instant),
    ) {
        let Began { at: began, route, slot } = self.began;
        let micros = micros(now.saturating_duration_since(began));
        app.signals().requests.record(slot, status, micros);
        if let Some(reason) = refusal {
            app.signals().refusals.record(reason);
        }
        let (method, route) = HOT_ROUTES[route];
        let (id, party, active) = (self.notes.id, self.notes.party, self.active.take());
        // No hot route is a probe.
        if let Some((lines, level)) = app.signals().lines_for(status, false) {
            let trace = self.traceparent.as_deref().or(self.trace.as_deref());
            let trace = trace.and_then(|trace| std::str::from_utf8(trace).ok());
            let own = active.as_ref().map(|active| active.id());
            let (trace, command) = (trace.or(own.as_deref()), party.command);
            let (route, caller) = fields.write(lines, RouteFields { method, route }, party);
            lines.push(level, at, &AccessLine { id, trace, route, status, micros, caller, command });
        }
        if let Some((trace, traces)) = active.zip(app.signals().traces()) {
            let command = party.command;
            traces.end(TracedRequest { trace, id, method, route, status, command, began, ended: now });
        }
    }
}
