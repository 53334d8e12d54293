//! The OpenAPI documents of the public and the operators' API, each generated from one table and the contract's
//! schemas, and HTML pages of them.
//!
//! `operations.rs` is the public table: a row per method and path, in the router's order. A test compares it with the
//! router. `document.rs` generates a document; only tests do, with the feature `schemas`. The executable serves the
//! reviewed text (`served.rs`). `string_numbers.rs` describes the form in which decimals are strings.

mod admin_operations;
mod body;
#[cfg(feature = "schemas")]
mod described;
#[cfg(feature = "schemas")]
mod document;
#[cfg(feature = "schemas")]
mod failures;
mod operations;
mod page;
pub(crate) mod served;
mod string_numbers;
mod yaml;

pub use admin_operations::ADMIN_OPERATIONS;
pub use body::Body;
#[cfg(feature = "schemas")]
pub use document::{admin_document, document};
#[cfg(test)]
pub(crate) use operations::ROW;
pub use operations::{Access, Method, OPERATIONS, Operation};
pub use page::{admin_page, page};
pub use string_numbers::{answered_schemas, requested_schemas, string_document};
pub use yaml::yaml;
