//! The OpenAPI documents of the public and the operators' API, each generated from one table and the contract's
//! schemas, and HTML pages of them.
//!
//! The tables are those of the endpoints (`routes/mod.rs`, `admin/mod.rs`). `document.rs` generates a document; only tests do, with the feature `schemas`. The executable serves the
//! reviewed text (`served.rs`). `string_numbers.rs` describes the form in which decimals are strings.

#[cfg(feature = "schemas")]
mod document;
#[cfg(feature = "schemas")]
mod examples;
#[cfg(feature = "schemas")]
mod failures;
mod page;
pub(crate) mod served;
mod string_numbers;
mod yaml;

pub use crate::admin::ADMIN_OPERATIONS;
pub use crate::edge::body::Body;
pub use crate::edge::{Access, Method, Operation};
pub use crate::routes::OPERATIONS;
#[cfg(feature = "schemas")]
pub use document::{admin_document, document};
pub use page::{admin_page, page};
pub use string_numbers::{answered_schemas, requested_schemas, string_document};
pub use yaml::yaml;
