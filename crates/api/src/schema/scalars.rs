//! Schemas of types whose serialization is handwritten.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::decimal::{DecimalString, Price};
use crate::proof::Hash;
use crate::stream::TextOrNumber;
use crate::timestamp::{LocalTime, OptionalDate, Timestamp};

/// The schema of an exact number.
pub(crate) fn number(description: &str, example: &str) -> Object {
    let example: Option<serde_json::Number> = serde_json::from_str(example).ok();
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .format(Some(SchemaFormat::Custom("decimal".to_owned())))
        .description(Some(description))
        .examples(example.map(serde_json::Value::Number))
        .build()
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("An RFC 3339 time in UTC."))
            .examples(["2026-07-28T23:42:38Z"])
            .into()
    }
}

impl ToSchema for Timestamp {}

impl PartialSchema for OptionalDate {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("An RFC 3339 time in UTC, or the empty string when it is not set."))
            .examples(["2026-07-28T23:42:38Z", ""])
            .into()
    }
}

impl ToSchema for OptionalDate {}

impl PartialSchema for LocalTime {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("An RFC 3339 time with the UTC offset of its place."))
            .examples(["2026-04-13T02:00:00+01:00"])
            .into()
    }
}

impl ToSchema for LocalTime {}

impl PartialSchema for Price {
    fn schema() -> RefOr<Schema> {
        number("A price per share in whole cents. A limit price is 0.01 to 0.99.", "0.65").into()
    }
}

impl ToSchema for Price {}

impl PartialSchema for DecimalString {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("An exact decimal number, as a string."))
            .pattern(Some(r"^-?[0-9]+(\.[0-9]+)?$"))
            .examples(["0.7235"])
            .into()
    }
}

impl ToSchema for DecimalString {}

impl PartialSchema for Hash {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .pattern(Some("^[0-9a-f]{64}$"))
            .description(Some("32 bytes in hexadecimal."))
            .build()
            .into()
    }
}

impl ToSchema for Hash {}

impl PartialSchema for TextOrNumber {
    fn schema() -> RefOr<Schema> {
        let types = SchemaType::from_iter([Type::String, Type::Number]);
        ObjectBuilder::new().schema_type(types).into()
    }
}

impl ToSchema for TextOrNumber {}
