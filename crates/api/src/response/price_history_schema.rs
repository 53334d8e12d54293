//! The schema of prices over time: a map by market id with one key that is none.

use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::price_history::{ListedMarket, PriceHistory, PricePoint};

impl PartialSchema for PriceHistory {
    fn schema() -> RefOr<Schema> {
        let list_of = |name: &str| ArrayBuilder::new().items(Ref::from_schema_name(name));
        ObjectBuilder::new()
            .description(Some("For each market its points under its id, and all markets again in `markets`."))
            .property("markets", list_of("MarketHistory"))
            .required("markets")
            // Some generators give every key the type of the additional ones, so that one includes the type of `markets`.
            .additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(Schema::AnyOf(
                AnyOfBuilder::new().item(list_of("PricePoint")).item(list_of("MarketHistory")).build(),
            )))))
            .into()
    }
}

impl ToSchema for PriceHistory {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("PricePoint".to_owned(), PricePoint::schema()));
        PricePoint::schemas(schemas);
        schemas.push(("MarketHistory".to_owned(), ListedMarket::schema()));
        ListedMarket::schemas(schemas);
    }
}
