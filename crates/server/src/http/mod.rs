//! The edge: everything that happens to a request before and after its handler.
//!
//! `serving` accepts connections, `connections` shuts them down and `admission` limits their number. `paced_stream`
//! closes connections that read too slowly, `timed_body` fails bodies that arrive too slowly, and `host` refuses
//! requests without exactly one host. `envelope` adds the headers of every response; `fare` and `charging` apply rate
//! limits; `address` finds the client's address. `credentials` authenticates requests and `page` checks requests of our
//! web pages. `writing` reads signed requests and returns their responses, `wait_for_sequence` delays a request until
//! the node has reached a sequence, `caching` answers conditional requests, `unchanging` those for bytes that never change, and `cross_origin` implements CORS.
//! `number_format` reads in which form decimals are asked for, `deprecation` marks deprecated operations, `access_log` writes a line per response, and `failure` is every error
//! response.

pub(crate) mod access_log;
pub mod address;
pub mod admission;
pub mod caching;
mod canonical_path;
pub mod charged;
pub mod charging;
mod connections;
pub mod credentials;
pub mod cross_origin;
pub mod deprecation;
pub mod envelope;
mod failure;
pub(crate) mod fare;
pub mod fields;
pub(crate) mod host;
pub(crate) mod number_format;
mod paced_stream;
pub mod page;
pub mod serving;
pub mod timed_body;
pub mod tls;
mod transport;
pub(crate) mod unchanging;
pub mod wait_for_sequence;
pub mod writing;

pub use crate::failure::Failure;

use api::json::{WriteJson, Writer};
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

/// The result of a handler.
pub type Answered = Result<Response, Failure>;

/// A JSON response.
pub fn json(status: StatusCode, body: &impl WriteJson) -> Response {
    json_bytes(status.as_u16(), charged::count_unread(written(body)))
}

/// A body as JSON, with decimals in the form that the current request asks for.
pub fn written(body: &impl WriteJson) -> Vec<u8> {
    // Large enough for most responses, to avoid reallocation.
    let mut out = Writer::new(Vec::with_capacity(2_048), charged::decimals());
    body.write_json(&mut out);
    out.into_bytes()
}

/// A response with an encoded JSON body.
pub fn json_bytes(status: u16, bytes: impl Into<Body>) -> Response {
    let mut response = Response::new(bytes.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// 200 with a JSON body.
pub fn ok(body: &impl WriteJson) -> Answered {
    Ok(json(StatusCode::OK, body))
}
