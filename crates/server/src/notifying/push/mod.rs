//! Web push: messages encrypted for a browser (RFC 8291), signed with the venue's key (RFC 8292), posted to the push
//! service that the browser named.
//!
//! The address is a stranger's choice, so `endpoint` permits only https at a public address and checks the address that
//! is connected to. `sending` bounds the time of a request and does not follow it elsewhere; `turns` shares
//! the places between persons and services.

mod encryption;
pub mod endpoint;
mod key;
mod sending;
mod turns;

pub use encryption::{MESSAGE_BYTES_MAX, encrypt};
pub use key::PushKey;
pub(super) use sending::{Outbox, PushJob, start};
