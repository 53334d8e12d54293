//! The OpenAPI documents of the public and the operators' API, each generated from one table and the contract's
//! schemas, and HTML pages of them.
//!
//! `operations.rs` is the public table: a row per method and path, in the router's order. A test compares it with the
//! router. `string_numbers.rs` describes the form in which decimals are strings.

mod admin_operations;
mod described;
mod document;
mod failures;
mod operations;
mod page;
mod string_numbers;
mod yaml;

pub use admin_operations::ADMIN_OPERATIONS;
pub use document::{admin_document, document};
#[cfg(test)]
pub(crate) use operations::ROW;
pub use operations::{Access, Body, Method, OPERATIONS, Operation};
pub use page::{admin_page, page};
pub use string_numbers::{ANSWER_SHAPES, answered_schemas, requested_schemas, string_document};
pub use yaml::yaml;
