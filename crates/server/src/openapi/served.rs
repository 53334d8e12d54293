//! The documents that the executable serves: generated from the tables and the contract's schemas, reviewed, and
//! committed. `tests/openapi.rs` generates them again and compares.

use std::sync::LazyLock;

use serde_json::Value;

/// The OpenAPI document of the public API.
pub(crate) const OPENAPI: &str = include_str!("../../documents/openapi.json");
/// The OpenAPI document of the operators' API.
pub(crate) const ADMIN_OPENAPI: &str = include_str!("../../documents/admin_openapi.json");
/// The AsyncAPI document of the streams.
pub(crate) const ASYNCAPI: &str = include_str!("../../documents/asyncapi.json");

pub(crate) static OPENAPI_VALUE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(OPENAPI).expect("the reviewed document is JSON"));
