//! A request in flight in a lane, and its response's header fields: those that `http/envelope.rs` and
//! `http/cross_origin.rs` add behind hyper.

use std::time::Instant;

use http::{HeaderName, header};
use lane::{Head, Outcome, Response};
use tracing::Level;

use super::response::LaneResponse;
use crate::app::App;
use crate::http::Failure;
use crate::http::charged::{RequestNotes, SEQUENCE};
use crate::http::credentials::{AUTH_TOKEN, PUBLIC_KEY};
use crate::http::cross_origin::OPEN_LINES;
use crate::http::envelope::{TRACE, is_trace, log_answered};
use crate::http::fields::Fields;
use crate::http::wait_for_sequence::WAIT;
use crate::http::{deprecation, host, page};
use crate::writing::WriteReceipt;

/// Fields whose requests the router serves: their rules need more than a lane has.
const FOR_THE_ROUTER: [HeaderName; 4] = [WAIT, header::IF_NONE_MATCH, header::CONTENT_ENCODING, page::PAGE];

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
    is_personal: bool,
    line: Option<Line>,
}

/// The access log's line.
#[derive(Debug)]
struct Line {
    started: Instant,
    method: &'static str,
    route: &'static str,
}

impl OpenRequest {
    pub(super) fn new(
        head: &Head<'_>,
        route: &'static str,
        notes: RequestNotes,
        refusal: Option<Failure>,
    ) -> OpenRequest {
        let headers = &head.headers;
        // Of several the first one counts, as behind hyper.
        let trace = headers.all(TRACE.as_str()).next().filter(|trace| is_trace(trace));
        let method = ["GET", "POST", "PUT"].into_iter().find(|method| *method == head.method);
        let line = tracing::enabled!(Level::WARN).then(|| Line {
            started: Instant::now(),
            method: method.unwrap_or("DELETE"),
            route,
        });
        OpenRequest {
            notes,
            refusal,
            receipt: None,
            trace: trace.map(<[u8]>::to_vec),
            is_personal: head.method != "GET"
                || headers.has_field(&PUBLIC_KEY)
                || headers.has_field(&AUTH_TOKEN),
            line,
        }
    }

    /// Writes a response with the fields of every response.
    pub(super) fn enclose(self, app: &App, answer: &LaneResponse, response: Response<'_>) -> Outcome {
        if let Some(line) = &self.line {
            let trace = self.trace.as_deref().and_then(|trace| std::str::from_utf8(trace).ok());
            log_answered(trace, line.method, line.route, answer.status(), line.started);
        }
        let mut head = answer.begin(response, self.is_personal);
        if let Some(trace) = &self.trace {
            head = head.field(TRACE.as_str(), trace);
        }
        head = head.number("x-server-time-ms", (app.now_micros() / 1_000).unsigned_abs());
        head = head.lines("x-content-type-options: nosniff\r\nvary: X-Public-Key\r\n");
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
}
