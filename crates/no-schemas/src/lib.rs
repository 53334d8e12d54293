//! The executable serves documents that were generated and reviewed before, so it needs no schemas of types. These derives
//! have the names and attributes of utoipa's and write nothing: a build from source compiles neither utoipa nor its output.

use proc_macro::TokenStream;

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
