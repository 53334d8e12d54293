//! The schema of a request is that of its body: what may be sent, not the parsed value.
//!
//! The numbers below only describe the accepted input; responses may show smaller, larger and negative numbers.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AllOfBuilder, Object, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{Number, PartialSchema, ToSchema};

use crate::decimal::number;

/// `Request, Body, "Name";` for each request that is deserialized through another type. `with rule` adds a rule over
/// several fields.
macro_rules! schema_of {
    ($($request:ty, $body:ty, $name:literal $(, with $rule:ident)?;)*) => {$(
        impl utoipa::PartialSchema for $request {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let schema = <$body as utoipa::PartialSchema>::schema();
                $(let schema = $crate::request::schema::$rule(schema);)?
                schema
            }
        }

        impl utoipa::ToSchema for $request {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed($name)
            }

            fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
                <$body as utoipa::ToSchema>::schemas(schemas);
            }
        }
    )*};
}

pub(super) use schema_of;

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
