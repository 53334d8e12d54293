//! The schema of a data message: its data, and the keys that all of them share.

use std::borrow::Cow;

use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};

use super::control_schema::integer;
use super::words::DataType;
use crate::words::Word;

/// The schema of a message of this type, which refers to the schema of its data.
pub fn data_schema<T: ToSchema>(data_type: DataType) -> RefOr<Schema> {
    let name: Cow<'_, str> = T::name();
    let sequence = integer("Of the request that led to it, or that a snapshot is up to. It never falls.");
    ObjectBuilder::new()
        .property(
            "type",
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some([data_type.as_str()])),
        )
        .required("type")
        .property("data", Ref::from_schema_name(name))
        .required("data")
        .property("sequence", sequence)
        .required("sequence")
        .property("timestamp", integer("Unix milliseconds, by the journal's clock."))
        .required("timestamp")
        .into()
}
