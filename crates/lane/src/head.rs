//! Parses the head of a request. `httparse`, which hyper uses too, decides what is well formed; `plain` decides which
//! well-formed heads are served in a lane.

use std::mem::MaybeUninit;

use httparse::{Header, ParserConfig, Status};

use crate::headers::Headers;
use crate::plain;

/// Fields of a head; a connection with more in a request is handed over.
pub(crate) const FIELDS_MAX: usize = 64;

pub(crate) type FieldSpace<'a> = [MaybeUninit<Header<'a>>; FIELDS_MAX];

/// The head of a plain request.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    pub method: &'a str,
    /// Without the query. It has no percent-encoded character.
    pub path: &'a str,
    /// As sent, without the question mark.
    pub query: Option<&'a str>,
    pub headers: Headers<'a>,
}

/// The beginning of a connection's unread bytes.
#[derive(Debug)]
pub(crate) enum Parsed<'a> {
    /// The end of the head is missing.
    Partial,
    /// Malformed, or not for a lane.
    Other,
    Plain {
        head: Head<'a>,
        head_bytes: usize,
        /// The value of Content-Length, or 0.
        body_bytes: usize,
    },
}

pub(crate) fn parse<'a>(bytes: &'a [u8], space: &'a mut FieldSpace<'a>) -> Parsed<'a> {
    let mut request = httparse::Request::new(&mut []);
    let parsed = ParserConfig::default().parse_request_with_uninit_headers(&mut request, bytes, space);
    let head_bytes = match parsed {
        Ok(Status::Complete(bytes)) => bytes,
        Ok(Status::Partial) => return Parsed::Partial,
        Err(_) => return Parsed::Other,
    };
    let (Some(method), Some(target), Some(1)) = (request.method, request.path, request.version) else {
        return Parsed::Other;
    };
    let fields: &'a [Header<'a>] = request.headers;
    let (Some((path, query)), Some(framing)) = (plain::target(method, target), plain::framing(fields)) else {
        return Parsed::Other;
    };
    let headers = Headers::new(fields, framing.lengths);
    Parsed::Plain { head: Head { method, path, query, headers }, head_bytes, body_bytes: framing.body_bytes }
}

/// Whether the bytes may contain the end of a head. The first `seen` of them do not; a head that arrives in many pieces
/// is thus parsed twice, not once per piece. hyper finds the end of a partial head in the same way.
pub(crate) fn may_end(bytes: &[u8], seen: usize) -> bool {
    let new = &bytes[seen.saturating_sub(3).min(bytes.len())..];
    let is_end = |at: usize| matches!(&new[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
    (0..new.len()).any(|at| new[at] == b'\n' && is_end(at))
}
