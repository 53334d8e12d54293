//! A request in flight: what its response's common header fields, its counters, its line of the access log and its trace
//! depend on.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Instant;

use api::json::Decimals;
use http::{HeaderName, Method, header};

use super::cross_origin;
use super::deprecation::{self, Deprecated};
use super::fields::Fields;
use super::freshness::known_tags;
use super::matching::Found;
use super::meter::Meter;
use super::number_format::NUMBER_FORMAT;
use crate::app::App;
use crate::http::access_log::{AccessLine, CallerFields, RouteFields};
use crate::http::credentials::{AUTH_TOKEN, PUBLIC_KEY};
use crate::signals::access_lines::{AccessLines, WriteFields, WrittenFields};
use crate::signals::histogram::micros;
use crate::signals::refusals::RefusalReason;
use crate::signals::request_id::{RequestId, trace_of};
use crate::signals::requests::RouteSlot;
use crate::signals::traces::{ActiveTrace, TracedRequest};

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(crate) const TRACE: HeaderName = HeaderName::from_static("x-trace-id");
/// The trace context of the W3C.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time-ms");
pub(crate) const SEQUENCE: HeaderName = HeaderName::from_static("x-sequence");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Longer ones are ignored.
const TRACE_BYTES_MAX: usize = 128;

/// The value of a field of a response.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Static(&'static str),
    Bytes(&'a [u8]),
    Number(u64),
}

/// The caller of the last logged request of a connection, with its fields of the access log.
pub(crate) type LastCaller = Option<(CallerFields, WrittenFields)>;

#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) meter: Meter,
    pub(crate) address: IpAddr,
    method: Method,
    /// The pattern of its path, if there is one.
    pattern: Option<&'static str>,
    slot: RouteSlot,
    trace: Option<Vec<u8>>,
    /// The trace id of `traceparent`.
    traceparent: Option<Vec<u8>>,
    /// The tags of what the client has, joined.
    pub(crate) known: Option<Vec<u8>>,
    /// Its response is for one client.
    pub(crate) is_personal: bool,
    /// From a page, with a cookie.
    is_from_page: bool,
    /// Scripts of other origins may read its response.
    is_open: bool,
    is_probe: bool,
    deprecated: Option<Deprecated>,
    began: Instant,
    /// Set if the request is traced.
    pub(crate) active: Option<Box<ActiveTrace>>,
}

/// What only one of the transports knows of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circumstances {
    pub(crate) address: IpAddr,
    pub(crate) began: Instant,
    pub(crate) is_from_page: bool,
    pub(crate) is_open: bool,
}

/// The id of a request. Of several fields the first one counts.
pub(crate) fn request_id(fields: &(impl Fields + ?Sized)) -> RequestId {
    RequestId::of(fields.find_first(&REQUEST_ID), fields.find_first(&TRACEPARENT))
}

