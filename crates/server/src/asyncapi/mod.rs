//! The AsyncAPI document of the streams. Tests generate it from one table and the contract's schemas, with the feature
//! `schemas`; the executable serves the reviewed text (`openapi/served.rs`).
//!
//! `messages.rs` is the table: a row for each message in either direction. The stream tests check every message that they
//! receive against its row, and every `type` of the contract has one.

#[cfg(feature = "schemas")]
mod document;
#[cfg(feature = "schemas")]
mod messages;

#[cfg(feature = "schemas")]
pub use document::document;
#[cfg(feature = "schemas")]
pub use messages::{Payload, RECEIVED, ReceivedMessage, SentMessage, sent};
