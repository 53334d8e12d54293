//! The derives of the contract. `WriteJson` (`write_json.rs`) writes the code that writes a response.
//!
//! The executable serves documents that were generated and reviewed before, so it needs no schemas of types. `ToSchema`
//! and `IntoParams` have the names and attributes of utoipa's and write nothing: a build from source compiles neither
//! utoipa nor its output.

mod attributes;
mod write_json;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `api::json::WriteJson`, and for a struct `WriteMembers`, from the attributes of serde.
#[proc_macro_derive(WriteJson, attributes(serde))]
pub fn write_json(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    write_json::derive(&item).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Stands for `utoipa::ToSchema`.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Stands for `utoipa::IntoParams`.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}
