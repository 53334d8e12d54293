//! Exact numbers inside JSON strings, as used by activities: `"0.7235"`.

use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::kinds::DecimalKind;
use super::print::DecimalText;

/// An exact number that is written as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalString {
    units: i64,
    places: u32,
}

impl DecimalString {
    pub const fn integer(value: i64) -> DecimalString {
        DecimalString { units: value, places: 0 }
    }
}

impl<T: DecimalKind> From<T> for DecimalString {
    fn from(value: T) -> DecimalString {
        DecimalString { units: value.units(), places: T::PLACES }
    }
}

impl Serialize for DecimalString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(DecimalText::new(self.units, self.places).as_str())
    }
}

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
