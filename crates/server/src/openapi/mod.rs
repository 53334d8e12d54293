//! The OpenAPI documents of the public API and of the operators', made each out of one table and the contract's own schemas, and a page to read it.
//!
//! `operations.rs` is the table: a row per method and path, in the router's order. A test compares the two.

mod admin_operations;
mod document;
mod failures;
mod operations;
mod page;

pub use admin_operations::ADMIN_OPERATIONS;
pub use document::{admin_document, document};
#[cfg(test)]
pub(crate) use operations::ROW;
pub use operations::{Access, Body, Method, OPERATIONS, Operation};
pub use page::{admin_page, page};
