//! The OpenAPI document of the public API, made out of one table and the contract's own schemas, and a page to read it.
//!
//! `operations.rs` is the table: a row per method and path, in the router's order. A test compares the two.

mod document;
mod failures;
mod operations;
mod page;

pub use document::document;
pub use operations::{Access, Method, OPERATIONS, Operation};
pub use page::page;