fn is_trace(bytes: &[u8]) -> bool {
    (1..=TRACE_BYTES_MAX).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

impl Opened {
    pub(crate) fn new(
        app: &App,
        meter: Meter,
        method: Method,
        found: &Found<'_, '_>,
        fields: &dyn Fields,
        circumstances: Circumstances,
    ) -> Opened {
        let Circumstances { address, began, is_from_page, is_open } = circumstances;
        let has_credentials = is_from_page || fields.has_field(&PUBLIC_KEY) || fields.has_field(&AUTH_TOKEN);
        let traceparent = fields.find_first(&TRACEPARENT);
        let slot = match found.row {
            Some(row) => row.slot,
            None => app.signals().requests.slot("", None),
        };
        Opened {
            meter,
            address,
            pattern: found.path.map(|path| path.pattern),
            slot,
            trace: fields.find_first(&TRACE).filter(|trace| is_trace(trace)).map(<[u8]>::to_vec),
            known: known_tags(fields),
            traceparent: traceparent.and_then(trace_of).map(<[u8]>::to_vec),
            // A request with another method than GET (a login above all) is for one client only.
            is_personal: has_credentials || !method.is_safe(),
            is_from_page,
            is_open,
            is_probe: found.row.is_some_and(|row| row.operation.is_probe),
            deprecated: found.row.and_then(|row| row.operation.deprecated),
            method,
            began,
            active: app.signals().traces().and_then(|traces| traces.begin(traceparent)),
        }
    }

    pub(crate) fn method(&self) -> &Method {
        &self.method
    }

    /// Gives `put` the fields that every response has, and those with the notes of the request. `at` is the machine's time.
    pub(crate) fn write_fields(&self, status: u16, at: i64, mut put: impl FnMut(&HeaderName, Value<'_>)) {
        let id = self.meter.id();
        put(&REQUEST_ID, Value::Bytes(id.as_bytes()));
        if let Some(trace) = &self.trace {
            put(&TRACE, Value::Bytes(trace));
        }
        put(&SERVER_TIME, Value::Number((at / 1_000).unsigned_abs()));
        put(&header::X_CONTENT_TYPE_OPTIONS, Value::Static("nosniff"));
        put(&header::VARY, Value::Static("X-Public-Key, X-Number-Format"));
        if self.meter.decimals() == Decimals::Strings {
            put(&NUMBER_FORMAT, Value::Static("string"));
        }
        if self.is_from_page {
            put(&header::VARY, Value::Static("Cookie"));
        }
        deprecation::write(self.deprecated, |name, date| put(name, Value::Static(date)));
        if self.is_personal {
            put(&header::CACHE_CONTROL, Value::Static("private, no-store"));
        }
        if let Some(charged) = self.meter.charged() {
            for (name, value) in charged.fields() {
                put(&name, Value::Bytes(value.as_bytes()));
            }
        }
        // An error response says nothing about the state.
        if let Some(sequence) = self.meter.sequence().filter(|_| status < 400) {
            put(&SEQUENCE, Value::Number(sequence));
        }
        if self.meter.is_replayed() {
            put(&REPLAYED, Value::Static("true"));
        }
        if self.is_open {
            cross_origin::OPEN.iter().for_each(|(name, value)| put(name, Value::Static(value)));
        }
    }

    /// Counts the request, writes its line of the access log and ends its trace. `at` is the machine's time, `route` and
    /// `last` have fields that were written before.
    pub(crate) fn note(
        &mut self,
        app: &App,
        (status, refusal): (u16, Option<RefusalReason>),
        (at, now): (i64, Instant),
        (route, last): (Option<&OnceLock<WrittenFields>>, &mut LastCaller),
    ) {
        let micros = micros(now.saturating_duration_since(self.began));
        app.signals().requests.record(self.slot, status, micros);
        if let Some(reason) = refusal {
            app.signals().refusals.record(reason);
        }
        let (id, party, active) = (self.meter.id(), self.meter.party(), self.active.take());
        if let Some((lines, level)) = app.signals().lines_for(status, self.is_probe) {
            let trace = self.traceparent.as_deref().or(self.trace.as_deref());
            let own = active.as_ref().map(|active| active.id());
            let trace = trace.and_then(|trace| std::str::from_utf8(trace).ok()).or(own.as_deref());
            let fields = RouteFields { method: self.method.as_str(), route: self.pattern.unwrap_or("none") };
            let route: &dyn WriteFields = match route {
                Some(written) => written.get_or_init(|| lines.written(&fields)),
                None => &fields,
            };
            let caller = caller_fields(lines, CallerFields::new(self.address, party), last);
            let command = party.command;
            lines.push(level, at, &AccessLine { id, trace, route, status, micros, caller, command });
        }
        if let Some((mut trace, traces)) = active.zip(app.signals().traces()) {
            trace.take_noted_writes();
            let (method, route) = app.signals().requests.names(self.slot);
            let (command, began) = (party.command, self.began);
            traces.end(TracedRequest { trace, id, method, route, status, command, began, ended: now });
        }
    }
}

/// The fields of a caller, written only if it is not the last one.
fn caller_fields<'l>(
    lines: &AccessLines,
    caller: CallerFields,
    last: &'l mut LastCaller,
) -> &'l WrittenFields {
    let known = last.take().filter(|(last, _)| *last == caller);
    let (_, written) = last.insert(known.unwrap_or_else(|| (caller, lines.written(&caller))));
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_short_and_printable() {
        assert!(is_trace(b"a") && is_trace(&[b'x'; TRACE_BYTES_MAX]));
        assert!(!is_trace(b"") && !is_trace(b"a b") && !is_trace(&[b'x'; TRACE_BYTES_MAX + 1]));
    }
}
