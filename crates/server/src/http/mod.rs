//! What surrounds the edge: connections before it, and helpers of pages.
//!
//! `serving` accepts connections, `connections` shuts them down and `admission` limits their number. `paced_stream`
//! closes connections that read too slowly, `timed_body` fails bodies that arrive too slowly, and `host` refuses
//! requests without exactly one host. `address` finds the client's address, `body` reads a body within its limits.
//! `credentials` authenticates requests and `page` checks requests of our web pages. `caching` answers conditional requests
//! of pages, `unchanging` those for bytes that never change. `access_log` has the lines of responses, and `failure` is
//! every error response.

pub(crate) mod access_log;
pub mod address;
pub mod admission;
pub(crate) mod body;
pub mod caching;
mod connections;
pub mod credentials;
mod failure;
pub(crate) mod host;
mod paced_stream;
pub mod page;
pub mod serving;
pub mod timed_body;
pub mod tls;
mod transport;
pub(crate) mod unchanging;

pub use crate::failure::Failure;

use api::error::{ErrorBody, ErrorKind};
use api::json::{Decimals, WriteJson, Writer};
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

/// The result of a handler.
pub type Answered = Result<Response, Failure>;

/// A JSON response of a page or to an operator, who have the usual form of decimals only.
pub fn json(status: StatusCode, body: &impl WriteJson) -> Response {
    let mut response = Response::new(written(body).into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn written(body: &impl WriteJson) -> Vec<u8> {
    // Large enough for most responses, to avoid reallocation.
    let mut out = Writer::new(Vec::with_capacity(2_048), Decimals::Numbers);
    body.write_json(&mut out);
    out.into_bytes()
}

/// 200 with a JSON body.
pub fn ok(body: &impl WriteJson) -> Answered {
    Ok(json(StatusCode::OK, body))
}

/// 404 for an unknown route.
pub async fn not_found() -> Failure {
    ErrorBody::not_found("No such resource").into()
}

/// 405 for a known route with another method.
pub async fn method_not_allowed() -> Failure {
    ErrorBody::new(ErrorKind::MethodNotAllowed, "This method is not allowed here").into()
}
