//! What a request accepts, where its types do not say it: exactly one of two fields, and bounds of numbers. The numbers
//! below only describe the accepted input; responses may show smaller, larger and negative numbers.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AllOfBuilder, Object, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{Number, PartialSchema, ToSchema};

use crate::schema::number;

/// Exactly one of `amount` and `quantity`. Absent and null are equivalent, so a key alone does not provide a field.
pub(super) fn one_sizing(fields: RefOr<Schema>) -> RefOr<Schema> {
    let given = |name: &str| {
        ObjectBuilder::new().property(name, Object::with_type(Type::Number)).required(name).build()
    };
    let one = OneOfBuilder::new().item(given("amount")).item(given("quantity"));
    let description = match &fields {
        RefOr::T(Schema::Object(fields)) => fields.description.clone(),
        _ => None,
    };
    AllOfBuilder::new().description(description).item(fields).item(one).into()
}

macro_rules! numbers_asked {
    ($($name:ident, $low:literal, $high:literal, $step:expr, $example:literal, $description:literal;)*) => {$(
        #[doc = $description]
        pub(super) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let mut schema = number($description, $example);
                schema.minimum = Some(Number::Float($low));
                schema.maximum = Some(Number::Float($high));
                schema.multiple_of = $step;
                schema.into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

numbers_asked! {
    MoneyAsked,    0.000001, 1_000_000_000.0, None, "10", "An amount of money in its currency, exact to 10^-6.";
    SharesAsked,   0.0001,   1_000_000_000.0, None, "25", "A number of shares, exact to 10^-4.";
    LimitPrice,    0.01,     0.99, Some(Number::Float(0.01)), "0.65", "A limit price per share, in whole cents.";
    SlippageAsked, 0.0,      1.0,  None, "0.05", "How far from the best price an order may trade, as a part of it: 0.05 is 5 %.";
}
