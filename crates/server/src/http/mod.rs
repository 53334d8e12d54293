//! The edge: what happens to every request before and after its handler.
//!
//! `serving` takes connections and `connections` ends them, `admission` bounds how many there are, `paced_stream` ends
//! those whose answers are read too slowly, `timed_body` ends bodies that come too slowly, `host` refuses requests that do
//! not name one host, `envelope` adds what every answer carries, `fare` and `charging` say what a request pays, `address`
//! says where a request comes from, `credentials` says who asks and `page`
//! whether a page may, `writing` takes a signed request to the writer, `caching` spares what the caller has already,
//! `cross_origin` opens
//! answers to pages of other origins, `waiting` lets a request wait for a sequence that its caller has seen elsewhere, `closed_orders` tells its closed
//! orders from those that never were, `deprecation` says of what is to go that it goes, `failure` is every answer
//! that is not a success.

pub mod address;
pub mod admission;
pub mod caching;
mod canonical_path;
pub mod charged;
pub mod charging;
pub mod closed_orders;
mod connections;
pub mod credentials;
pub mod cross_origin;
pub mod deprecation;
pub mod envelope;
pub mod failure;
mod fare;
mod host;
pub mod in_flight;
pub mod keyring;
mod paced_stream;
pub mod page;
mod retired_markets;
pub mod serving;
pub mod timed_body;
pub mod waiting;
pub mod writing;

pub use failure::Failure;

use api::response;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

/// What a handler gives back.
pub type Answered = Result<Response, Failure>;

/// A JSON answer.
pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Most answers fit: growing means copying.
    let mut bytes = Vec::with_capacity(2_048);
    if let Err(error) = serde_json::to_writer(&mut bytes, body) {
        tracing::error!(%error, "an answer could not be written as JSON");
        return Failure::from(api::error::ErrorBody::internal()).into_response();
    }
    json_bytes(status.as_u16(), bytes)
}

/// JSON that is written already.
pub fn json_bytes(status: u16, bytes: impl Into<Body>) -> Response {
    let mut response = Response::new(bytes.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// 200 with a JSON body.
pub fn ok(body: &impl Serialize) -> Answered {
    Ok(json(StatusCode::OK, body))
}

/// A body of one sentence.
pub fn message(message: &response::Message) -> Answered {
    ok(message)
}
