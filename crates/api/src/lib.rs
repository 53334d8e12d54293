//! The JSON contract of the exchange: requests, responses, signing, and the format of numbers.
//!
//! No rules, no I/O, no HTTP: a request becomes a typed value or a `BadRequest`, a response becomes exact JSON. Start
//! with `read.rs` (bodies), `query` (query strings), `response` (all responses), `json` (quick forms of both), `admin`
//! (the operators' contract), `stream`, `signing`, `proof` and `error.rs`.

extern crate self as api;

pub mod admin;
pub mod decimal;
pub mod error;
pub mod identifier;
pub mod json;
pub mod proof;
pub mod query;
pub mod read;
pub mod request;
pub mod response;
mod schema;
#[cfg(feature = "schemas")]
pub mod schema_fault;
pub mod signing;
pub mod stream;
mod structure;
pub mod terms;
pub mod timestamp;
mod timestamp_text;
mod words;

pub use error::{BadRequest, ErrorBody};
pub use timestamp::Timestamp;
pub use words::Word;
