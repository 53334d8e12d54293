//! The AsyncAPI document of the streams, made out of one table and the contract's own schemas.
//!
//! `messages.rs` is the table: a row for each message, either way. The tests of the streams compare every message that they
//! see with its row, and every `type` of the contract has one.

mod document;
mod messages;

pub use document::document;
pub use messages::{ASKED, Asked, Payload, Sent, sent};
