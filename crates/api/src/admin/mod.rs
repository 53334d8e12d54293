//! The operators' contract: query strings, request bodies and responses of the operators' listener.
//!
//! The server deserializes requests and serializes responses; an operator's client does the opposite with these types.
//! Numbers are exact and terms are the contract's, as in the public API.

mod amounts;
pub mod query;
pub mod request;
pub mod response;

pub use amounts::{Amounts, Sum};
